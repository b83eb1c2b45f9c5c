//! The class `Schema` of the Python package: the columns of a table, with the Arrow interface.

use arrow::datatypes::{Schema as ArrowSchema, SchemaRef};
use arrow::ffi::FFI_ArrowSchema;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors;
use crate::exchange::capsule::SCHEMA_NAME;

/// The columns of a table. pyarrow.schema(schema) accepts it.
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

    /// Pickles the schema as an Arrow stream without rows.
    fn __reduce__<'py>(slf: &Bound<'py, Schema>) -> PyResult<(Bound<'py, PyAny>, (Vec<u8>,))> {
        let py = slf.py();
        let encoded_schema =
            StreamWriter::try_new(Vec::new(), &slf.get().0).and_then(StreamWriter::into_inner);
        let bytes = encoded_schema.map_err(|error| errors::bug(py, &error))?;
        Ok((slf.get_type().getattr("_read")?, (bytes,)))
    }

    #[staticmethod]
    fn _read(bytes: &[u8]) -> PyResult<Schema> {
        match StreamReader::try_new(bytes, None) {
            Ok(stream) => Ok(Schema(stream.schema())),
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
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

/// The capsule that `__arrow_c_schema__` returns.
pub(crate) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &ArrowSchema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| errors::bug(py, &error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA_NAME)
}
