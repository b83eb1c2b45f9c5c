//! The table of records that fail the gate of `validate`.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::{Metadata, Table, TableWriter, Target};
use crate::error::Error;
use crate::table::gate::Failure;

/// A column of the table.
pub struct FailureColumn {
    /// Its name.
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: DataType,
    /// Whether it can be null.
    pub nullable: bool,
    /// What it says.
    pub doc: &'static str,
    fill: fn(&str, &[Failure]) -> ArrayRef,
}

/// The columns of the table, in order.
pub static FAILURE_COLUMNS: &[FailureColumn] = &[
    text(
        "source",
        "The input that the record came from, as it was named.",
        |source, failures| {
            Arc::new(StringArray::from_iter_values(
                failures.iter().map(|_| source),
            ))
        },
    ),
    number(
        "row",
        false,
        "The record's number in its source, from 0.",
        |_, failures| numbers(failures, |failure| Some(failure.row)),
    ),
    number(
        "line",
        true,
        "The line on which the record starts, from 1; null in binary formats.",
        |_, failures| numbers(failures, |failure| failure.line),
    ),
    number(
        "byte_offset",
        true,
        "Where the record starts in the decompressed source, from 0; null in binary formats.",
        |_, failures| numbers(failures, |failure| failure.byte_offset),
    ),
    text(
        "why",
        "Why it fails: `none`, `multiple`, `gave_up` (as `status` says), `wrong_solution`, or the error \
         of a record that is no puzzle, as in the rejects table.",
        |_, failures| texts(failures, |failure| failure.why),
    ),
    text("message", "Why, in words.", |_, failures| {
        texts(failures, |failure| &failure.message)
    }),
    text(
        "raw",
        "The record's text, of a columnar format its puzzle; bytes that are not UTF-8 stand as `\\xNN`.",
        |_, failures| texts(failures, |failure| &failure.raw),
    ),
];

const fn text(
    name: &'static str,
    doc: &'static str,
    fill: fn(&str, &[Failure]) -> ArrayRef,
) -> FailureColumn {
    FailureColumn {
        name,
        data_type: DataType::Utf8,
        nullable: false,
        doc,
        fill,
    }
}

const fn number(
    name: &'static str,
    nullable: bool,
    doc: &'static str,
    fill: fn(&str, &[Failure]) -> ArrayRef,
) -> FailureColumn {
    FailureColumn {
        name,
        data_type: DataType::UInt64,
        nullable,
        doc,
        fill,
    }
}

fn texts(failures: &[Failure], value: impl Fn(&Failure) -> &str) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(failures.iter().map(value)))
}

fn numbers(failures: &[Failure], value: impl Fn(&Failure) -> Option<u64>) -> ArrayRef {
    Arc::new(failures.iter().map(value).collect::<UInt64Array>())
}

/// All may fail: they must not need as much memory as a table of grades.
const GROUP_BYTES: usize = 4 << 20;

/// The table's schema.
pub fn schema() -> SchemaRef {
    let columns = FAILURE_COLUMNS.iter();
    let fields =
        columns.map(|column| Field::new(column.name, column.data_type.clone(), column.nullable));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Writes the records of a run that fail the gate. The table is there even where none does.
pub struct FailuresWriter(TableWriter);

impl FailuresWriter {
    /// Writes into this table.
    pub fn new(table: &Table, metadata: &Metadata) -> Result<FailuresWriter, Error> {
        let mut writer = table.start(&schema(), metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(FailuresWriter(writer))
    }

    pub(crate) fn write(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error> {
        if failures.is_empty() {
            return Ok(());
        }
        let columns = FAILURE_COLUMNS.iter();
        let columns = columns.map(|column| (column.fill)(source, failures));
        self.0
            .write(RecordBatch::try_new(schema(), columns.collect())?)
    }

    pub(crate) fn finish(self) -> Result<Target, Error> {
        self.0.finish()
    }
}
