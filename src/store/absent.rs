//! Replaces the module `remote` in builds without the feature `cloud`. Except for `stop_on`, its functions are never
//! called, because [`Location::parse`](super::Location::parse) refuses the addresses of stores.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::{
    AheadInput, ExistingObject, FileMetadata, ListedFile, ObjectVersion, OpenedInput, PutCondition,
    RequestFailure, SmallObject, Url,
};

pub(super) struct Object;

pub(crate) struct Upload;

fn feature_is_absent<T>() -> Result<T, RequestFailure> {
    let message = "built without the feature cloud";
    Err(RequestFailure::new(io::ErrorKind::Unsupported, message))
}

impl Object {
    pub(super) fn connect(_: &Url) -> Result<Object, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn open(&self) -> Result<OpenedInput, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn metadata(&self) -> Result<FileMetadata, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn delete(&self) -> Result<(), RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn list(
        &self,
        _: &Url,
        _: Option<&glob::Pattern>,
    ) -> Result<Vec<ListedFile>, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn is_folder(&self) -> Result<bool, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn mark(&self) -> Result<Option<String>, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn version(&self) -> Result<ObjectVersion, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn read_small(&self) -> Result<Option<SmallObject>, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn put(&self, _: &[u8], _: &PutCondition) -> Result<ObjectVersion, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn copy_to(&self, _: &Object) -> Result<(), RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn delete_briefly(&self) -> Result<(), RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn upload(self, _: ExistingObject) -> Upload {
        Upload
    }
}

impl Upload {
    pub(crate) fn write(&mut self, _: &[u8]) -> Result<(), RequestFailure> {
        feature_is_absent()
    }

    pub(crate) fn mark(&self) -> String {
        String::new()
    }

    pub(crate) fn commit(self) -> Result<(), RequestFailure> {
        feature_is_absent()
    }
}

pub(super) struct PendingObject;

impl PendingObject {
    pub(super) fn request(_: &Url, _: u64) -> Result<PendingObject, RequestFailure> {
        feature_is_absent()
    }

    pub(super) fn wait(self) -> Result<AheadInput, RequestFailure> {
        feature_is_absent()
    }
}

pub(super) fn stop_on(_: &Arc<AtomicUsize>) {}

/// Nothing is cleaned up in a store.
pub(super) struct CleanUp;

impl CleanUp {
    pub(super) fn start() -> CleanUp {
        CleanUp
    }
}
