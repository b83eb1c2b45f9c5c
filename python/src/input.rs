//! What the functions take: anything with the Arrow interface, arrays, lists, and puzzles.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, make_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sudoku_pipeline::read::RecordBatches;

use crate::capsule::{self, Arrays};
use crate::lists;

/// What the one column of an array is called that has no name, or none of a column of puzzles.
pub(crate) const PUZZLE: &str = "puzzle";

/// The record batches of an object, and their schema.
pub(crate) fn batches(data: &Bound<'_, PyAny>, blank: i64) -> PyResult<(SchemaRef, RecordBatches)> {
    if data.hasattr("__arrow_c_stream__")? {
        let capsule = data.call_method0("__arrow_c_stream__")?;
        let arrays = Arrays::of(capsule.cast::<PyCapsule>()?)?;
        let schema = schema_of(&arrays.field);
        let of_batches = schema.clone();
        let batches = arrays.map(move |array| batch(&of_batches, &array?));
        return Ok((schema, Box::new(batches)));
    }
    if data.hasattr("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
            data.call_method0("__arrow_c_array__")?.extract()?;
        let (field, array) = capsule::array(&schema, &array)?;
        return Ok(one(&field, &array));
    }
    lists::batches(data, blank)
}

/// The paths in an object: of `os.PathLike` objects, or of a text that names files. Which texts do is decided in
/// Python.
pub(crate) fn paths(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    match data.getattr_opt("_sudoku_pipeline_paths")? {
        Some(paths) => paths.extract().map(Some),
        None => Ok(None),
    }
}

/// The schema of an object with the Arrow interface.
pub(crate) fn schema(data: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    if data.hasattr("__arrow_c_schema__")? {
        let capsule = data.call_method0("__arrow_c_schema__")?;
        let field = capsule::field(capsule.cast::<PyCapsule>()?)?;
        return Ok(schema_of(&field));
    }
    batches(data, 0).map(|(schema, _)| schema)
}

pub(crate) fn one(field: &FieldRef, array: &ArrayRef) -> (SchemaRef, RecordBatches) {
    let schema = schema_of(field);
    let batch = batch(&schema, array);
    (schema, Box::new(std::iter::once(batch)))
}

/// The columns: those of a struct, or one, of puzzles.
fn schema_of(field: &FieldRef) -> SchemaRef {
    let schema = match field.data_type() {
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|part| match field.is_nullable() {
                true => Arc::new(Field::clone(part).with_nullable(true)),
                false => part.clone(),
            });
            Schema::new(fields.collect::<Vec<_>>()).with_metadata(field.metadata().clone())
        }
        data_type => Schema::new(vec![Field::new(PUZZLE, data_type.clone(), true)]),
    };
    Arc::new(schema)
}

fn batch(schema: &SchemaRef, array: &ArrayRef) -> Result<RecordBatch, ArrowError> {
    let Some(rows) = array.as_struct_opt() else {
        return RecordBatch::try_new(schema.clone(), vec![array.clone()]);
    };
    let columns = rows.columns().iter().map(|column| match rows.nulls() {
        None => Ok(column.clone()),
        nulls if rows.null_count() > 0 => {
            let nulls = NullBuffer::union(nulls, column.logical_nulls().as_ref());
            Ok(make_array(
                column.to_data().into_builder().nulls(nulls).build()?,
            ))
        }
        _ => Ok(column.clone()),
    });
    let columns = columns.collect::<Result<Vec<_>, ArrowError>>()?;
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
}
