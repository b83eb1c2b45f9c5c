//! The rows of a stream that have not been read, and who reads them.

use std::sync::{Mutex, PoisonError};

use arrow::array::RecordBatch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sudoku_pipeline::batches::{BatchStream, StreamItem};
use sudoku_pipeline::error::Error;

use crate::signals::POLL_INTERVAL;

/// The id of the process that created a stream. In a forked child, the threads of the stream do not exist,
/// and its locks may be held forever.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct CreatorProcess(u32);

impl CreatorProcess {
    pub(super) fn current() -> CreatorProcess {
        CreatorProcess(std::process::id())
    }

    /// The error message if this is another process; `None` in the process that created the stream.
    pub(super) fn refusal(self) -> Option<String> {
        (self != CreatorProcess::current()).then(|| {
            format!(
                "the stream belongs to the process {}, which this one was forked from: call the function again here",
                self.0
            )
        })
    }
}

/// The rows that have not been read, and the state of their readers.
pub(super) struct StreamRows {
    pub(super) stream: BatchStream,
    /// A batch that was displayed but not read, or the error that came instead of a batch.
    pub(super) unread_batch: Option<Result<RecordBatch, Error>>,
    /// The number of rows that have been read.
    pub(super) read: u64,
    /// Who has read the rows, or reads them.
    pub(super) reader: Reader,
    /// The rows of the rejects in the input. They are kept when the rejects themselves are taken.
    pub(super) reject_rows: Vec<u64>,
}

/// Who has read the rows of a stream, which can be read once.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reader {
    /// Nobody yet, or a loop over the batches.
    Loop,
    /// A loop that has come to the end.
    FinishedLoop,
    /// A conversion, or a library with the Arrow interface.
    Conversion,
    /// Nobody: the stream was closed.
    Closed,
}

impl Reader {
    /// The error of another reader; `None` if the rows can be read.
    pub(super) fn refusal(self) -> Option<PyErr> {
        let what = match self {
            Reader::Loop => return None,
            Reader::FinishedLoop | Reader::Conversion => "has been read already",
            Reader::Closed => "was closed",
        };
        let message = format!("the stream {what}: call the function again for another one");
        Some(PyValueError::new_err(message))
    }
}

/// The reason why there is no next batch.
pub(super) enum Stopped {
    Failed(Error),
    /// A signal handler has raised this exception.
    Interrupted(PyErr),
}

impl StreamRows {
    /// The rows of a stream that nobody has read.
    pub(super) fn new(stream: BatchStream) -> StreamRows {
        StreamRows {
            stream,
            unread_batch: None,
            read: 0,
            reader: Reader::Loop,
            reject_rows: Vec::new(),
        }
    }

    /// Waits for the next batch. Meanwhile other Python threads can run, and signals are handled.
    pub(super) fn next(rows: &Mutex<StreamRows>) -> Result<Option<RecordBatch>, Stopped> {
        // The lock on the rows is only held during this statement.
        let unread_batch = StreamRows::lock(rows).unread_batch.take();
        if let Some(unread_batch) = unread_batch {
            return match unread_batch {
                Ok(batch) => {
                    StreamRows::lock(rows).read += batch.num_rows() as u64;
                    Ok(Some(batch))
                }
                Err(error) => Err(Stopped::Failed(error)),
            };
        }
        loop {
            // The interpreter's lock is released while waiting, whether or not the caller holds it.
            let waited = Python::try_attach(|py| {
                let next = py.detach(|| StreamRows::wait(rows));
                py.check_signals().map(|()| next)
            });
            let next = match waited {
                Some(Ok(next)) => next,
                Some(Err(interrupted)) => {
                    StreamRows::lock(rows).stream.stop();
                    return Err(Stopped::Interrupted(interrupted));
                }
                // The interpreter is shutting down.
                None => StreamRows::wait(rows),
            };
            match next.map_err(Stopped::Failed)? {
                StreamItem::Rows(batch) => {
                    StreamRows::lock(rows).read += batch.num_rows() as u64;
                    return Ok(Some(batch));
                }
                StreamItem::End => return Ok(None),
                StreamItem::Waiting => {}
            }
        }
    }

    fn wait(rows: &Mutex<StreamRows>) -> Result<StreamItem, Error> {
        StreamRows::lock(rows).stream.next_within(POLL_INTERVAL)
    }

    pub(super) fn lock(rows: &Mutex<StreamRows>) -> std::sync::MutexGuard<'_, StreamRows> {
        rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamRows {
    /// Keeps the rows of the rejects, before the rejects are taken.
    pub(super) fn keep_reject_rows(&mut self) {
        let rows = self.stream.reject_rows();
        if !rows.is_empty() {
            self.reject_rows = rows;
        }
    }

    /// Waits a short time for the next batch, and keeps it. Returns whether a batch, an error or the end
    /// has arrived.
    pub(super) fn look_ahead(&mut self) -> bool {
        if self.unread_batch.is_some() {
            return true;
        }
        match self.stream.next_within(POLL_INTERVAL) {
            Ok(StreamItem::Rows(batch)) => self.unread_batch = Some(Ok(batch)),
            Ok(StreamItem::Waiting) => return false,
            Ok(StreamItem::End) => {}
            Err(error) => self.unread_batch = Some(Err(error)),
        }
        true
    }
}
