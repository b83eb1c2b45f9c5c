//! Converts Arrow arrays of Python libraries to record batches.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, make_array, new_null_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use sudoku_pipeline::read::RecordBatches;

/// The name of the puzzle column for data without column names.
pub(crate) const PUZZLE: &str = "puzzle";

/// The rows of one array as one record batch.
pub(crate) fn record_batch_of_array(
    field: &FieldRef,
    array: &ArrayRef,
) -> (SchemaRef, RecordBatches) {
    let schema = schema_of(field);
    let batch = batch(&schema, array);
    (schema, Box::new(std::iter::once(batch)))
}

/// The schema of an array: the fields of a struct array, otherwise a single puzzle column.
pub(crate) fn schema_of(field: &FieldRef) -> SchemaRef {
    let schema = match field.data_type() {
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|struct_field| {
                let struct_field = Field::clone(struct_field);
                let is_nullable = struct_field.is_nullable() || field.is_nullable();
                Arc::new(
                    if struct_field.name() == PUZZLE && struct_field.data_type().is_null() {
                        struct_field
                            .with_data_type(DataType::Utf8)
                            .with_nullable(true)
                    } else {
                        struct_field.with_nullable(is_nullable)
                    },
                )
            });
            Schema::new(fields.collect::<Vec<_>>()).with_metadata(field.metadata().clone())
        }
        // Libraries give the type null to a column that is empty or has only nulls.
        DataType::Null => Schema::new(vec![Field::new(PUZZLE, DataType::Utf8, true)]),
        data_type => Schema::new(vec![Field::new(PUZZLE, data_type.clone(), true)]),
    };
    Arc::new(schema)
}

/// Casts a column of the type null, which has only nulls, to text, as the schema requires.
fn null_column_as_text(column: ArrayRef, field: &Field) -> ArrayRef {
    if column.data_type().is_null() && !field.data_type().is_null() {
        new_null_array(field.data_type(), column.len())
    } else {
        column
    }
}

/// The rows of an array as a record batch with this schema.
pub(crate) fn batch(schema: &SchemaRef, array: &ArrayRef) -> Result<RecordBatch, ArrowError> {
    let Some(rows) = array.as_struct_opt() else {
        let column = null_column_as_text(array.clone(), schema.field(0));
        return RecordBatch::try_new(schema.clone(), vec![column]);
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
    let columns = columns.into_iter().zip(schema.fields());
    let columns = columns
        .map(|(column, field)| null_column_as_text(column, field))
        .collect();
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
}
