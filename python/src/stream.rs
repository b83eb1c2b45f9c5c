//! A stream of rows that are computed while they are read, by Python code or by other libraries.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arrow::array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sudoku_pipeline::batches::{BatchOptions, BatchStream, StreamItem};
use sudoku_pipeline::error::Error;

use crate::cells::Cells;
use crate::errors::{bug, exception, text, usage};
use crate::exchange::array::Batch;
use crate::exchange::capsule::STREAM_NAME;
use crate::exchange::collected::Collected;
use crate::exchange::rejects::RejectStream;
use crate::exchange::schema::Schema;
use crate::preview;
use crate::signals::POLL_INTERVAL;
use crate::table;

/// The longest time that displaying a stream waits for its first rows.
const FIRST_ROWS: Duration = Duration::from_secs(2);

/// Rows that are computed while they are read, on all cores, in order. They can be read once: by iterating
/// over the stream, or by a library with the Arrow interface.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct Stream {
    schema: SchemaRef,
    rows: Arc<Mutex<StreamRows>>,
    owner: CreatorProcess,
}

/// The id of the process that created a stream. In a forked child, the threads of the stream do not exist,
/// and its locks may be held forever.
#[derive(Clone, Copy, PartialEq)]
struct CreatorProcess(u32);

impl CreatorProcess {
    fn current() -> CreatorProcess {
        CreatorProcess(std::process::id())
    }

    /// The error message if this is another process; `None` in the process that created the stream.
    fn refusal(self) -> Option<String> {
        (self != CreatorProcess::current()).then(|| {
            format!(
                "the stream belongs to the process {}, which this one was forked from: call the function again here",
                self.0
            )
        })
    }
}

/// The rows that have not been read, and the state of their readers.
struct StreamRows {
    stream: BatchStream,
    /// A batch that was displayed but not read, or the error that came instead of a batch.
    unread_batch: Option<Result<RecordBatch, Error>>,
    /// The number of rows that have been read.
    read: u64,
    /// Who has read the rows, or reads them.
    reader: Reader,
    /// The rows of the rejects in the input. They are kept when the rejects themselves are taken.
    reject_rows: Vec<u64>,
}

/// Who has read the rows of a stream, which can be read once.
#[derive(Clone, Copy, PartialEq)]
enum Reader {
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
    fn refusal(self) -> Option<PyErr> {
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
enum Stopped {
    Failed(Error),
    /// A signal handler has raised this exception.
    Interrupted(PyErr),
}

impl StreamRows {
    /// Waits for the next batch. Meanwhile other Python threads can run, and signals are handled.
    fn next(rows: &Mutex<StreamRows>) -> Result<Option<RecordBatch>, Stopped> {
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

    fn lock(rows: &Mutex<StreamRows>) -> std::sync::MutexGuard<'_, StreamRows> {
        rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    pub(crate) fn new(stream: BatchStream) -> Stream {
        Stream {
            schema: stream.schema().clone(),
            rows: Arc::new(Mutex::new(StreamRows {
                stream,
                unread_batch: None,
                read: 0,
                reader: Reader::Loop,
                reject_rows: Vec::new(),
            })),
            owner: CreatorProcess::current(),
        }
    }

    /// Fails in a process that was forked from the one that created the stream.
    fn must_be_own(&self, py: Python<'_>) -> PyResult<()> {
        let refusal = self.owner.refusal();
        refusal.map_or(Ok(()), |message| Err(usage(py, &message)))
    }

    /// Fails if the stream has been read or closed.
    fn must_be_unread(&self, py: Python<'_>) -> PyResult<()> {
        self.must_be_own(py)?;
        let reader = self.with_rows(py, |rows| rows.reader);
        reader.refusal().map_or(Ok(()), Err)
    }

    /// The next batch for a conversion, which from now on is the only reader.
    fn batch_for_conversion(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        self.with_rows(py, |rows| rows.reader = Reader::Conversion);
        self.batch(py)
    }

    /// The next batch for a reader in Python; `None` at the end.
    fn batch(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        match StreamRows::next(&self.rows) {
            Ok(batch) => Ok(batch),
            Err(Stopped::Failed(error)) => Err(exception(py, &error)),
            Err(Stopped::Interrupted(raised)) => Err(raised),
        }
    }

    /// Calls a function with the rows, while other Python threads can run.
    fn with_rows<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut StreamRows) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut StreamRows::lock(&self.rows)))
    }

    /// Fails if the stream has not been read to its end, because counts and rejects are not known yet.
    fn must_have_ended(&self, py: Python<'_>) -> PyResult<()> {
        self.must_be_own(py)?;
        if self.with_rows(py, |rows| {
            rows.unread_batch.is_none() && rows.stream.has_ended()
        }) {
            Ok(())
        } else {
            Err(PyValueError::new_err(
                "the stream has not been read to its end: rejects and counts are known then",
            ))
        }
    }
}

