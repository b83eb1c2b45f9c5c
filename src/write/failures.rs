//! Writes the table of records that fail validation.

use super::rejects::GROUP_BYTES;
use super::{Table, TableMetadata, TableWriter, Target};
use crate::error::Error;
use crate::table::column::{Rows, batch_of, schema_of};
use crate::table::columns::FAILURE_COLUMNS;
use crate::table::validation::Failure;

/// Writes the table of records that fail validation, even if it has no rows.
pub struct FailuresWriter(TableWriter);

impl FailuresWriter {
    /// Claims the destination, and starts the table.
    pub fn new(table: &Table, metadata: &TableMetadata) -> Result<FailuresWriter, Error> {
        let mut writer = table.start(&schema_of(&FAILURE_COLUMNS), metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(FailuresWriter(writer))
    }

    pub(crate) fn write(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error> {
        if failures.is_empty() {
            return Ok(());
        }
        let rows = Rows::of_input(source, failures);
        self.0.write(batch_of(&FAILURE_COLUMNS, rows)?)
    }

    pub(crate) fn finish(self) -> Result<Target, Error> {
        self.0.finish()
    }
}
