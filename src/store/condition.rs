//! The condition on which an object is put into a store, and small objects with a version. With such an object a run
//! claims its output.

use std::time::Duration;

/// The condition on which a put takes effect. It is about the object that exists at the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PutCondition {
    /// There is no condition: the put creates the object or replaces it.
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

/// Identifies a version of an object by its ETag, by a version number, or by both, depending on the store.
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
    /// The time since the object was put, measured by the store's clock.
    pub(crate) age: Duration,
}

/// What an upload does if the object exists already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExistingObject {
    /// Replaces the object.
    Replace,
    /// Fails. The text names the option with which the object would be replaced.
    Refuse {
        /// The option as the user gives it.
        unless: String,
    },
}
