//! Where inputs and outputs are: standard input, a local file, or an object in a store.
//!
//! ```text
//! "s3://bucket/key" ─ Location::parse ─┬─ open ─▶ Opened { reader, random, about }
//!                                      ├─ about, exists, list, glob, read, delete
//!                                      └─ (write::Target::file uploads)
//! ```
//!
//! The rest of the program is synchronous and knows paths only; a path that starts with `s3://` and
//! the like is an object. Requests are made by one background thread. A request that fails is tried
//! again with growing pauses for [`TIMEOUT_VARIABLE`] seconds, so that a run with a store that is down
//! fails after a bounded time.
//!
//! Stores are compiled in with the feature `cloud`; without it such a path is a usage error.

#[cfg(not(feature = "cloud"))]
#[path = "absent.rs"]
mod remote;
#[cfg(feature = "cloud")]
mod remote;

mod about;
mod error;
mod local;
mod location;
mod random;
mod request_failure;

pub use about::{About, Found, Opened};
pub use error::StoreError;
pub use location::{Location, Scheme, Url};
pub use random::{RandomAccess, RandomReader};
pub(crate) use remote::Upload;
pub use request_failure::{RequestFailure, TIMEOUT_VARIABLE};

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use remote::Object;

/// Opens a file or object, or standard input.
pub fn open(location: &Location) -> Result<Opened, StoreError> {
    let refused = |error| read_error(location, error);
    match location {
        Location::Standard => Ok(Opened {
            reader: Box::new(io::stdin()),
            random: None,
            about: About::default(),
        }),
        Location::Local(path) => {
            let file = File::open(path).map_err(refused)?;
            let about = file.metadata().map_err(refused)?;
            let reader = Box::new(file.try_clone().map_err(refused)?);
            let bytes = about.is_file().then_some(about.len());
            Ok(Opened {
                reader,
                random: bytes.map(|bytes| RandomAccess::file(file, bytes)),
                about: About {
                    bytes,
                    ..About::default()
                },
            })
        }
        Location::Remote(url) => {
            let opened = Object::connect(url).and_then(|object| object.open());
            opened.map_err(|failure| refused(failure.into()))
        }
    }
}

/// Size and version of a file or object; `None` where there is none.
pub fn about(location: &Location) -> Result<Option<About>, StoreError> {
    let about = match location {
        Location::Standard => Ok(About::default()),
        Location::Local(path) => local::about(path),
        Location::Remote(url) => Object::connect(url)
            .and_then(|object| object.about())
            .map_err(Into::into),
    };
    absent_is_none(location, about)
}

/// Whether there is a file or object, or on disk a folder.
pub fn exists(location: &Location) -> Result<bool, StoreError> {
    match location {
        Location::Local(path) => Ok(path.symlink_metadata().is_ok()),
        _ => about(location).map(|about| about.is_some()),
    }
}

/// All bytes of a file or object; `None` where there is none. More than `limit` bytes are an error.
pub fn read(location: &Location, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let opened = match open(location) {
        Err(error) if error.is_not_found() => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    let read = opened.reader.take(limit + 1).read_to_end(&mut bytes);
    let read = read.and_then(|read| match read as u64 > limit {
        true => Err(io::Error::other(format!("it has more than {limit} bytes"))),
        false => Ok(()),
    });
    read.map_err(|error| read_error(location, error))?;
    Ok(Some(bytes))
}

/// All files below a folder, sorted by name. A folder that does not exist has none.
pub fn list(folder: &Location) -> Result<Vec<Found>, StoreError> {
    let found = match folder {
        Location::Standard => return Err(no_folder(folder)),
        Location::Local(path) => local::list(path),
        Location::Remote(url) if url.scheme() == Scheme::Http => return Err(no_folder(folder)),
        Location::Remote(url) => Object::connect(url)
            .and_then(|object| object.list(url, None))
            .map_err(Into::into),
    };
    found.map_err(|error| read_error(folder, error))
}

/// All files whose paths match a pattern, sorted by name. `*` and `?` do not match `/`, `**` does.
/// [`Found::name`] is then the whole path.
pub fn glob(pattern: &Location) -> Result<Vec<Found>, StoreError> {
    let bad = |error| StoreError::InvalidPattern {
        pattern: pattern.to_string(),
        error,
    };
    let found = match pattern {
        Location::Standard => return Err(no_folder(pattern)),
        Location::Local(path) => local::glob(path, bad)?,
        Location::Remote(url) if url.scheme() == Scheme::Http => return Err(no_folder(pattern)),
        Location::Remote(url) => {
            let matching = glob::Pattern::new(url.key()).map_err(bad)?;
            Object::connect(url)
                .and_then(|object| object.list(url, Some(&matching)))
                .map_err(Into::into)
        }
    };
    found.map_err(|error| read_error(pattern, error))
}

/// Removes a file or object, if there is one.
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

/// Starts an upload; nothing is sent yet.
pub(crate) fn upload(url: &Url, overwrite: bool) -> Result<Upload, RequestFailure> {
    Ok(Object::connect(url)?.upload(overwrite))
}

/// Waiting for a store ends when this flag becomes the number of a signal.
pub fn stop_on(stop: &Arc<AtomicUsize>) {
    remote::stop_on(stop);
}

fn absent_is_none(
    location: &Location,
    about: io::Result<About>,
) -> Result<Option<About>, StoreError> {
    match about {
        Ok(about) => Ok(Some(about)),
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

fn no_folder(location: &Location) -> StoreError {
    StoreError::NotListed {
        location: location.to_string(),
    }
}
