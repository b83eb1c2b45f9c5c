//! The condition of a put, and what is known of a small object: the claims of outputs are such objects.

use std::time::Duration;

/// The condition of a put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// Whatever is there.
    #[cfg_attr(
        not(feature = "cloud"),
        expect(dead_code, reason = "only uploads of a build with stores put so")
    )]
    Always,
    /// There is no object.
    New,
    /// The object is of this version.
    Replacing(Version),
}

/// The names that a store gives a version of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) e_tag: Option<String>,
    /// The version number, in stores that have one beside the entity tag.
    pub(crate) number: Option<String>,
}

/// A small object.
#[derive(Clone, Debug)]
pub(crate) struct SmallObject {
    pub(crate) bytes: Vec<u8>,
    pub(crate) version: Version,
    /// How long ago it was put, by the clock of the store.
    pub(crate) age: Duration,
}
