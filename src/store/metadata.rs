//! The metadata of files and objects, and the results of listing and opening them.

use std::io::Read;
use std::time::SystemTime;

use super::location::Location;
use super::random::RandomAccess;
use super::watch::ReadWatch;

/// Size and version of a file or object, for summaries and manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileMetadata {
    /// Its size; `None` for a pipe.
    pub bytes: Option<u64>,
    /// The ETag: the store's name for this version of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
    /// When the object was written, as RFC 3339 in UTC. Local files have no such time here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// When a file on disk was last written to.
    #[serde(skip)]
    pub modified: Option<SystemTime>,
}

/// A file or object that was found in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Where it is.
    pub location: Location,
    /// Its name relative to the listed folder, with `/` between the parts.
    pub name: String,
    /// Its size and version.
    pub metadata: FileMetadata,
}

/// An input that can be read.
pub struct OpenedInput {
    /// Its bytes from front to back.
    pub reader: Box<dyn Read + Send>,
    /// Its bytes in any order; `None` where they come from a pipe.
    pub random: Option<RandomAccess>,
    /// Its size and version.
    pub metadata: FileMetadata,
    /// The errors and changes noticed while it is read.
    pub watch: ReadWatch,
}

impl OpenedInput {
    /// Keeps the errors of all reads in [`OpenedInput::watch`].
    pub(crate) fn watched(self) -> OpenedInput {
        OpenedInput {
            reader: self.watch.reader(self.reader),
            random: self.random.map(|random| random.watched(&self.watch)),
            ..self
        }
    }
}
