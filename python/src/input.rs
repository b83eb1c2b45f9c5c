//! Converts the data that functions accept to record batches: objects with the Arrow interface, arrays,
//! lists, and puzzles.

use arrow::datatypes::SchemaRef;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sudoku_pipeline::read::RecordBatches;

use crate::exchange::batches::{batch, record_batch_of_array, schema_of};
use crate::exchange::capsule::{self, Arrays};
use crate::stream::Stream;
use crate::{iterator, lists};

/// The record batches in an object, and their schema. `blank` is the number that stands for an empty cell in arrays.
pub(crate) fn batches(data: &Bound<'_, PyAny>, blank: i64) -> PyResult<(SchemaRef, RecordBatches)> {
    if data.hasattr("__arrow_c_stream__")? {
        let capsule = data.call_method0("__arrow_c_stream__")?;
        let mut arrays = Arrays::from_capsule(capsule.cast::<PyCapsule>()?)?;
        let stream = data.getattr_opt("_stream")?;
        arrays.is_own = stream.is_some_and(|stream| stream.is_instance_of::<Stream>());
        let schema = schema_of(&arrays.field);
        let batch_schema = schema.clone();
        let batches = arrays.map(move |array| batch(&batch_schema, &array?));
        return Ok((schema, Box::new(batches)));
    }
    if data.hasattr("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
            data.call_method0("__arrow_c_array__")?.extract()?;
        let (field, array) = capsule::array(&schema, &array)?;
        return Ok(record_batch_of_array(&field, &array));
    }
    let data = lists::texts_to_list(data)?;
    if let Some(found) = lists::batches(&data, blank)? {
        return Ok(found);
    }
    match data.try_iter() {
        Ok(items) => iterator::batches(items, blank),
        Err(_) => Err(PyTypeError::new_err(format!(
            "a table, an array or a stream with the Arrow interface, an array of integers, a list of texts, \
             of digits or of puzzles, or a path, and not {}",
            data.get_type().name()?
        ))),
    }
}

/// The paths in an object; `None` if the object is data. Python code has already converted texts to paths.
pub(crate) fn paths(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    match data.getattr_opt("_sudoku_pipeline_paths")? {
        Some(paths) => paths.extract().map(Some),
        None => Ok(None),
    }
}

/// The schema of an object that has the Arrow interface.
pub(crate) fn schema(data: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    if data.hasattr("__arrow_c_schema__")? {
        let capsule = data.call_method0("__arrow_c_schema__")?;
        let field = capsule::field(capsule.cast::<PyCapsule>()?)?;
        return Ok(schema_of(&field));
    }
    batches(data, 0).map(|(schema, _)| schema)
}
