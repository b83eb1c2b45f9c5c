//! A stream of rows for Python and for other libraries.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow::array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use sudoku_pipeline::batches::{BatchOptions, BatchStream, StreamItem};
use sudoku_pipeline::error::Error;

use crate::array::Batch;
use crate::capsule::STREAM;
use crate::errors::{exception, text};
use crate::schema::Schema;

/// How often a waiting thread looks for signals.
const TICK: Duration = Duration::from_millis(50);

/// Rows that are made while they are read, on all cores, in order. They can be read once: by
/// iterating over the stream, or by a library with the Arrow interface.
#[pyclass(frozen, module = "sudoku_pipeline")]
pub(crate) struct Stream {
    schema: SchemaRef,
    rows: Arc<Mutex<StreamRows>>,
}

/// The rows that are left, and who reads them.
struct StreamRows {
    stream: BatchStream,
    /// A library has taken the rows.
    is_taken: bool,
}

/// Why there is no next batch.
enum Stopped {
    Failed(Error),
    /// A signal handler has raised an exception.
    Interrupted(PyErr),
}

impl StreamRows {
    /// Waits for the next batch. Other threads of Python run meanwhile, and signals are handled.
    fn next(rows: &Mutex<StreamRows>) -> Result<Option<RecordBatch>, Stopped> {
        loop {
            // Whether or not the caller holds the interpreter's lock, nobody waits for us with it.
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
                // The interpreter shuts down.
                None => StreamRows::wait(rows),
            };
            match next.map_err(Stopped::Failed)? {
                StreamItem::Rows(batch) => return Ok(Some(batch)),
                StreamItem::End => return Ok(None),
                StreamItem::Waiting => {}
            }
        }
    }

    fn wait(rows: &Mutex<StreamRows>) -> Result<StreamItem, Error> {
        StreamRows::lock(rows).stream.next_within(TICK)
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
                is_taken: false,
            })),
        }
    }

    /// Does this while other threads of Python run.
    fn with_rows<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut StreamRows) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut StreamRows::lock(&self.rows)))
    }

    /// The stream has ended, so that counts and rejects are known.
    fn must_have_ended(&self, py: Python<'_>) -> PyResult<()> {
        match self.with_rows(py, |rows| rows.stream.has_ended()) {
            true => Ok(()),
            false => Err(PyValueError::new_err(
                "the stream has not been read to its end: rejects and counts are known then",
            )),
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
        crate::schema::schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let was_taken = self.with_rows(py, |rows| std::mem::replace(&mut rows.is_taken, true));
        if was_taken {
            return Err(PyValueError::new_err(
                "the stream has been read already: call the function again for another one",
            ));
        }
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(ArrowReader {
            schema: self.schema.clone(),
            rows: self.rows.clone(),
        });
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let is_taken = self.with_rows(py, |rows| rows.is_taken);
        if is_taken {
            return Err(PyValueError::new_err(
                "the stream has been read already: call the function again for another one",
            ));
        }
        match StreamRows::next(&self.rows) {
            Ok(batch) => Ok(batch.map(Batch)),
            Err(Stopped::Failed(error)) => Err(exception(py, &error)),
            Err(Stopped::Interrupted(raised)) => Err(raised),
        }
    }

    /// The records that are not puzzles, as a stream with the columns of schema("rejects"), once the
    /// rows have been read to their end. It can be read once.
    #[getter]
    fn rejects(&self, py: Python<'_>) -> PyResult<RejectStream> {
        self.must_have_ended(py)?;
        let rejects = self.with_rows(py, |rows| rows.stream.take_rejects());
        let rejects = rejects.map_err(|error| exception(py, &error))?;
        let reader = RecordBatchIterator::new(rejects, BatchOptions::reject_schema());
        Ok(RejectStream(Mutex::new(Some(Box::new(reader)))))
    }

    /// The counts as JSON, once the rows have been read to their end.
    fn _counts(&self, py: Python<'_>) -> PyResult<String> {
        self.must_have_ended(py)?;
        let tally = self.with_rows(py, |rows| rows.stream.tally().clone());
        let mut counts = serde_json::to_value(tally.to_record()).unwrap_or_default();
        if let Some(counts) = counts.as_object_mut() {
            counts.insert("rows".to_owned(), tally.rows().into());
        }
        Ok(counts.to_string())
    }

    /// Ends the stream early: no further input is read.
    fn close(&self, py: Python<'_>) {
        self.with_rows(py, |rows| rows.stream.stop());
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: Option<Bound<'_, PyType>>,
        _value: Option<Bound<'_, PyAny>>,
        _traceback: Option<Bound<'_, PyAny>>,
    ) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!(
            "<sudoku_pipeline.Stream with {} columns>",
            self.schema.fields().len()
        )
    }
}

/// The rows for a library with the Arrow interface.
struct ArrowReader {
    schema: SchemaRef,
    rows: Arc<Mutex<StreamRows>>,
}

impl Iterator for ArrowReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (said, is_data) = match StreamRows::next(&self.rows) {
            Ok(batch) => return batch.map(Ok),
            Err(Stopped::Failed(error)) => (text(&error), error.is_about_data()),
            Err(Stopped::Interrupted(raised)) => (interrupted(&raised), false),
        };
        // The interface hands texts over that end with a zero byte.
        let said = said.replace('\0', "\\0");
        // Libraries tell bad data from refused reading by the variant.
        Some(Err(match is_data {
            true => ArrowError::ExternalError(said.into()),
            false => ArrowError::IoError(said, std::io::Error::other("the stream ends here")),
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
        // The library has gone away, maybe before the end: nobody else may read the rest.
        let mut rows = StreamRows::lock(&self.rows);
        if !rows.stream.has_ended() {
            rows.stream.stop();
        }
    }
}

/// The library that reads the rows makes an error of its own of this. What the signal handler has
/// raised is KeyboardInterrupt as a rule: it is raised again when the library returns to Python.
fn interrupted(raised: &PyErr) -> String {
    let is_interrupt = Python::try_attach(|py| {
        let is_interrupt = raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
        if is_interrupt {
            let raised = py
                .import("_thread")
                .and_then(|thread| thread.call_method0("interrupt_main"));
            // Without a handler there is nothing to be interrupted.
            drop(raised);
        }
        is_interrupt
    });
    match is_interrupt {
        Some(true) => "KeyboardInterrupt: the stream was stopped".to_owned(),
        _ => format!("the stream was stopped: {raised}"),
    }
}

/// The rejects of a stream.
#[pyclass(frozen, module = "sudoku_pipeline", name = "Rejects")]
pub(crate) struct RejectStream(Mutex<Option<Box<dyn RecordBatchReader + Send>>>);

#[pymethods]
impl RejectStream {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reader =
            reader.ok_or_else(|| PyValueError::new_err("the rejects have been read already"))?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        crate::schema::schema_capsule(py, &BatchOptions::reject_schema())
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let next = py.detach(|| {
            let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            reader.as_mut().and_then(Iterator::next)
        });
        match next {
            None => Ok(None),
            Some(Ok(batch)) => Ok(Some(Batch(batch))),
            Some(Err(error)) => Err(crate::errors::bug(py, &error)),
        }
    }
}
