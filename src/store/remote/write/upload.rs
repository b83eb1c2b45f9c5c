//! Uploads objects in parts. An object appears in the store only when it is complete.
//!
//! ```text
//! write ─▶ │ part 1 │ part 2 │ part 3 … │   sent while the next one fills; no object yet
//! commit ─▶ sends the last part; then one request turns the parts into an object
//! drop   ─▶ deletes the parts
//! ```
//!
//! An object of one part is put in one request. If no object may be replaced, that request has the condition
//! that the object does not exist, so that only one of two concurrent writers succeeds. A multipart upload
//! cannot be completed conditionally, so the program checks for an object immediately before it completes the
//! upload. If an answer was lost, the object is recognised by its [`WriteMark`].
//!
//! A killed process leaves parts in the bucket, which are not visible as an object. A lifecycle rule of the
//! bucket should delete them after some days.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use object_store::{Error, MultipartUpload, PutMultipartOptions, PutPayload};
use tokio::task::JoinSet;

use super::part_buffer::PartBuffer;
use super::put::WriteMark;
use super::uploads;
use crate::store::late_uploads::remember_unanswered_change;
use crate::store::remote::Object;
use crate::store::remote::explain::explain;
use crate::store::remote::runtime::{runtime, wait_briefly, wait_for, wait_for_change};
use crate::store::remote::transport;
use crate::store::upload_memory::upload_memory;
use crate::store::{ExistingObject, PutCondition, RequestFailure};

/// How many parts of an upload are sent at most, which all stores accept.
const MOST_PARTS: usize = 10_000;

/// The number of open uploads from which on new ones have small parts, since each keeps a part in memory.
const MANY_UPLOADS: usize = 16;

/// The memory of uploads in bytes from which on their parts are large.
const MEMORY_FOR_LARGE_PARTS: u64 = 64 << 20;

/// The number of uploads that are open.
static OPEN_UPLOADS: AtomicUsize = AtomicUsize::new(0);

/// The sizes in bytes of the parts of an upload, except the last part. Some stores require that they are equal, so they
/// only grow if the object would have too many parts.
#[derive(Clone, Copy)]
struct PartSizes {
    first: usize,
    in_flight: usize,
}

impl PartSizes {
    /// Half of the parts of an object are small. With the others, it can have 387 GB, or 361 GB.
    const LATER_BYTES: usize = 64 << 20;

    fn new(open_uploads: usize) -> PartSizes {
        if open_uploads >= MANY_UPLOADS || upload_memory() < MEMORY_FOR_LARGE_PARTS {
            // The smallest part that S3 accepts.
            PartSizes {
                first: 5 << 20,
                in_flight: 1,
            }
        } else {
            PartSizes {
                first: 10 << 20,
                in_flight: 2,
            }
        }
    }

    /// The size of the part after this number of parts; `None` if there can be no more parts.
    fn after(self, sent_parts: usize) -> Option<usize> {
        match sent_parts {
            0..5_000 => Some(self.first),
            5_000..MOST_PARTS => Some(PartSizes::LATER_BYTES),
            _ => None,
        }
    }
}

/// Whether a store has failed to delete the parts of an upload. Only the first failure is reported, and later uploads
/// do not wait for deletions.
static HAS_FAILED_TO_DELETE_PARTS: AtomicBool = AtomicBool::new(false);

pub(crate) struct Upload {
    object: Object,
    mark: WriteMark,
    existing: ExistingObject,
    current_part: PartBuffer,
    part_sizes: PartSizes,
    sent_parts: usize,
    /// The upload in several parts; `None` until the first part is sent.
    multipart_upload: Option<Box<dyn MultipartUpload>>,
    /// Whether the store may have started other uploads of this object, because the answers to some requests were lost.
    has_unanswered_start: bool,
    parts_in_flight: JoinSet<Result<(), RequestFailure>>,
}

impl Upload {
    pub(in crate::store::remote) fn new(object: Object, existing: ExistingObject) -> Upload {
        Upload {
            object,
            mark: WriteMark::random(),
            existing,
            current_part: PartBuffer::default(),
            part_sizes: PartSizes::new(OPEN_UPLOADS.fetch_add(1, Ordering::Relaxed)),
            sent_parts: 0,
            multipart_upload: None,
            has_unanswered_start: false,
            parts_in_flight: JoinSet::new(),
        }
    }

