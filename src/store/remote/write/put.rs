//! Puts an object into a store in one request, if a condition is met.
//!
//! The answer to a put can be lost although the put took effect. The request is then repeated, and its condition
//! fails because of the object that the first request has put. Every put therefore stores a mark in the object's
//! metadata: a random number by which this program recognises the object as its own.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::{Duration, Instant};

use object_store::{
    Attribute, Attributes, Error, GetOptions, ObjectMeta, ObjectStoreExt, PutMode, PutOptions,
    PutPayload, PutResult, UpdateVersion,
};

use crate::store::late_uploads::{is_late_mark, remember_unanswered_change};
use crate::store::remote::Object;
use crate::store::remote::clock;
use crate::store::remote::explain::explain;
use crate::store::remote::runtime::{request_timeout, wait_briefly, wait_for, wait_for_change};
use crate::store::{ObjectVersion, PutCondition, RequestFailure, SmallObject, run_id};

/// The metadata key of the mark. It consists of letters, because Azure accepts no other characters.
const MARK_ATTRIBUTE: &str = "pipelinewrite";

/// The maximum number of requests to read a small object if the answers break off.
const MOST_TRIES: u32 = 5;

/// The pause before a put is repeated, if the store refused it because of another put at the same time.
const PAUSE_BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// A random mark in the metadata of an object, which identifies the upload that created it. It starts with the id of the
/// run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WriteMark(String);

impl WriteMark {
    pub(super) fn random() -> WriteMark {
        let number = RandomState::new().hash_one(0);
        WriteMark(format!("{}{number:016x}", run_id()))
    }

    /// The attributes for writing an object, which put this mark into its metadata.
    pub(super) fn attributes(&self) -> Attributes {
        let name = Attribute::Metadata(MARK_ATTRIBUTE.into());
        Attributes::from_iter([(name, self.0.clone())])
    }
}

impl fmt::Display for WriteMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The mark and the version of an object that exists.
pub(super) struct PresentObject {
    mark: Option<String>,
    version: ObjectVersion,
}

impl From<&ObjectMeta> for ObjectVersion {
    fn from(meta: &ObjectMeta) -> ObjectVersion {
        ObjectVersion {
            e_tag: meta.e_tag.clone(),
            version_number: meta.version.clone(),
        }
    }
}

impl From<PutResult> for ObjectVersion {
    fn from(put: PutResult) -> ObjectVersion {
        ObjectVersion {
            e_tag: put.e_tag,
            version_number: put.version,
        }
    }
}

impl PresentObject {
    pub(super) fn has_mark(&self, mark: &WriteMark) -> bool {
        self.mark.as_ref() == Some(&mark.0)
    }

    /// Whether a late upload of an earlier run has made the object, which this run may then replace.
    pub(super) fn is_late(&self) -> bool {
        self.mark.as_deref().is_some_and(is_late_mark)
    }

    pub(super) fn into_version(self) -> ObjectVersion {
        self.version
    }
}

impl Object {
    /// The mark and the version of the object; `None` if it does not exist.
    pub(super) fn read_present(&self) -> Result<Option<PresentObject>, RequestFailure> {
        let options = GetOptions {
            head: true,
            ..GetOptions::default()
        };
        let response = wait_for(async { Ok(self.store.get_opts(&self.path, options).await) })?;
        match response {
            Ok(got) => Ok(Some(PresentObject {
                mark: (got
                    .attributes
                    .get(&Attribute::Metadata(MARK_ATTRIBUTE.into())))
                .map(|mark| mark.as_ref().to_owned()),
                version: ObjectVersion::from(&got.meta),
            })),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(explain(&error)),
        }
    }

    /// The version of the object. It is an error if the object does not exist.
    pub(in crate::store) fn version(&self) -> Result<ObjectVersion, RequestFailure> {
        let missing_object = || {
            RequestFailure::new(
                io::ErrorKind::NotFound,
                "the list of the store has it, but it is not there",
            )
        };
        Ok(self.read_present()?.ok_or_else(missing_object)?.version)
    }

    /// Reads a small object; `None` if there is none.
    pub(in crate::store) fn read_small(&self) -> Result<Option<SmallObject>, RequestFailure> {
        wait_for(async {
            let mut try_count = 0;
            loop {
                let response = match self.store.get_opts(&self.path, GetOptions::default()).await {
                    Ok(got) => got,
                    Err(Error::NotFound { .. }) => return Ok(None),
                    Err(error) => return Err(explain(&error)),
                };
                let meta = response.meta.clone();
                try_count += 1;
                match response.bytes().await {
                    Ok(bytes) => {
                        return Ok(Some(SmallObject {
                            bytes: bytes.into(),
                            version: ObjectVersion::from(&meta),
                            age: (clock::store_time().duration_since(meta.last_modified.into()))
                                .unwrap_or_default(),
                        }));
                    }
                    Err(_) if try_count < MOST_TRIES => {}
                    Err(error) => return Err(explain(&error)),
                }
            }
        })
    }

    /// The mark of the object; `None` if the object does not exist, or if another program has put it, without a mark.
    pub(in crate::store) fn mark(&self) -> Result<Option<String>, RequestFailure> {
        Ok(self.read_present()?.and_then(|present| present.mark))
    }

    /// Puts a small object. If `condition` is not met, the kind of the error is `AlreadyExists`.
    pub(in crate::store) fn put(
        &self,
        bytes: &[u8],
        condition: &PutCondition,
    ) -> Result<ObjectVersion, RequestFailure> {
        let payload = PutPayload::from(bytes.to_vec());
        self.put_marked(&payload, condition, &WriteMark::random())
    }

