//! A function that processes one batch on the caller's thread, for engines such as Spark that distribute batches
//! themselves.

use arrow::array::RecordBatch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sudoku_pipeline::batches::BatchFunction;

use crate::errors::exception;
use crate::exchange::array::Batch;
use crate::exchange::schema::Schema;
use crate::input;
use crate::options::Options;

/// A command as a function on batches with one schema. It has no state.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct Function(BatchFunction);

#[pymethods]
impl Function {
    #[new]
    fn new(
        py: Python<'_>,
        command: &str,
        schema: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Function> {
        let options = Options(options).batch_options(command)?;
        let function = BatchFunction::new(&input::schema(schema)?, options);
        let function = function.map_err(|error| exception(py, &error))?;
        Ok(Function(function))
    }

    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.0.schema())
    }

    /// Processes a batch, and returns its output rows.
    #[pyo3(signature = (batch, first_row=0))]
    fn __call__(
        &self,
        py: Python<'_>,
        batch: &Bound<'_, PyAny>,
        first_row: u64,
    ) -> PyResult<Batch> {
        let (schema, mut batches) = input::batches(batch, 0)?;
        let processed = py.detach(|| {
            let Some(batch) = batches.next() else {
                return Ok(self.0.run(&RecordBatch::new_empty(schema), first_row));
            };
            Ok(self.0.run(&batch?, first_row))
        });
        let processed = processed.map_err(|error: arrow::error::ArrowError| {
            PyValueError::new_err(format!("the batch cannot be read: {error}"))
        })?;
        let processed = processed.map_err(|error| exception(py, &error))?;
        Ok(Batch(processed.rows))
    }
}
