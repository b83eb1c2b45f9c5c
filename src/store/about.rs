//! What files and objects are known by, and what opening one gives.

use std::io::Read;

use super::location::Location;
use super::random::RandomAccess;

/// What a file or object is known by, for summaries and manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct About {
    /// Its size; `None` for a pipe.
    pub bytes: Option<u64>,
    /// The store's name for this version of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
    /// When it was written, as RFC 3339 in UTC; of objects only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// A file or object that was found in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub location: Location,
    /// Its name below the folder that was asked for, with `/` between the parts.
    pub name: String,
    /// What is known of it.
    pub about: About,
}

/// An input that can be read.
pub struct Opened {
    /// Its bytes from front to back.
    pub reader: Box<dyn Read + Send>,
    /// Its bytes in any order; `None` where they come from a pipe.
    pub random: Option<RandomAccess>,
    /// Its size and version.
    pub about: About,
}
