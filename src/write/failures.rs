//! Writes the table of records that fail validation.

use super::record_columns::{GROUP_BYTES, RecordColumn, record_batch, record_schema};
use super::{Table, TableMetadata, TableWriter, Target};
use crate::error::Error;
use crate::table::validation::Failure;

/// The columns of the table, in order.
pub static FAILURE_COLUMNS: &[RecordColumn<Failure>] = &[
    RecordColumn::source_column(),
    RecordColumn::row_column(|failure| Some(failure.row)),
    RecordColumn::line_column(|failure| failure.line),
    RecordColumn::byte_offset_column(|failure| failure.byte_offset),
    RecordColumn::text_column(
        "why",
        "Why it fails: `none`, `multiple`, `gave_up` (as `status` says), `wrong_solution`, or the error \
         of a record that is not a puzzle, as in the rejects table.",
        |failure| failure.why,
    ),
    RecordColumn::text_column("message", "Why, in words.", |failure| &failure.message),
    RecordColumn::text_column(
        "raw",
        "The record's text, of a columnar format its puzzle; bytes that are not UTF-8 stand as `\\xNN`.",
        |failure| &failure.raw,
    ),
];

/// Writes the table of records that fail validation, even if it has no rows.
pub struct FailuresWriter(TableWriter);

impl FailuresWriter {
    /// Claims the destination, and starts the table.
    pub fn new(table: &Table, metadata: &TableMetadata) -> Result<FailuresWriter, Error> {
        let mut writer = table.start(&record_schema(FAILURE_COLUMNS), metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(FailuresWriter(writer))
    }

    pub(crate) fn write(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error> {
        if failures.is_empty() {
            return Ok(());
        }
        self.0
            .write(record_batch(FAILURE_COLUMNS, source, failures)?)
    }

    pub(crate) fn finish(self) -> Result<Target, Error> {
        self.0.finish()
    }
}
