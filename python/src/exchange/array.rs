//! The class `Batch` of the Python package: a record batch with the Arrow interface.

use arrow::array::{Array, ArrayData, RecordBatch, StructArray};
use arrow::ffi::FFI_ArrowArray;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::exchange::capsule::ARRAY_NAME;
use crate::exchange::schema::{Schema, schema_capsule};

/// A batch of rows. pyarrow.record_batch(batch) and other readers of the Arrow interface take it without a
/// copy.
#[pyclass(frozen, module = "sudoku_pipeline")]
pub(crate) struct Batch(pub(crate) RecordBatch);

#[pymethods]
impl Batch {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The columns of the rows.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.0.schema())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let data: ArrayData = StructArray::from(self.0.clone()).to_data();
        let array = FFI_ArrowArray::new(&data);
        Ok((
            schema_capsule(py, self.0.schema_ref())?,
            PyCapsule::new_with_value(py, array, ARRAY_NAME)?,
        ))
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "<sudoku_pipeline.Batch of {} rows and {} columns>",
            self.0.num_rows(),
            self.0.num_columns()
        )
    }
}
