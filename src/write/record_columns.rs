//! The columns of two tables about records that are not rows of the output: rejects, and records that fail
//! validation.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::Error;
use crate::table::columns::described::DescribedColumn;

/// A column of the rejects table or of the table of validation failures.
pub struct RecordColumn<T: 'static> {
    /// The name of the column in the table.
    pub name: &'static str,
    /// The Arrow type of the values.
    pub data_type: DataType,
    /// Whether a value can be null.
    pub nullable: bool,
    /// The description for `pipeline schema`.
    pub doc: &'static str,
    fill: fn(&str, &[T]) -> ArrayRef,
}

/// The size limit of row groups in bytes. It is small because such a table is in memory in addition to the
/// output table.
pub(super) const GROUP_BYTES: usize = 4 << 20;

impl<T> RecordColumn<T> {
    /// The name, the type and the documentation of the column, without the code that fills it.
    pub fn described(&self) -> DescribedColumn {
        DescribedColumn {
            name: self.name.to_owned(),
            data_type: self.data_type.clone(),
            nullable: self.nullable,
            doc: self.doc.to_owned(),
        }
    }

    /// The column `source`: the input that the record came from.
    pub(super) const fn source_column() -> RecordColumn<T> {
        RecordColumn::text_column(
            "source",
            "The input that the record came from, as it was named.",
            |source, records| {
                let sources = records.iter().map(|_| source);
                Arc::new(StringArray::from_iter_values(sources))
            },
        )
    }

    /// A column of text without nulls.
    pub(super) const fn text_column(
        name: &'static str,
        doc: &'static str,
        fill: fn(&str, &[T]) -> ArrayRef,
    ) -> RecordColumn<T> {
        RecordColumn {
            name,
            data_type: DataType::Utf8,
            nullable: false,
            doc,
            fill,
        }
    }

    /// A column of numbers.
    pub(super) const fn number_column(
        name: &'static str,
        nullable: bool,
        doc: &'static str,
        fill: fn(&str, &[T]) -> ArrayRef,
    ) -> RecordColumn<T> {
        RecordColumn {
            name,
            data_type: DataType::UInt64,
            nullable,
            doc,
            fill,
        }
    }
}

/// The Arrow schema of a table with these columns.
pub(crate) fn record_schema<T>(columns: &[RecordColumn<T>]) -> SchemaRef {
    let fields = columns
        .iter()
        .map(|column| Field::new(column.name, column.data_type.clone(), column.nullable));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The table rows for these records of one input.
pub(crate) fn record_batch<T>(
    columns: &[RecordColumn<T>],
    source: &str,
    records: &[T],
) -> Result<RecordBatch, Error> {
    let arrays = columns.iter().map(|column| (column.fill)(source, records));
    Ok(RecordBatch::try_new(
        record_schema(columns),
        arrays.collect(),
    )?)
}

/// A text column with a value for each record.
pub(super) fn text_array<T>(records: &[T], value: impl Fn(&T) -> &str) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(records.iter().map(value)))
}

/// A number column with a value for each record. `None` becomes null.
pub(super) fn number_array<T>(records: &[T], value: impl Fn(&T) -> Option<u64>) -> ArrayRef {
    Arc::new(records.iter().map(value).collect::<UInt64Array>())
}
