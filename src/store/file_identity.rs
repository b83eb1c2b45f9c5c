//! Recognises a file by what it is, however its path is spelled.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::archive_path::canonicalize;
use super::{Location, UrlScheme, path_text};

/// Identifies a file or an object. Two names of the same file give a common value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileIdentity {
    /// The path with all links resolved, or the path itself if there is no such file.
    Path(PathBuf),
    /// The device and the inode number of a file with several hard links.
    HardLinked(u64, u64),
    /// The kind of store, and the address without its scheme: `s3://` and `s3a://` name the same object.
    Object(UrlScheme, String),
}

impl FileIdentity {
    /// The values that identify this input. A file with several hard links has two.
    pub(crate) fn from_input(input: &str) -> impl Iterator<Item = FileIdentity> {
        let path = match Location::parse(input) {
            Ok(Location::Local(path)) => path,
            Ok(Location::Remote(url)) => {
                let (scheme, address) = url.kind_and_address();
                let object = FileIdentity::Object(scheme, address.to_owned());
                return [Some(object), None].into_iter().flatten();
            }
            _ => PathBuf::from(input),
        };
        let hard_link = fs::metadata(&path).ok().and_then(|metadata| {
            let is_linked = metadata.is_file() && metadata.nlink() > 1;
            is_linked.then(|| FileIdentity::HardLinked(metadata.dev(), metadata.ino()))
        });
        // A missing file is reported when it is opened.
        let canonical_path = canonicalize(&path).unwrap_or(path);
        let path = FileIdentity::Path(canonical_path);
        [Some(path), hard_link].into_iter().flatten()
    }
}

/// The absolute path of a local input, with all links resolved. For a file in an archive, only the archive has to exist.
/// `None` for other inputs, and for a file that does not exist.
pub(crate) fn real_path(input: &str) -> Option<String> {
    let Ok(Location::Local(path)) = Location::parse(input) else {
        return None;
    };
    Some(path_text(&canonicalize(&path).ok()?))
}
