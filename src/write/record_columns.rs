//! The columns of the rejects table and of the table of records that fail validation. Neither of them is the output
//! table.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::Error;
use crate::table::columns::described::DescribedColumn;

/// A column of the rejects table or of the table of records that fail validation.
pub struct RecordColumn<T: 'static> {
    /// The name of the column in the table.
    pub name: &'static str,
    /// Whether a value can be null.
    pub nullable: bool,
    /// The description for `pipeline schema`.
    pub doc: &'static str,
    value: RecordValue<T>,
}

/// Reads the value of a column from a record.
enum RecordValue<T> {
    /// The input that the record came from.
    Source,
    Text(fn(&T) -> &str),
    /// A number; `None` becomes null.
    Number(fn(&T) -> Option<u64>),
}

/// The size limit of row groups in bytes. It is small because these tables are in memory in addition to the output
/// table.
pub(super) const GROUP_BYTES: usize = 4 << 20;

impl<T> RecordColumn<T> {
    /// The name, the type and the documentation of the column, without the code that fills it.
    pub fn described(&self) -> DescribedColumn {
        DescribedColumn {
            name: self.name.to_owned(),
            data_type: self.value.data_type(),
            nullable: self.nullable,
            doc: self.doc.to_owned(),
        }
    }

    /// The column `source`: the input that the record came from.
    pub(super) const fn source_column() -> RecordColumn<T> {
        RecordColumn {
            name: "source",
            nullable: false,
            doc: "The input that the record came from, as it was named.",
            value: RecordValue::Source,
        }
    }

    /// The column `row`: the position of the record in its source.
    pub(super) const fn row_column(value: fn(&T) -> Option<u64>) -> RecordColumn<T> {
        RecordColumn::number_column(
            "row",
            false,
            "The record's number in its source, from 0.",
            value,
        )
    }

    /// The column `line`: the line on which the record starts.
    pub(super) const fn line_column(value: fn(&T) -> Option<u64>) -> RecordColumn<T> {
        RecordColumn::number_column(
            "line",
            true,
            "The line on which the record starts, from 1; null in binary formats.",
            value,
        )
    }

    /// The column `byte_offset`: the offset of the record in its source.
    pub(super) const fn byte_offset_column(value: fn(&T) -> Option<u64>) -> RecordColumn<T> {
        RecordColumn::number_column(
            "byte_offset",
            true,
            "Where the record starts in the decompressed source, from 0; null in binary formats.",
            value,
        )
    }

    const fn number_column(
        name: &'static str,
        nullable: bool,
        doc: &'static str,
        value: fn(&T) -> Option<u64>,
    ) -> RecordColumn<T> {
        RecordColumn {
            name,
            nullable,
            doc,
            value: RecordValue::Number(value),
        }
    }

    /// A column of text without nulls.
    pub(super) const fn text_column(
        name: &'static str,
        doc: &'static str,
        value: fn(&T) -> &str,
    ) -> RecordColumn<T> {
        RecordColumn {
            name,
            nullable: false,
            doc,
            value: RecordValue::Text(value),
        }
    }
}

impl<T> RecordValue<T> {
    fn data_type(&self) -> DataType {
        match self {
            RecordValue::Source | RecordValue::Text(_) => DataType::Utf8,
            RecordValue::Number(_) => DataType::UInt64,
        }
    }

    /// The values of the column for these records. `source` is the name of their input.
    fn array(&self, source: &str, records: &[T]) -> ArrayRef {
        let records = records.iter();
        match self {
            RecordValue::Source => Arc::new(StringArray::from_iter_values(records.map(|_| source))),
            RecordValue::Text(value) => Arc::new(StringArray::from_iter_values(records.map(value))),
            RecordValue::Number(value) => Arc::new(records.map(value).collect::<UInt64Array>()),
        }
    }
}

/// The Arrow schema of a table with these columns.
pub(crate) fn record_schema<T>(columns: &[RecordColumn<T>]) -> SchemaRef {
    let fields = columns
        .iter()
        .map(|column| Field::new(column.name, column.value.data_type(), column.nullable));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The rows of the table for these records. `source` is the name of their input.
pub(crate) fn record_batch<T>(
    columns: &[RecordColumn<T>],
    source: &str,
    records: &[T],
) -> Result<RecordBatch, Error> {
    let arrays = columns
        .iter()
        .map(|column| column.value.array(source, records));
    Ok(RecordBatch::try_new(
        record_schema(columns),
        arrays.collect(),
    )?)
}
