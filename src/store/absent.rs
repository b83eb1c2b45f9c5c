//! Replaces object stores where the feature `cloud` is not compiled in. None of it is ever called,
//! because [`Location::parse`](super::Location::parse) refuses the addresses.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::{About, Failure, Found, Opened, Url};

pub(super) struct Object;

pub(crate) struct Upload;

fn absent<T>() -> Result<T, Failure> {
    let message = "built without the feature cloud";
    Err(Failure::new(io::ErrorKind::Unsupported, message))
}

impl Object {
    pub(super) fn connect(_: &Url) -> Result<Object, Failure> {
        absent()
    }

    pub(super) fn open(&self) -> Result<Opened, Failure> {
        absent()
    }

    pub(super) fn about(&self) -> Result<About, Failure> {
        absent()
    }

    pub(super) fn delete(&self) -> Result<(), Failure> {
        absent()
    }

    pub(super) fn list(&self, _: &Url, _: Option<&glob::Pattern>) -> Result<Vec<Found>, Failure> {
        absent()
    }

    pub(super) fn upload(self, _: bool) -> Upload {
        Upload
    }
}

impl Upload {
    pub(crate) fn write(&mut self, _: &[u8]) -> Result<(), Failure> {
        absent()
    }

    pub(crate) fn commit(self) -> Result<(), Failure> {
        absent()
    }
}

pub(super) fn stop_on(_: &Arc<AtomicUsize>) {}
