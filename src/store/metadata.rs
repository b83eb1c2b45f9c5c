//! The size and version of files and objects, and the results of listing and opening them.

use std::io::Read;
use std::time::SystemTime;

use super::location::Location;
use super::random::RandomAccess;
use super::watch::ReadWatch;

/// The size and version of a file or object. Summaries and manifests state them.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileMetadata {
    /// The size in bytes; `None` for a pipe.
    pub bytes: Option<u64>,
    /// The ETag, which is a store's name for one version of an object; `None` for local files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
    /// The time at which the object was written, as RFC 3339 in UTC; `None` for local files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The modification time of a local file; `None` for objects.
    #[serde(skip)]
    pub modified: Option<SystemTime>,
}

impl FileMetadata {
    /// The version of an object, as manifests state it: its ETag, or the time at which it was written.
    pub(crate) fn version(&self) -> Option<String> {
        self.e_tag.clone().or_else(|| self.last_modified.clone())
    }
}

/// A file or object that a listing of a folder or pattern found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// The location of the file.
    pub location: Location,
    /// The file's name relative to the listed folder, with `/` between its parts.
    pub name: String,
    /// The size and version of the file.
    pub metadata: FileMetadata,
}

/// An opened input: its bytes, its size and version, and the object that records read errors.
pub struct OpenedInput {
    /// Reads the bytes from the first to the last.
    pub reader: Box<dyn Read + Send>,
    /// Reads the bytes at any position; `None` for a pipe.
    pub random: Option<RandomAccess>,
    /// The size and version when the input was opened.
    pub metadata: FileMetadata,
    /// Records read errors, and notices changes of the file since it was opened.
    pub watch: ReadWatch,
}

impl OpenedInput {
    /// Wraps the readers of the input, so that [`OpenedInput::watch`] records their errors.
    pub(crate) fn with_watched_reader(self) -> OpenedInput {
        OpenedInput {
            reader: self.watch.reader(self.reader),
            random: self.random.map(|random| random.with_watch(&self.watch)),
            ..self
        }
    }
}
