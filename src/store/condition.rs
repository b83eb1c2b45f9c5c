//! The condition of a put request, and a small object with its version. Runs claim their outputs with such
//! objects.

use std::time::Duration;

/// The condition on the existing object under which a put takes effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PutCondition {
    /// No condition: the put creates the object or replaces it.
    #[cfg_attr(
        not(feature = "cloud"),
        expect(dead_code, reason = "only uploads of a build with stores put so")
    )]
    Always,
    /// The put takes effect only if the object does not exist.
    New,
    /// The put takes effect only if the object exists and has this version.
    Replacing(ObjectVersion),
}

/// Identifies a version of an object, by its ETag, a version number, or both, depending on the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectVersion {
    pub(crate) e_tag: Option<String>,
    /// The version number; `None` in stores that only have ETags.
    pub(crate) version_number: Option<String>,
}

/// A small object of a store: its content, version and age.
#[derive(Clone, Debug)]
pub(crate) struct SmallObject {
    pub(crate) bytes: Vec<u8>,
    pub(crate) version: ObjectVersion,
    /// The time since the object was put, by the clock of the store.
    pub(crate) age: Duration,
}
