//! The rows of a stream or of a table in memory, for the conversions of the Python package. Errors of the stream are
//! raised before another library gets the rows.

use arrow::array::{Array, AsArray, RecordBatch, RecordBatchIterator};
use arrow::datatypes::{DataType, SchemaRef};
use arrow::error::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sudoku_core::board::Size;

use crate::cells::{Cells, digit};
use crate::exchange::capsule::stream_capsule;
use crate::exchange::schema::schema_capsule;
use crate::table;

/// The number of cells of the smallest grids.
const FEWEST_CELLS: usize = 16;

/// The columns of this program that have grids.
const GRIDS: [&str; 8] = [
    "puzzle",
    "solution",
    "input_solution",
    "prediction",
    "stalled",
    "backbone",
    "canonical",
    "grid",
];

/// Rows in memory, with the Arrow interface.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct Collected {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

#[pymethods]
impl Collected {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches: Vec<Result<RecordBatch, ArrowError>> =
            self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        stream_capsule(py, Box::new(reader))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// A column of grids as an array of digits, with one row per grid.
    fn _digits(&self, py: Python<'_>, column: &str) -> PyResult<Cells> {
        let mut batches = self.batches.iter().cloned();
        table::digits(py, &self.schema, column, || Ok(batches.next()))
    }

    /// Whether a column has grids, by its first text; None if it has no text.
    fn _has_grids(&self, py: Python<'_>, column: &str) -> PyResult<Option<bool>> {
        let index = table::column_index(py, &self.schema, column)?;
        let name = column;
        for batch in &self.batches {
            let column = batch.column(index);
            let texts = match column.data_type() {
                DataType::Utf8 => column.as_string::<i32>(),
                _ => return Ok(Some(false)),
            };
            if let Some(text) = texts.iter().flatten().next() {
                // Ids have 16 digits, too.
                let may_be_id = text.len() == FEWEST_CELLS && !GRIDS.contains(&name);
                let is_grid = !may_be_id
                    && Size::is_cell_count(text.len())
                    && text.bytes().all(|byte| digit(byte).is_some());
                return Ok(Some(is_grid));
            }
        }
        let is_text = self.schema.field(index).data_type() == &DataType::Utf8;
        Ok((!is_text).then_some(false))
    }
}