#[pymethods]
impl Stream {
    /// The columns of the rows.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        crate::exchange::schema::schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        self.must_be_own(py)?;
        let refusal = self.with_rows(py, |rows| {
            let reader = rows.reader;
            if reader == Reader::Loop {
                rows.reader = Reader::Conversion;
            }
            reader.refusal()
        });
        refusal.map_or(Ok(()), Err)?;
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(ArrowReader {
            schema: self.schema.clone(),
            rows: self.rows.clone(),
            owner: self.owner,
        });
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM_NAME)
    }

    /// The batches. A second loop fails instead of finding none.
    fn __iter__<'py>(this: PyRef<'py, Self>, py: Python<'py>) -> PyResult<PyRef<'py, Self>> {
        this.must_be_unread(py)?;
        Ok(this)
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        self.must_be_own(py)?;
        match self.with_rows(py, |rows| rows.reader) {
            // An iterator that has ended, or was closed, stays at its end.
            Reader::FinishedLoop | Reader::Closed => return Ok(None),
            reader => reader.refusal().map_or(Ok(()), Err)?,
        }
        let batch = self.batch(py)?;
        if batch.is_none() {
            self.with_rows(py, |rows| rows.reader = Reader::FinishedLoop);
        }
        Ok(batch.map(Batch))
    }

    /// The number of rows that have been read.
    #[getter]
    fn _rows_read(&self, py: Python<'_>) -> PyResult<u64> {
        self.must_be_own(py)?;
        Ok(self.with_rows(py, |rows| rows.read))
    }

    /// Whether the stream has been read to its end, or closed.
    #[getter]
    fn _has_ended(&self, py: Python<'_>) -> PyResult<bool> {
        self.must_be_own(py)?;
        Ok(self.with_rows(py, |rows| {
            rows.unread_batch.is_none() && rows.stream.has_ended()
        }))
    }

    /// The next rows as lists of texts, with None for nulls. They can still be read afterwards. Returns None
    /// if a library reads the stream, and an empty list if no rows arrive within two seconds.
    fn _preview(&self, py: Python<'_>, most: usize) -> PyResult<Option<Vec<Vec<Option<String>>>>> {
        self.must_be_own(py)?;
        if self.with_rows(py, |rows| rows.reader == Reader::Conversion) {
            return Ok(None);
        }
        let deadline = Instant::now() + FIRST_ROWS;
        loop {
            let has_arrived = self.with_rows(py, StreamRows::look_ahead);
            py.check_signals()?;
            if has_arrived || Instant::now() > deadline {
                break;
            }
        }
        let shown = self.with_rows(py, |rows| match &rows.unread_batch {
            Some(Ok(batch)) => preview::texts(batch, most),
            _ => Ok(Vec::new()),
        });
        shown.map(Some).map_err(|error| bug(py, &error))
    }

    /// The remaining rows of a column of grids as an array of digits, with one row per grid.
    fn _digits(&self, py: Python<'_>, column: &str) -> PyResult<Cells> {
        self.must_be_unread(py)?;
        table::digits(py, &self.schema, column, || self.batch_for_conversion(py))
    }

    /// The remaining rows in memory.
    fn _collect(&self, py: Python<'_>) -> PyResult<Collected> {
        self.must_be_unread(py)?;
        let mut batches = Vec::new();
        while let Some(batch) = self.batch_for_conversion(py)? {
            batches.push(batch);
        }
        Ok(Collected {
            schema: self.schema.clone(),
            batches,
        })
    }

    /// Writes the remaining rows to a file, which appears when it is complete. Returns the number of rows.
    #[pyo3(signature = (path, format=None, overwrite=false))]
    fn _write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        overwrite: bool,
    ) -> PyResult<u64> {
        self.must_be_unread(py)?;
        let target = (path, format, overwrite);
        table::write(py, &self.schema, target, || self.batch_for_conversion(py))
    }

    /// The records that are not puzzles, as a stream with the columns of schema("rejects"), once the
    /// rows have been read to their end. It can be read once.
    #[getter]
    fn rejects(&self, py: Python<'_>) -> PyResult<RejectStream> {
        self.must_have_ended(py)?;
        let rejects = self.with_rows(py, |rows| {
            rows.keep_reject_rows();
            rows.stream.take_rejects()
        });
        let rejects = rejects.map_err(|error| exception(py, &error))?;
        let reader = RecordBatchIterator::new(rejects, BatchOptions::reject_schema());
        Ok(RejectStream(Mutex::new(Some(Box::new(reader)))))
    }

    /// The rows of the rejected records in the input, ascending.
    #[getter]
    fn _reject_rows(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.must_have_ended(py)?;
        Ok(self.with_rows(py, |rows| {
            rows.keep_reject_rows();
            rows.reject_rows.clone()
        }))
    }

    /// The number of rejected records. Available after the stream has been read to its end.
    #[getter]
    fn _rejected(&self, py: Python<'_>) -> PyResult<u64> {
        self.must_have_ended(py)?;
        Ok(self.with_rows(py, |rows| rows.stream.tally().rejects()))
    }

    /// The counts of the rows as JSON. Available after the stream has been read to its end.
    fn _counts(&self, py: Python<'_>) -> PyResult<String> {
        self.must_have_ended(py)?;
        let tally = self.with_rows(py, |rows| rows.stream.tally().clone());
        let mut counts = serde_json::to_value(&tally).unwrap_or_default();
        if let Some(counts) = counts.as_object_mut() {
            counts.insert("rows".to_owned(), tally.rows().into());
        }
        Ok(counts.to_string())
    }

    /// Ends the stream early: no further input is read.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.must_be_own(py)?;
        self.with_rows(py, |rows| {
            rows.unread_batch = None;
            if rows.reader == Reader::Loop {
                rows.reader = Reader::Closed;
            }
            rows.stream.stop();
        });
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!(
            "<sudoku_pipeline.Stream with {} columns>",
            self.schema.fields().len()
        )
    }
}

