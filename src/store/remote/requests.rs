//! The requests about an object: open, metadata, delete, list and upload.

use std::io::ErrorKind;

use futures_util::TryStreamExt;
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::{GetOptions, GetResult, ObjectMeta, ObjectStoreExt};

use super::explain::explain;
use super::keys;
use super::object::{Object, path_from_key};
use super::runtime::{wait_for, wait_for_change};
use super::service::UNKNOWN_SIZE;
use super::stream::ObjectStream;
use super::windows::WindowReader;
use super::write::Upload;
use crate::store::{
    ExistingObject, FileMetadata, ListedFile, Location, OpenedInput, RandomAccess, ReadWatch,
    RequestFailure, Url,
};

impl Object {
    /// Requests the whole object, and reads the headers of the answer. The body is read later.
    pub(in crate::store) fn open(&self) -> Result<OpenedInput, RequestFailure> {
        let response = wait_for(async {
            let response = self.store.get_opts(&self.path, GetOptions::default()).await;
            response.map_err(|error| explain(&error))
        })?;
        Ok(self.open_response(response))
    }

    /// The input whose body is in the answer to a request for the whole object.
    pub(super) fn open_response(&self, response: GetResult) -> OpenedInput {
        let meta = response.meta.clone();
        let windows = WindowReader::new(self.clone(), meta.clone());
        OpenedInput {
            reader: Box::new(ObjectStream::new(self.clone(), response)),
            // Reading at any position is only possible if the length of the object is known.
            random: (meta.size < UNKNOWN_SIZE).then(|| RandomAccess::new(windows, meta.size)),
            metadata: to_file_metadata(&meta),
            watch: ReadWatch::default(),
        }
    }

    pub(in crate::store) fn metadata(&self) -> Result<FileMetadata, RequestFailure> {
        let head_request = async {
            self.store
                .head(&self.path)
                .await
                .map_err(|error| explain(&error))
        };
        Ok(to_file_metadata(&wait_for(head_request)?))
    }

    /// Deletes the object. If the store answers that it does not exist, a second request checks this: if the answer
    /// were wrong, an old part file would remain beside the new ones.
    pub(in crate::store) fn delete(&self) -> Result<(), RequestFailure> {
        let delete = || {
            wait_for_change(async {
                let deleted = self.store.delete(&self.path).await;
                deleted.map_err(|error| explain(&error))
            })
        };
        match delete() {
            Err(failure) if failure.kind() == ErrorKind::NotFound && self.metadata().is_ok() => {
                delete()
            }
            deleted => deleted,
        }
    }

    /// The objects in the folder `url`, at any depth, sorted by name. If the key of `url` is a pattern, the objects
    /// that match it.
    pub(in crate::store) fn list(
        &self,
        url: &Url,
        matching: Option<&glob::Pattern>,
    ) -> Result<Vec<ListedFile>, RequestFailure> {
        // Only one `/` is removed, because the prefix `in//` lists other objects than `in/`.
        let key = url.key().strip_suffix('/').unwrap_or(url.key());
        let folder = match matching {
            None => key,
            // The listing starts at the folder before the pattern's first wildcard.
            Some(_) => literal_start(key).0,
        };
        let prefix = path_from_key(folder)?;
        let list_request = async {
            let objects = match &self.lister {
                Some(lister) if matching.is_some() => list_by_prefix(&**lister, key).await,
                _ => {
                    let prefix = Some(&prefix).filter(|prefix| !prefix.is_root());
                    self.store.list(prefix).try_collect::<Vec<_>>().await
                }
            };
            objects.map_err(|error| explain(&error))
        };
        let options = glob::MatchOptions {
            require_literal_separator: true,
            ..glob::MatchOptions::default()
        };
        let mut found_files: Vec<ListedFile> = wait_for(list_request)?
            .iter()
            .filter_map(|object| {
                let key = keys::key_from_path(object.location.as_ref());
                let key = key.as_str();
                let name = match matching {
                    // A key with `[` does not match itself as a pattern.
                    Some(pattern) => Some(key)
                        .filter(|key| *key == url.key() || pattern.matches_with(key, options))?,
                    None if folder.is_empty() => key,
                    None => key.strip_prefix(folder)?.strip_prefix('/')?,
                };
                Some(ListedFile {
                    location: Location::Remote(url.with_key(key)),
                    name: name.to_owned(),
                    metadata: to_file_metadata(object),
                })
            })
            .collect();
        found_files.sort_by(|one, other| one.name.cmp(&other.name));
        // If an object has exactly this key, the key is not a pattern. The same rule holds for files on disk.
        let is_named = |found: &ListedFile| found.name == url.key();
        if matching.is_some() && found_files.iter().any(is_named) {
            found_files.retain(is_named);
        }
        Ok(found_files)
    }

    /// Whether the store has objects whose keys start with this key and `/`.
    pub(in crate::store) fn is_folder(&self) -> Result<bool, RequestFailure> {
        let first_entry = async {
            let first_entry = self.store.list(Some(&self.path)).try_next().await;
            first_entry.map_err(|error| explain(&error))
        };
        Ok(wait_for(first_entry)?.is_some())
    }

    pub(in crate::store) fn upload(self, existing: ExistingObject) -> Upload {
        Upload::new(self, existing)
    }
}

/// The folder of a pattern before its first wildcard, and the start of the names in this folder.
fn literal_start(pattern: &str) -> (&str, &str) {
    let literal = &pattern[..pattern.find(['*', '?', '[']).unwrap_or(pattern.len())];
    literal.rsplit_once('/').unwrap_or(("", literal))
}

/// The objects whose keys start like a pattern. The store leaves out all others.
async fn list_by_prefix(
    lister: &dyn PaginatedListStore,
    pattern: &str,
) -> object_store::Result<Vec<ObjectMeta>> {
    let (folder, name_start) = literal_start(pattern);
    let mut prefix = keys::path_from_key(folder).into_owned();
    if !prefix.is_empty() {
        prefix.push('/');
    }
    // A start that is no plain name, such as `.`, has another form inside `object_store` than in the key.
    if keys::path_from_key(name_start) == name_start {
        prefix.push_str(name_start);
    }
    let mut objects = Vec::new();
    let mut page_token = None;
    loop {
        let options = PaginatedListOptions {
            page_token,
            ..PaginatedListOptions::default()
        };
        let prefix = Some(prefix.as_str()).filter(|prefix| !prefix.is_empty());
        let page = lister.list_paginated(prefix, options).await?;
        objects.extend(page.result.objects);
        page_token = page.page_token;
        if page_token.is_none() {
            return Ok(objects);
        }
    }
}

pub(super) fn to_file_metadata(meta: &ObjectMeta) -> FileMetadata {
    FileMetadata {
        bytes: Some(meta.size).filter(|bytes| *bytes < UNKNOWN_SIZE),
        // Lists of Azure leave out the quotes that its other answers have.
        e_tag: (meta.e_tag.as_ref()).map(|e_tag| {
            if e_tag.ends_with('"') {
                e_tag.clone()
            } else {
                format!("\"{e_tag}\"")
            }
        }),
        // A time in 1970 means that the server has sent none.
        last_modified: (meta.last_modified.timestamp() > 0)
            .then(|| meta.last_modified.to_rfc3339().replace("+00:00", "Z")),
        modified: None,
    }
}
