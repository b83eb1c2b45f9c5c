//! Access to inputs and outputs: standard input, local files, and objects in stores such as S3.
//!
//! ```text
//! "s3://bucket/key" ─ Location::parse ─┬─ open ─▶ OpenedInput { reader, random, metadata }
//!                                      ├─ metadata, exists, list, glob, read, delete
//!                                      └─ (write::Target::file uploads)
//! ```
//!
//! The rest of the program is synchronous, and uses paths for all inputs and outputs. A path that starts with a
//! scheme such as `s3://` is an object. One background thread makes the requests. It retries a request that
//! fails, with growing pauses, for [`TIMEOUT_VARIABLE`] seconds. A run thus fails after this time if the store
//! is down.
//!
//! Support for stores needs the feature `cloud`; without it such a path is a usage error.

#[cfg(not(feature = "cloud"))]
#[path = "absent.rs"]
mod remote;
#[cfg(feature = "cloud")]
mod remote;

mod ahead;
mod archive_path;
mod authority;
mod condition;
#[cfg(feature = "cloud")]
mod connection_string;
#[cfg(feature = "cloud")]
mod environment;
mod error;
mod expected;
mod fetched;
mod file_identity;
mod late_uploads;
mod local;
mod location;
mod metadata;
mod path_text;
mod random;
mod request_failure;
mod scheme;
mod scratch;
mod secrets;
mod upload_memory;
mod watch;

pub(crate) use ahead::{AheadInput, LEAST_OBJECT_BYTES, MOST_OBJECT_BYTES, ReadAhead};
pub(crate) use archive_path::archive_and_member;
pub(crate) use condition::{ExistingObject, ObjectVersion, PutCondition, SmallObject};
pub use error::StoreError;
pub(crate) use expected::{expect_listed, listed_metadata};
pub use fetched::FetchedObject;
pub(crate) use file_identity::{FileIdentity, real_path};
pub(crate) use late_uploads::{
    expect_late_uploads, forget_late_uploads, has_unanswered_change, is_late_upload, run_id,
};
pub use location::{Location, Url, display_name};
pub use metadata::{FileMetadata, ListedFile, OpenedInput};
pub(crate) use path_text::escape_bytes;
pub use path_text::path_text;
#[cfg(test)]
pub(crate) use random::ReadAt;
pub use random::{RandomAccess, RandomReader};
pub(crate) use remote::Upload;
pub use request_failure::{RequestFailure, TIMEOUT_VARIABLE};
pub use scheme::UrlScheme;
pub use scratch::{ScratchFolder, is_scratch};
pub use secrets::without_secrets;
pub use upload_memory::limit_upload_memory;
pub(crate) use upload_memory::{LEAST_UPLOAD_BYTES, MOST_UPLOAD_BYTES};
pub use watch::{InputChanged, ReadWatch};

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use remote::Object;

/// Opens a file or object, or standard input.
pub fn open(location: &Location) -> Result<OpenedInput, StoreError> {
    let to_read_error = |error| read_error(location, error);
    let opened_input = match location {
        Location::Standard => OpenedInput {
            reader: Box::new(io::stdin()),
            random: None,
            metadata: FileMetadata::default(),
            watch: ReadWatch::default(),
        },
        Location::Local(path) => {
            let file = Arc::new(File::open(path).map_err(to_read_error)?);
            let metadata = FileMetadata::from_file(&file.metadata().map_err(to_read_error)?);
            let random = metadata
                .bytes
                .map(|bytes| RandomAccess::new(Arc::clone(&file), bytes));
            OpenedInput {
                reader: Box::new(Arc::clone(&file)),
                random,
                watch: match metadata.bytes {
                    Some(_) => ReadWatch::from_file(file, metadata.clone()),
                    None => ReadWatch::default(),
                },
                metadata,
            }
        }
        Location::Remote(url) => {
            let opened_object = Object::connect(url).and_then(|object| object.open());
            let opened_object = opened_object.map_err(|failure| to_read_error(failure.into()))?;
            expected::check_against_list(url, &opened_object.metadata).map_err(to_read_error)?;
            opened_object
        }
    };
    Ok(opened_input.with_watched_reader())
}

/// The size and version of a file or object; `None` if it does not exist.
pub fn metadata(location: &Location) -> Result<Option<FileMetadata>, StoreError> {
    let metadata = match location {
        Location::Standard => Ok(FileMetadata::default()),
        Location::Local(path) => local::file_metadata(path),
        Location::Remote(url) => Object::connect(url)
            .and_then(|object| object.metadata())
            .map_err(Into::into),
    };
    none_if_not_found(location, metadata)
}

/// Whether a file, object or local folder exists at this location.
pub fn exists(location: &Location) -> Result<bool, StoreError> {
    match location {
        Location::Local(path) => Ok(path.symlink_metadata().is_ok()),
        _ => metadata(location).map(|metadata| metadata.is_some()),
    }
}

