//! The rejects table.

use std::path::PathBuf;

use super::record_columns::{GROUP_BYTES, RecordColumn, numbers, rows, schema, texts};
use super::{Table, TableMetadata, TableWriter, Target};
use crate::error::Error;
use crate::store::{self, Location};
use crate::table::reject::Reject;

/// The columns of the rejects table, in order.
pub static REJECT_COLUMNS: &[RecordColumn<Reject>] = &[
    RecordColumn::source(),
    RecordColumn::number(
        "row",
        false,
        "The record's number in its source, from 0.",
        |_, rejects| numbers(rejects, |reject| Some(reject.row)),
    ),
    RecordColumn::number(
        "line",
        true,
        "The line on which the record starts, from 1; null in binary formats.",
        |_, rejects| numbers(rejects, |reject| reject.line),
    ),
    RecordColumn::number(
        "byte_offset",
        true,
        "Where the record starts in the decompressed source, from 0; null in binary formats.",
        |_, rejects| numbers(rejects, |reject| reject.byte_offset),
    ),
    RecordColumn::text(
        "error",
        "Why it was rejected: a stable id.",
        |_, rejects| texts(rejects, |reject| reject.reason.kind.id()),
    ),
    RecordColumn::text("message", "Why, in words.", |_, rejects| {
        texts(rejects, |reject| &reject.reason.message)
    }),
    RecordColumn::text(
        "raw",
        "The record's text; bytes that are not UTF-8 stand as `\\xNN`.",
        |_, rejects| texts(rejects, |reject| &reject.raw),
    ),
];

/// Writes the rejects of a run.
pub struct RejectsWriter {
    table: Table,
    metadata: TableMetadata,
    /// The writer; `None` until the first reject, unless the table is written even if it is empty.
    writer: Option<TableWriter>,
}

impl RejectsWriter {
    /// Writes to this table. With `always`, the table is written even without rejects.
    pub fn new(
        table: Table,
        metadata: TableMetadata,
        always: bool,
    ) -> Result<RejectsWriter, Error> {
        if let Some(path) = &table.path {
            super::target::refuse_existing(path, table.options)?;
        }
        let mut rejects = RejectsWriter {
            table,
            metadata,
            writer: None,
        };
        if always {
            rejects.writer()?;
        }
        Ok(rejects)
    }

    fn writer(&mut self) -> Result<&mut TableWriter, Error> {
        if self.writer.is_none() {
            let mut writer = self.table.start(&schema(REJECT_COLUMNS), &self.metadata)?;
            writer.shrink_groups(GROUP_BYTES);
            self.writer = Some(writer);
        }
        self.writer
            .as_mut()
            .ok_or_else(|| Error::Internal("no rejects table".into()))
    }

    /// Adds rejects, in input order.
    pub fn write(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        if rejects.is_empty() {
            return Ok(());
        }
        let batch = rows(REJECT_COLUMNS, source, rejects)?;
        self.writer()?.write(batch)
    }

    /// Ends the table. If there were no rejects, committing removes an earlier run's table that may
    /// be overwritten.
    pub(crate) fn finish(self) -> Result<FinishedRejects, Error> {
        Ok(match self.writer {
            Some(writer) => FinishedRejects::Table(writer.finish()?),
            None => FinishedRejects::Nothing(self.table),
        })
    }
}

impl RejectsWriter {
    /// Commits the rejects of a failed run, and returns their path; `None` if that fails too.
    pub(crate) fn keep(self) -> Option<PathBuf> {
        let path = self.table.path.clone()?;
        match self.finish() {
            Ok(FinishedRejects::Table(target)) => target.commit().ok().map(|()| path),
            Ok(FinishedRejects::Nothing(_)) | Err(_) => None,
        }
    }
}

/// A rejects table that is complete but not committed yet.
pub(crate) enum FinishedRejects {
    Table(Target),
    Nothing(Table),
}

impl FinishedRejects {
    pub(crate) fn commit(self) -> Result<(), Error> {
        match self {
            FinishedRejects::Table(target) => target.commit(),
            FinishedRejects::Nothing(table) => {
                if let Some(path) = table.path.filter(|_| table.options.overwrite) {
                    // An earlier run's rejects must not be mistaken for this run's.
                    store::delete(&Location::of(&path)?)?;
                }
                Ok(())
            }
        }
    }
}
