//! The columns of the tables for records that are not rows of the output: rejects, and records that
//! fail validation.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::Error;

/// A column of a table of such records.
pub struct RecordColumn<T: 'static> {
    /// The name in the table.
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: DataType,
    /// Whether it can be null.
    pub nullable: bool,
    /// The description.
    pub doc: &'static str,
    fill: fn(&str, &[T]) -> ArrayRef,
}

/// The size of groups. Even a table of many such records must need less memory than a table of
/// grades.
pub(super) const GROUP_BYTES: usize = 4 << 20;

impl<T> RecordColumn<T> {
    /// The input that the record came from.
    pub(super) const fn source() -> RecordColumn<T> {
        RecordColumn::text(
            "source",
            "The input that the record came from, as it was named.",
            |source, records| {
                let sources = records.iter().map(|_| source);
                Arc::new(StringArray::from_iter_values(sources))
            },
        )
    }

    /// A column of text without nulls.
    pub(super) const fn text(
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
    pub(super) const fn number(
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

/// The schema of a table with these columns.
pub(crate) fn schema<T>(columns: &[RecordColumn<T>]) -> SchemaRef {
    let fields = columns
        .iter()
        .map(|column| Field::new(column.name, column.data_type.clone(), column.nullable));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The rows for these records of an input.
pub(crate) fn rows<T>(
    columns: &[RecordColumn<T>],
    source: &str,
    records: &[T],
) -> Result<RecordBatch, Error> {
    let arrays = columns.iter().map(|column| (column.fill)(source, records));
    Ok(RecordBatch::try_new(schema(columns), arrays.collect())?)
}

/// A value of each record as text.
pub(super) fn texts<T>(records: &[T], value: impl Fn(&T) -> &str) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(records.iter().map(value)))
}

/// A value of each record as a number.
pub(super) fn numbers<T>(records: &[T], value: impl Fn(&T) -> Option<u64>) -> ArrayRef {
    Arc::new(records.iter().map(value).collect::<UInt64Array>())
}