impl StreamRows {
    /// Keeps the rows of the rejects, before the rejects are taken.
    fn keep_reject_rows(&mut self) {
        let rows = self.stream.reject_rows();
        if !rows.is_empty() {
            self.reject_rows = rows;
        }
    }

    /// Waits a short time for the next batch, and keeps it. Returns whether a batch, an error or the end
    /// has arrived.
    fn look_ahead(&mut self) -> bool {
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

impl Drop for Stream {
    fn drop(&mut self) {
        if self.owner.refusal().is_some() {
            // In a forked child, locks of the stream may be held by threads that do not exist there.
            std::mem::forget(Arc::clone(&self.rows));
        }
    }
}

/// A reader of the rows, for a library with the Arrow interface.
struct ArrowReader {
    schema: SchemaRef,
    rows: Arc<Mutex<StreamRows>>,
    owner: CreatorProcess,
}

impl Iterator for ArrowReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(refusal) = self.owner.refusal() {
            return Some(Err(ArrowError::ExternalError(refusal.into())));
        }
        let (message, is_data) = match StreamRows::next(&self.rows) {
            Ok(batch) => return batch.map(Ok),
            Err(Stopped::Failed(error)) => (text(&error), error.is_about_data()),
            Err(Stopped::Interrupted(raised)) => (interrupted(&raised), false),
        };
        // Messages in the Arrow interface end at the first zero byte.
        let message = message.replace('\0', "\\0");
        // The variant of the error tells other libraries whether the data is bad or reading failed.
        Some(Err(if is_data {
            ArrowError::ExternalError(message.into())
        } else {
            ArrowError::IoError(message, std::io::Error::other("the stream ends here"))
        }))
    }
}

impl RecordBatchReader for ArrowReader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Drop for ArrowReader {
    fn drop(&mut self) {
        if self.owner.refusal().is_some() {
            std::mem::forget(Arc::clone(&self.rows));
            return;
        }
        // The library has stopped reading, perhaps early. Nobody else may read the remaining rows.
        let mut rows = StreamRows::lock(&self.rows);
        if !rows.stream.has_ended() {
            rows.stream.stop();
        }
    }
}

/// The message for a library that reads the rows while a signal handler raises an exception, usually
/// KeyboardInterrupt. The library raises an error of its own, and the exception is raised again when it
/// returns to Python.
fn interrupted(raised: &PyErr) -> String {
    let is_interrupt = Python::try_attach(|py| {
        let is_interrupt = raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
        if is_interrupt {
            let raised = py
                .import("_thread")
                .and_then(|thread| thread.call_method0("interrupt_main"));
            // The call has no effect if Python does not handle the signal. An error is ignored.
            drop(raised);
        }
        is_interrupt
    });
    match is_interrupt {
        Some(true) => "KeyboardInterrupt: the stream was stopped".to_owned(),
        _ => format!("the stream was stopped: {raised}"),
    }
}