    /// Puts the object with this mark, and returns its version. If `condition` is not met, the kind of the error
    /// is `AlreadyExists`.
    pub(super) fn put_marked(
        &self,
        payload: &PutPayload,
        condition: &PutCondition,
        mark: &WriteMark,
    ) -> Result<ObjectVersion, RequestFailure> {
        let put = self.put_with_retries(payload, condition, mark);
        let kinds = [io::ErrorKind::Other, io::ErrorKind::TimedOut];
        // A put that a signal has stopped is remembered where that happens.
        if let Err(failure) = &put
            && failure.signal().is_none()
            && kinds.contains(&failure.kind())
        {
            remember_unanswered_change();
        }
        put
    }

    fn put_with_retries(
        &self,
        payload: &PutPayload,
        condition: &PutCondition,
        mark: &WriteMark,
    ) -> Result<ObjectVersion, RequestFailure> {
        let start_time = Instant::now();
        let mut mode = match condition {
            PutCondition::Always => PutMode::Overwrite,
            PutCondition::New => PutMode::Create,
            PutCondition::Replacing(version) => PutMode::Update(UpdateVersion {
                e_tag: version.e_tag.clone(),
                version: version.version_number.clone(),
            }),
        };
        loop {
            let options = PutOptions {
                mode: mode.clone(),
                attributes: mark.attributes(),
                ..PutOptions::default()
            };
            let put = self.store.put_opts(&self.path, payload.clone(), options);
            let error = match wait_for_change(async { Ok(put.await) })? {
                Ok(put) => return Ok(put.into()),
                Err(error) => error,
            };
            let is_refused = match error {
                // The store has no conditional puts, or its configuration disables them.
                Error::NotImplemented { .. } | Error::NotSupported { .. } => {
                    self.check_condition(condition)?;
                    mode = PutMode::Overwrite;
                    continue;
                }
                Error::AlreadyExists { .. } | Error::Precondition { .. } => true,
                Error::Generic { .. } => false,
                error => return Err(explain(&error)),
            };
            // The time limit for retries has been reached.
            if !is_refused && start_time.elapsed() >= request_timeout() / 2 {
                return Err(explain(&error));
            }
            match self.read_present() {
                Ok(Some(present)) if present.has_mark(mark) => return Ok(present.version),
                Ok(Some(_)) if is_refused => return Err(condition_failure()),
                // If two processes put an object at the same time, the store can refuse both puts. This one is then
                // repeated.
                Ok(None)
                    if is_refused
                        && *condition == PutCondition::New
                        && start_time.elapsed() < request_timeout() =>
                {
                    std::thread::sleep(PAUSE_BETWEEN_TRIES);
                }
                Ok(None) if is_refused => return Err(condition_failure()),
                _ => return Err(explain(&error)),
            }
        }
    }

    /// Checks the condition of a put with a separate request, for stores that have no conditional puts. Between the two
    /// requests, another process can put the object.
    fn check_condition(&self, condition: &PutCondition) -> Result<(), RequestFailure> {
        let condition_holds = match condition {
            PutCondition::Always => true,
            PutCondition::New => self.read_present()?.is_none(),
            PutCondition::Replacing(version) => {
                let present = self.read_present()?;
                present.is_some_and(|present| present.version == *version)
            }
        };
        if condition_holds {
            Ok(())
        } else {
            Err(condition_failure())
        }
    }

    /// Copies the object within its store.
    pub(in crate::store) fn copy_to(&self, other: &Object) -> Result<(), RequestFailure> {
        wait_for_change(async {
            let copied = self.store.copy(&self.path, &other.path).await;
            copied.map_err(|error| explain(&error))
        })
    }

    /// Deletes the object, even after a signal to stop, but waits at most ten seconds.
    pub(in crate::store) fn delete_briefly(&self) -> Result<(), RequestFailure> {
        let mut result = Err(RequestFailure::new(io::ErrorKind::TimedOut, "it timed out"));
        wait_briefly(async {
            let deleted = self.store.delete(&self.path).await;
            result = deleted.map_err(|error| explain(&error));
        });
        result
    }
}

fn condition_failure() -> RequestFailure {
    RequestFailure::new(io::ErrorKind::AlreadyExists, "it exists already")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use object_store::memory::InMemory;
    use object_store::path::Path;

    use super::*;

    #[test]
    fn a_condition_that_its_own_put_has_broken_holds() {
        let object = Object {
            store: Arc::new(InMemory::new()),
            lister: None,
            path: Path::from("a"),
        };
        let (one, other) = (WriteMark::random(), WriteMark::random());
        let put = |bytes: &'static [u8], condition: &PutCondition, mark: &WriteMark| {
            object.put_marked(&PutPayload::from_static(bytes), condition, mark)
        };
        let first_version = put(b"1", &PutCondition::New, &one).unwrap();
        // Puts the object again, as if the answer to the first put had been lost.
        assert_eq!(
            put(b"1", &PutCondition::New, &one).unwrap().e_tag,
            first_version.e_tag
        );
        let conflict = put(b"2", &PutCondition::New, &other).unwrap_err();
        assert_eq!(conflict.kind(), io::ErrorKind::AlreadyExists);
        let replace_first = PutCondition::Replacing(first_version);
        let second_version = put(b"2", &replace_first, &other).unwrap();
        assert_eq!(
            put(b"2", &replace_first, &other).unwrap().e_tag,
            second_version.e_tag
        );
        assert!(put(b"3", &replace_first, &one).is_err());
        assert_eq!(object.mark().unwrap(), Some(other.to_string()));
    }
}
