//! The output of a run to a single file.

use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;

use super::{EncodeTask, Output, TableId};
use crate::error::Error;
use crate::report::Tally;
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::commit::{Claim, OutputSet};
use crate::write::failures::FailuresWriter;
use crate::write::rejects::RejectsWriter;
use crate::write::{Encoded, TableWriter};

/// Writes all inputs to one table, with one table of rejects.
pub struct FileOutput {
    /// The table; `None` if only the counts are needed.
    table: Option<TableWriter>,
    rejects: Option<RejectsWriter>,
    failures: Option<FailuresWriter>,
    /// The claims of the table and the rejects.
    claims: Vec<Claim>,
}

const TABLE: TableId = TableId(0);

impl FileOutput {
    /// Writes to these tables; each is optional.
    pub fn new(mut table: Option<TableWriter>, mut rejects: Option<RejectsWriter>) -> FileOutput {
        let of_table = table.as_mut().and_then(TableWriter::take_claim);
        let of_rejects = rejects.as_mut().and_then(RejectsWriter::take_claim);
        FileOutput {
            table,
            rejects,
            failures: None,
            claims: of_table.into_iter().chain(of_rejects).collect(),
        }
    }

    /// Whether it writes rejects.
    pub(crate) fn keeps_rejects(&self) -> bool {
        self.rejects.is_some()
    }

    /// Adds a table for the records that fail validation.
    pub fn with_failures(self, failures: FailuresWriter) -> FileOutput {
        FileOutput {
            failures: Some(failures),
            ..self
        }
    }
}

impl Output for FileOutput {
    fn wants_rows(&self) -> bool {
        self.table.is_some()
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        match &mut self.rejects {
            Some(writer) => writer.write(source, rejects),
            None => Ok(()),
        }
    }

    fn failures(&mut self, source: &str, failures: &[Failure]) -> Result<(), Error> {
        match &mut self.failures {
            Some(writer) => writer.write(source, failures),
            None => Ok(()),
        }
    }

    fn rows(&mut self, rows: Option<RecordBatch>, _: &Tally) -> Result<Vec<EncodeTask>, Error> {
        let (Some(table), Some(rows)) = (&mut self.table, rows) else {
            return Ok(Vec::new());
        };
        let full = table.push(rows).into_iter();
        Ok(full
            .map(|group| EncodeTask {
                table: TABLE,
                group,
            })
            .collect())
    }

    fn append(&mut self, _: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        match &mut self.table {
            Some(table) => table.append(index, encoded),
            None => Ok(()),
        }
    }

    fn groups_under_way(&self) -> usize {
        self.table.as_ref().map_or(0, TableWriter::in_flight)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let last = self.table.as_mut().and_then(TableWriter::take_group);
        let work = last.map(|group| EncodeTask {
            table: TABLE,
            group,
        });
        Ok(work.into_iter().collect())
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        self.claims
            .into_iter()
            .for_each(|claim| set.add_claim(Some(claim)));
        if let Some(rejects) = self.rejects {
            rejects.finish(set)?;
        }
        if let Some(failures) = self.failures {
            set.add(failures.finish()?)?;
        }
        match self.table {
            Some(table) => set.add_marker(table.finish()?),
            None => Ok(()),
        }
    }

    /// Keeps the rejects if the run had too many of them, since they explain the failure.
    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        let FileOutput {
            claims,
            table,
            rejects,
            ..
        } = *self;
        let place = table
            .as_ref()
            .and_then(TableWriter::path)
            .map(Path::to_owned);
        drop(table);
        match (why, rejects) {
            (Error::TooManyRejects { .. }, Some(rejects)) => rejects.keep(claims, place.as_deref()),
            _ => None,
        }
    }
}
