//! The condition of a put request, and a small object with its version. Claims of outputs are small
//! objects.

use std::time::Duration;

/// What must be true of an object before a put may replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PutCondition {
    /// No condition: the put creates the object or replaces it.
    #[cfg_attr(
        not(feature = "cloud"),
        expect(dead_code, reason = "only uploads of a build with stores put so")
    )]
    Always,
    /// The object does not exist.
    New,
    /// The object exists and has this version.
    Replacing(ObjectVersion),
}

/// The identifiers of a version of an object. A store gives one or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectVersion {
    pub(crate) e_tag: Option<String>,
    /// The version number, in stores that have one beside the entity tag.
    pub(crate) version_number: Option<String>,
}

/// The content of a small object.
#[derive(Clone, Debug)]
pub(crate) struct SmallObject {
    pub(crate) bytes: Vec<u8>,
    pub(crate) version: ObjectVersion,
    /// The time since the object was put, by the clock of the store.
    pub(crate) age: Duration,
}
