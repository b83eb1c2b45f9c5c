//! The class `Rejects` of the Python package: the rejects of a stream, as batches or for libraries with the
//! Arrow interface.

use std::sync::{Mutex, PoisonError};

use arrow::array::RecordBatchReader;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sudoku_pipeline::batches::BatchOptions;

use crate::exchange::array::Batch;
use crate::exchange::capsule::stream_capsule;

/// The rejects of a stream. They can be read once.
#[pyclass(frozen, module = "sudoku_pipeline", name = "Rejects")]
pub(crate) struct RejectStream(pub(crate) Mutex<Option<Box<dyn RecordBatchReader + Send>>>);

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
        stream_capsule(py, reader)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        crate::exchange::schema::schema_capsule(py, &BatchOptions::reject_schema())
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let next_batch = py.detach(|| {
            let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            reader.as_mut().and_then(Iterator::next)
        });
        match next_batch {
            None => Ok(None),
            Some(Ok(batch)) => Ok(Some(Batch(batch))),
            Some(Err(error)) => Err(crate::errors::bug(py, &error)),
        }
    }
}
