//! How the columns of a Parquet file become those of a batch: chosen, put in order, made text.

use std::sync::Arc;

use arrow::array::{Array, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::columns::Columns;
use crate::error::Error;

/// What a column that may hold grids is read as.
pub(super) fn text_type(stored: &DataType) -> Option<DataType> {
    match stored {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(DataType::Utf8),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Some(DataType::Binary),
        DataType::Dictionary(_, values) if values.is_string() => Some(DataType::Utf8),
        _ => None,
    }
}

/// How the columns that are read become those of a batch.
pub(super) struct Layout {
    /// The root columns of the file that are read, ascending: so the reader gives them.
    pub roots: Vec<usize>,
    /// Per column of a batch, which of them it is.
    order: Vec<usize>,
    /// Of a batch: puzzle, solution, carried.
    pub schema: SchemaRef,
}

impl Layout {
    pub(super) fn new(path: &str, columns: &Columns, fields: &[FieldRef]) -> Result<Layout, Error> {
        let mut roots = Vec::new();
        let mut out = Vec::new();
        for at in [Some(columns.puzzle), columns.solution]
            .into_iter()
            .flatten()
        {
            let field = &fields[at];
            let read_as = text_type(field.data_type()).ok_or_else(|| Error::UnknownFormat {
                source_name: path.to_owned(),
                what: format!(
                    "column {:?} holds {}; grids are read from columns of text",
                    field.name(),
                    field.data_type()
                ),
            })?;
            roots.push(at);
            out.push(Arc::new(Field::new(field.name(), read_as, true)));
        }
        for (at, name) in &columns.carried {
            roots.push(*at);
            out.push(Arc::new(fields[*at].as_ref().clone().with_name(name)));
        }
        let mut ascending = roots.clone();
        ascending.sort_unstable();
        ascending.dedup();
        let order = roots
            .iter()
            .map(|root| ascending.partition_point(|other| other < root));
        Ok(Layout {
            order: order.collect(),
            roots: ascending,
            schema: Arc::new(Schema::new(out)),
        })
    }

    pub(super) fn arrange(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns = self
            .order
            .iter()
            .zip(self.schema.fields())
            .map(|(at, field)| {
                let column = batch.columns().get(*at).ok_or_else(|| {
                    ArrowError::SchemaError(format!("column {:?} is not there", field.name()))
                })?;
                if column.data_type() == field.data_type() {
                    Ok(Arc::clone(column))
                } else {
                    cast(column, field.data_type())
                }
            });
        RecordBatch::try_new(Arc::clone(&self.schema), columns.collect::<Result<_, _>>()?)
    }
}