/// All bytes of a file or object; `None` if it does not exist. It is an error if there are more than `limit` bytes.
pub fn read(location: &Location, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let opened_input = match open(location) {
        Err(error) if error.is_not_found() => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    let read_bytes = opened_input.reader.take(limit + 1).read_to_end(&mut bytes);
    let read_bytes = read_bytes.and_then(|read| {
        if read as u64 > limit {
            Err(io::Error::other(format!("it has more than {limit} bytes")))
        } else {
            Ok(())
        }
    });
    read_bytes.map_err(|error| read_error(location, error))?;
    Ok(Some(bytes))
}

/// All files in a folder and its subfolders, sorted by name. A folder that does not exist has no files.
pub fn list(folder: &Location) -> Result<Vec<ListedFile>, StoreError> {
    let listed_files = match folder {
        Location::Standard => return Err(not_listed_error(folder)),
        Location::Local(path) => local::list_folder(path),
        Location::Remote(url) if url.scheme() == UrlScheme::Http => {
            return Err(not_listed_error(folder));
        }
        Location::Remote(url) => Object::connect(url)
            .and_then(|object| object.list(url, None))
            .map_err(Into::into),
    };
    listed_files.map_err(|error| read_error(folder, error))
}

/// All files whose paths match a pattern, sorted by name. `*` and `?` do not match `/`, but `**` does. In the result,
/// [`ListedFile::name`] is the whole path.
pub fn glob(pattern: &Location) -> Result<Vec<ListedFile>, StoreError> {
    let invalid_pattern = |error| StoreError::InvalidPattern {
        pattern: pattern.to_string(),
        error,
    };
    let matching_files = match pattern {
        Location::Standard => return Err(not_listed_error(pattern)),
        Location::Local(path) => local::match_pattern(path, invalid_pattern)?,
        Location::Remote(url) if url.scheme() == UrlScheme::Http => {
            return Err(not_listed_error(pattern));
        }
        Location::Remote(url) => {
            let matching = match glob::Pattern::new(url.key()) {
                Ok(matching) => matching,
                // A key that is no valid pattern, such as `x[1.csv`, may be the name of an object.
                Err(error) => {
                    return match metadata(pattern)? {
                        Some(metadata) => Ok(vec![ListedFile {
                            location: pattern.clone(),
                            name: url.key().to_owned(),
                            metadata,
                        }]),
                        None => Err(invalid_pattern(error)),
                    };
                }
            };
            Object::connect(url)
                .and_then(|object| object.list(url, Some(&matching)))
                .map_err(Into::into)
        }
    };
    matching_files.map_err(|error| read_error(pattern, error))
}

/// Whether a store has objects whose keys start with the key of this location and `/`, as if it were a folder. Returns
/// false if the request fails.
pub fn is_folder(location: &Location) -> bool {
    match location {
        Location::Remote(url) if url.scheme() != UrlScheme::Http => {
            let is_folder = Object::connect(url).and_then(|object| object.is_folder());
            is_folder.unwrap_or(false)
        }
        _ => false,
    }
}

/// Removes a file or object. A file or object that does not exist is not an error.
pub fn delete(location: &Location) -> Result<(), StoreError> {
    let deleted = match location {
        Location::Standard => Ok(()),
        Location::Local(path) => std::fs::remove_file(path),
        Location::Remote(url) => Object::connect(url)
            .and_then(|object| object.delete())
            .map_err(Into::into),
    };
    match deleted {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::Remove {
            location: location.to_string(),
            error,
        }),
        _ => Ok(()),
    }
}

/// Reads a small object in a store; `None` if it does not exist.
pub(crate) fn read_small(url: &Url) -> Result<Option<SmallObject>, RequestFailure> {
    Object::connect(url)?.read_small()
}

/// Puts a small object into a store, and returns its new version. If `condition` is not met, the kind of the error is
/// `AlreadyExists`.
pub(crate) fn put_object(
    url: &Url,
    bytes: &[u8],
    condition: &PutCondition,
) -> Result<ObjectVersion, RequestFailure> {
    Object::connect(url)?.put(bytes, condition)
}

/// The random mark in an object's metadata, which says what upload created the object. `None` if the object does not
/// exist, or if another program created it.
pub(crate) fn read_mark(url: &Url) -> Result<Option<String>, RequestFailure> {
    Object::connect(url)?.mark()
}

/// The current version of an object.
pub(crate) fn read_version(url: &Url) -> Result<ObjectVersion, RequestFailure> {
    Object::connect(url)?.version()
}

/// Copies an object to another address in the same store.
pub(crate) fn copy_object(from: &Url, to: &Url) -> Result<(), RequestFailure> {
    Object::connect(from)?.copy_to(&Object::connect(to)?)
}

/// Deletes an object, even after a signal to stop, but waits at most ten seconds.
pub(crate) fn delete_briefly(url: &Url) -> Result<(), RequestFailure> {
    Object::connect(url)?.delete_briefly()
}

/// Starts the upload of an object. The first request is sent when the first part is full.
pub(crate) fn start_upload(url: &Url, existing: ExistingObject) -> Result<Upload, RequestFailure> {
    Ok(Object::connect(url)?.upload(existing))
}

/// Runs the clean-up of a run. Its requests to stores are sent and awaited even after a signal to stop, but only for some
/// seconds after it.
pub(crate) fn while_cleaning_up<T>(clean_up: impl FnOnce() -> T) -> T {
    let _clean_up = remote::CleanUp::start();
    clean_up()
}

/// Sets the variable that ends all waiting for a store. A signal handler stores the number of the signal in it.
pub fn stop_on(stop: &Arc<AtomicUsize>) {
    remote::stop_on(stop);
}

fn none_if_not_found(
    location: &Location,
    metadata: io::Result<FileMetadata>,
) -> Result<Option<FileMetadata>, StoreError> {
    match metadata {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(read_error(location, error)),
    }
}

fn read_error(location: &Location, error: io::Error) -> StoreError {
    StoreError::Read {
        location: location.to_string(),
        error,
    }
}

fn not_listed_error(location: &Location) -> StoreError {
    StoreError::NotListed {
        location: location.to_string(),
    }
}
