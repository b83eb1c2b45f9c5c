//! The form in which paths are stored in the file or object of a claim.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::store::Location;

/// An absolute path, or the address of an object. Serialised as text, or as bytes if it is not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredPath(pub(super) PathBuf);

impl StoredPath {
    pub(super) fn from_path(path: &Path) -> StoredPath {
        let is_local = matches!(Location::from_path(path), Ok(Location::Local(_)));
        let absolute = is_local.then(|| std::path::absolute(path).ok()).flatten();
        StoredPath(absolute.unwrap_or_else(|| path.to_owned()))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PathText {
    Text(String),
    Bytes(Vec<u8>),
}

impl Serialize for StoredPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = match self.0.to_str() {
            Some(text) => PathText::Text(text.to_owned()),
            None => PathText::Bytes(self.0.as_os_str().as_encoded_bytes().to_vec()),
        };
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StoredPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StoredPath, D::Error> {
        Ok(StoredPath(match PathText::deserialize(deserializer)? {
            PathText::Text(text) => PathBuf::from(text),
            PathText::Bytes(bytes) => OsString::from_vec(bytes).into(),
        }))
    }
}
