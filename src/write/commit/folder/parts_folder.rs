//! An output folder, on disk or in an object store: lists and reads its files.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::store::{self, Location, StoreError};
use crate::write::commit::hidden::resolve_links;
use crate::write::commit::write_error;

/// The location of an output folder, on disk or in an object store.
#[derive(Clone, Debug)]
pub(crate) struct PartsFolder(Location);

/// A file or folder inside an output folder.
pub(crate) struct FolderItem {
    pub(crate) location: Location,
    /// The path relative to the output folder, with `/` as the separator.
    pub(crate) name: String,
    /// Whether the item is a folder. A listing of an object store has no folders.
    pub(crate) is_folder: bool,
    /// The size in bytes; `None` if the listing does not state it.
    pub(crate) bytes: Option<u64>,
}

impl FolderItem {
    /// The name in the path, after the last `/`.
    pub(crate) fn last_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }
}

impl PartsFolder {
    pub(crate) fn from_path(path: &Path) -> Result<PartsFolder, Error> {
        Ok(PartsFolder(Location::from_path(path)?))
    }

    /// The folder at this path, with all symbolic links resolved.
    pub(super) fn from_real_path(path: &Path) -> Result<PartsFolder, Error> {
        Ok(PartsFolder(match Location::from_path(path)? {
            Location::Local(path) => {
                let linked = resolve_links(&path);
                let absolute = std::path::absolute(&linked).unwrap_or(linked);
                Location::Local(std::fs::canonicalize(&absolute).unwrap_or(absolute))
            }
            location => location,
        }))
    }

    /// The folder with this name inside this folder.
    pub(super) fn subfolder(&self, name: &str) -> PartsFolder {
        PartsFolder(self.location_of(name))
    }

    /// The names of the files and folders directly in this folder; empty if this folder does not exist.
    pub(super) fn top_level_names(&self) -> Result<Vec<String>, Error> {
        let folder = self.local_path();
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>),
        };
        let entries = entries.map_err(|error| write_error(&folder, error))?;
        let mut names: Vec<String> = (entries.iter())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    }

    pub(crate) fn is_remote(&self) -> bool {
        self.0.is_remote()
    }

    /// The location of the file or folder with this name inside this folder.
    pub(crate) fn location_of(&self, name: &str) -> Location {
        self.0.join(name)
    }

    /// The path of the folder itself.
    pub(crate) fn local_path(&self) -> PathBuf {
        self.0.to_path()
    }

    /// Creates the folder. Does nothing in an object store.
    pub(crate) fn create(&self) -> Result<(), Error> {
        create_folder(&self.0)
    }

    /// Creates a folder with this name inside this folder.
    pub(crate) fn create_subfolder(&self, name: &str) -> Result<(), Error> {
        create_folder(&self.location_of(name))
    }

    /// Lists all files and folders inside, at any depth. Each folder comes after its contents. The list is empty if the
    /// outer folder does not exist.
    pub(crate) fn list_items(&self) -> Result<Vec<FolderItem>, Error> {
        let mut items = Vec::new();
        match &self.0 {
            Location::Local(root) => list_recursively(root, "", &mut items)?,
            remote => items.extend(store::list(remote)?.into_iter().map(|found| FolderItem {
                location: found.location,
                name: found.name,
                is_folder: false,
                bytes: found.metadata.bytes,
            })),
        }
        Ok(items)
    }
}

/// Reads a status file, such as a manifest; `None` if it does not exist.
pub(super) fn read_text(location: &Location) -> Result<Option<String>, Error> {
    /// The maximum size in bytes of a status file, such as a manifest. It is enough for millions of inputs.
    const MOST_BYTES: u64 = 1 << 30;
    let bytes = store::read(location, MOST_BYTES)?;
    let decode = |bytes| match String::from_utf8(bytes) {
        Ok(decode) => decode,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    Ok(bytes.map(decode))
}

/// Reads a status file. Fails if the size of an object differs from the listed size.
pub(super) fn read_item(item: &FolderItem) -> Result<String, Error> {
    let text = read_text(&item.location)?.unwrap_or_default();
    match item.bytes {
        Some(bytes) if item.location.is_remote() && bytes != text.len() as u64 => {
            let found_bytes = text.len();
            let message = format!(
                "the list of the store says that it has {bytes} bytes, and {found_bytes} were sent: another run has \
                 changed it, or the store answers wrongly"
            );
            Err(StoreError::Read {
                location: item.location.to_string(),
                error: io::Error::other(message),
            }
            .into())
        }
        _ => Ok(text),
    }
}

/// The files of a folder, by their path relative to the folder.
pub(crate) struct ItemsByPath<'a>(HashMap<&'a str, &'a FolderItem>);

impl<'a> ItemsByPath<'a> {
    pub(crate) fn from_items(items: &'a [FolderItem]) -> ItemsByPath<'a> {
        let files = items.iter().filter(|item| !item.is_folder);
        ItemsByPath(files.map(|item| (item.name.as_str(), item)).collect())
    }

    /// Whether a file exists at this path and has this size in bytes.
    pub(crate) fn has_file(&self, path: &str, bytes: u64) -> bool {
        let item = self.0.get(path);
        let found_part = item.and_then(|item| match item.bytes {
            None => store::metadata(&item.location).ok()??.bytes,
            known => known,
        });
        found_part == Some(bytes)
    }
}

fn create_folder(location: &Location) -> Result<(), Error> {
    match location {
        Location::Local(path) => fs::create_dir_all(path).map_err(|error| write_error(path, error)),
        _ => Ok(()),
    }
}

fn list_recursively(folder: &Path, prefix: &str, items: &mut Vec<FolderItem>) -> Result<(), Error> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = match entries {
        // The folder does not exist; another shard may have removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| write_error(folder, error))?,
    };
    for entry in entries {
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            list_recursively(&path, &format!("{name}/"), items)?;
        }
        items.push(FolderItem {
            bytes: entry.metadata().ok().map(|metadata| metadata.len()),
            location: Location::Local(path),
            name,
            is_folder,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_its_contents() {
        let folder = tempfile::tempdir().unwrap();
        let place = PartsFolder::from_path(folder.path()).unwrap();
        place.create_subfolder("level=easy").unwrap();
        fs::write(folder.path().join("level=easy/a"), "four").unwrap();
        let items = place.list_items().unwrap();
        let names: Vec<_> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["level=easy/a", "level=easy"]);
        let files = ItemsByPath::from_items(&items);
        assert!(files.has_file("level=easy/a", 4) && !files.has_file("level=easy/a", 5));
        let missing_folder = PartsFolder::from_path(&folder.path().join("none")).unwrap();
        assert!(missing_folder.list_items().unwrap().is_empty());
    }
}
