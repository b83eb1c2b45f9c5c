//! A schema for other libraries.

use arrow::datatypes::{Schema as ArrowSchema, SchemaRef};
use arrow::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::capsule::SCHEMA;
use crate::errors;

/// The columns of a table: pyarrow.schema(schema) takes it.
#[pyclass(frozen, module = "sudoku_pipeline")]
pub(crate) struct Schema(pub(crate) SchemaRef);

#[pymethods]
impl Schema {
    /// The names of the columns, in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        let fields = self.0.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The Arrow types of the columns, as text.
    #[getter]
    fn types(&self) -> Vec<String> {
        let fields = self.0.fields().iter();
        fields.map(|field| field.data_type().to_string()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.0)
    }

    fn __len__(&self) -> usize {
        self.0.fields().len()
    }

    fn __repr__(&self) -> String {
        let fields = self.0.fields().iter();
        let fields: Vec<String> = fields
            .map(|field| format!("  {}: {}", field.name(), field.data_type()))
            .collect();
        format!("<sudoku_pipeline.Schema\n{}>", fields.join("\n"))
    }
}

/// The capsule of `__arrow_c_schema__`.
pub(crate) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &ArrowSchema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| errors::bug(py, &error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