    /// The mark that identifies the uploaded object.
    pub(crate) fn mark(&self) -> String {
        self.mark.to_string()
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> Result<(), RequestFailure> {
        while !bytes.is_empty() {
            let part_bytes =
                (self.part_sizes.after(self.sent_parts)).ok_or_else(too_large_failure)?;
            let (now, later) =
                bytes.split_at(bytes.len().min(part_bytes - self.current_part.len()));
            self.current_part.append(now)?;
            bytes = later;
            if self.current_part.len() == part_bytes {
                self.send_part()?;
            }
        }
        Ok(())
    }

    /// Starts sending the current part, which is full or is the last one.
    fn send_part(&mut self) -> Result<(), RequestFailure> {
        while self.parts_in_flight.len() >= self.part_sizes.in_flight {
            self.wait_for_part()?;
        }
        let (part, memory) = self.current_part.take()?;
        let payload = PutPayload::from(part);
        self.sent_parts += 1;
        let multipart = match &mut self.multipart_upload {
            Some(parts) => parts,
            None => {
                let Object { store, path, .. } = &self.object;
                let options = PutMultipartOptions::from(self.mark.attributes());
                let started = store.put_multipart_opts(path, options);
                let started = async { started.await.map_err(|error| explain(&error)) };
                let unanswered_before = transport::unanswered_starts();
                let started = wait_for_change(started);
                // The counter also counts the uploads of other objects. If the lost answer was about one of those, a
                // later listing of this object's uploads is empty.
                // After a signal, the store may still start the upload that was given up.
                let is_given_up =
                    (started.as_ref().err()).is_some_and(|failure| failure.signal().is_some());
                self.has_unanswered_start =
                    is_given_up || transport::unanswered_starts() != unanswered_before;
                self.multipart_upload.insert(started?)
            }
        };
        let part_request = multipart.put_part(payload);
        self.parts_in_flight.spawn_on(
            async move {
                let sent = part_request.await.map_err(|error| explain(&error));
                drop(memory);
                sent
            },
            runtime()?.handle(),
        );
        Ok(())
    }

    /// Waits until the store has received one of the parts that are being sent. Returns false if no part is being sent.
    fn wait_for_part(&mut self) -> Result<bool, RequestFailure> {
        let in_flight = &mut self.parts_in_flight;
        wait_for(async {
            match in_flight.join_next().await {
                Some(Ok(sent)) => sent.map(|()| true),
                Some(Err(error)) => {
                    Err(RequestFailure::new(io::ErrorKind::Other, error.to_string()))
                }
                None => Ok(false),
            }
        })
    }

    /// Completes the upload, which creates the object.
    pub(crate) fn commit(mut self) -> Result<(), RequestFailure> {
        if self.multipart_upload.is_none() {
            return self.put_as_one();
        }
        if self.current_part.len() > 0 {
            self.send_part()?;
        }
        while self.wait_for_part()? {}
        if let ExistingObject::Refuse { unless } = &self.existing {
            self.refuse_existing(unless)?;
        }
        if let Some(parts) = &mut self.multipart_upload {
            let completed =
                wait_for_change(async { parts.complete().await.map_err(|error| explain(&error)) });
            if let Err(failure) = completed {
                // If the answer to a first request to complete the upload was lost, the upload is complete, and the
                // store no longer knows its id.
                let is_done = failure.signal().is_none()
                    && (self.object.read_present()).is_ok_and(|there| {
                        there.is_some_and(|present| present.has_mark(&self.mark))
                    });
                if !is_done {
                    if failure.signal().is_none() {
                        remember_unanswered_change();
                    }
                    return Err(failure);
                }
            }
        }
        self.multipart_upload = None;
        Ok(())
    }

    /// Deletes uploads of this object that were started although the answer was lost.
    fn abort_left_uploads(&mut self) {
        if !std::mem::take(&mut self.has_unanswered_start)
            || HAS_FAILED_TO_DELETE_PARTS.load(Ordering::Relaxed)
        {
            return;
        }
        let mut abort_result = Err(no_answer_failure());
        wait_briefly(async { abort_result = uploads::abort_uploads_of(&self.object).await });
        if let Err(failure) = abort_result {
            self.report_open_upload(&failure);
        }
    }

    fn report_open_upload(&self, failure: &RequestFailure) {
        if !HAS_FAILED_TO_DELETE_PARTS.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "{}: the parts of an unfinished upload could not be removed ({failure}): they cost storage \
                 until a lifecycle rule of the bucket removes them (AbortIncompleteMultipartUpload)",
                self.object.path
            );
        }
    }

    /// Puts the whole object in one request.
    fn put_as_one(&mut self) -> Result<(), RequestFailure> {
        let (part, _memory) = self.current_part.take()?;
        let payload = PutPayload::from(part);
        let condition = if self.existing == ExistingObject::Replace {
            PutCondition::Always
        } else {
            PutCondition::New
        };
        let put = self.object.put_marked(&payload, &condition, &self.mark);
        let failure = match put {
            Ok(_) => return Ok(()),
            Err(failure) => failure,
        };
        if failure.kind() == io::ErrorKind::AlreadyExists
            && self.existing != ExistingObject::Replace
            && let Ok(Some(present)) = self.object.read_present()
            && present.is_late()
        {
            let condition = PutCondition::Replacing(present.into_version());
            return (self.object.put_marked(&payload, &condition, &self.mark)).map(drop);
        }
        Err(failure)
    }

    fn refuse_existing(&self, unless: &str) -> Result<(), RequestFailure> {
        match self.object.read_present() {
            Ok(None) => Ok(()),
            Ok(Some(present)) if present.is_late() => Ok(()),
            Ok(Some(_)) => Err(RequestFailure::new(
                io::ErrorKind::AlreadyExists,
                "it exists already",
            )),
            Err(failure) if failure.kind() == io::ErrorKind::PermissionDenied => {
                Err(RequestFailure::new(
                    io::ErrorKind::PermissionDenied,
                    format!(
                        "without the right to list the bucket (s3:ListBucket) nobody can tell whether it exists \
                     already: give {unless}, or the right"
                    ),
                ))
            }
            Err(failure) => Err(failure),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        OPEN_UPLOADS.fetch_sub(1, Ordering::Relaxed);
        let Some(mut parts) = self.multipart_upload.take() else {
            self.abort_left_uploads();
            return;
        };
        let mut in_flight = std::mem::take(&mut self.parts_in_flight);
        if HAS_FAILED_TO_DELETE_PARTS.load(Ordering::Relaxed) {
            in_flight.abort_all();
            return;
        }
        let mut aborted = Err(no_answer_failure());
        wait_briefly(async {
            in_flight.shutdown().await;
            aborted = match parts.abort().await {
                Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(explain(&error)),
            };
        });
        match aborted {
            Ok(()) => self.abort_left_uploads(),
            Err(failure) => self.report_open_upload(&failure),
        }
    }
}

fn no_answer_failure() -> RequestFailure {
    RequestFailure::new(io::ErrorKind::TimedOut, "the store did not answer")
}

/// The failure of an upload that would have too many parts. Another run would fail as well.
fn too_large_failure() -> RequestFailure {
    RequestFailure::new(
        io::ErrorKind::InvalidInput,
        format!(
            "an object can be uploaded in {MOST_PARTS} parts, and has more bytes: write a folder, or several shards"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: an object of more than 104 GB failed at its last part.
    #[test]
    fn parts_grow_and_many_uploads_have_small_ones() {
        let largest = |open_uploads| {
            let sizes = PartSizes::new(open_uploads);
            assert_eq!(sizes.after(MOST_PARTS), None);
            let parts = (0..MOST_PARTS).map_while(|sent| sizes.after(sent));
            parts.map(|bytes| bytes as u64).sum::<u64>() / 1_000_000_000
        };
        assert_eq!(largest(0), 387);
        assert_eq!(largest(MANY_UPLOADS), 361);
        assert_eq!(PartSizes::new(MANY_UPLOADS).after(0), Some(5 << 20));
    }
}
