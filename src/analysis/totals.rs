//! The totals over all batches, and the output of a job that only counts.

use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;

use super::puzzles::{PuzzleSpool, WantedPuzzles};
use crate::error::Error;
use crate::report::Tally;
use crate::report::statistics::Statistics;
use crate::report::tables::plan::{CountedPart, TablePart};
use crate::report::tables::roles::RowColumns;
use crate::report::tables::runs::{self, RunGroups};
use crate::report::tables::values::column_totals::ColumnTotals;
use crate::report::tables::values::repeats::Repeats;
use crate::report::tables::values::sorted_counts::Budget;
use crate::write::{EncodeTask, Output};

/// The totals over all batches of the tables.
#[derive(Default)]
pub(super) struct TableTotals {
    statistics: Statistics,
    columns: Vec<ColumnTotals>,
    /// The hashes of the puzzles and of the column `canonical`; `None` if the tables do not have them.
    puzzles: Option<Repeats>,
    canonical: Option<Repeats>,
    pub(super) runs: RunGroups,
    /// The puzzles, if the inputs cannot be read a second time; otherwise `None`.
    spool: Option<PuzzleSpool>,
    /// For a job that only searches puzzles: the wanted rows.
    pub(super) wanted: Option<WantedPuzzles>,
}

impl TableTotals {
    pub(super) fn from_rows(
        columns: &RowColumns,
        has_puzzles: bool,
        spools: bool,
        budget: &Budget,
    ) -> TableTotals {
        let others = columns.others.iter();
        let others = others.map(|of| ColumnTotals::new(&of.name, &of.data_type, budget));
        TableTotals {
            columns: others.collect(),
            puzzles: has_puzzles.then(|| Repeats::new(budget)),
            canonical: columns.canonical.map(|_| Repeats::new(budget)),
            spool: (spools && has_puzzles).then(PuzzleSpool::default),
            ..TableTotals::default()
        }
    }

    /// Totals for a job that counts nothing, and searches the puzzles of these rows.
    pub(super) fn from_search(wanted: WantedPuzzles) -> TableTotals {
        TableTotals {
            wanted: Some(wanted),
            ..TableTotals::default()
        }
    }

    fn add(&mut self, part: TablePart) -> Result<(), Error> {
        let part = match part.0 {
            CountedPart::Rows(part) => *part,
            CountedPart::Rejects(part) => {
                self.statistics.merge(*part);
                return Ok(());
            }
            CountedPart::Runs(part) => {
                runs::merge(&mut self.runs, part);
                return Ok(());
            }
            CountedPart::Uncounted => return Ok(()),
        };
        let first = self.statistics.rows;
        self.statistics.merge(part.statistics);
        for (repeats, hashes) in [
            (&mut self.puzzles, part.puzzles),
            (&mut self.canonical, part.canonical),
        ] {
            if let Some(repeats) = repeats {
                repeats.add(&hashes, first)?;
            }
        }
        for (totals, part) in self.columns.iter_mut().zip(part.columns) {
            totals.add(part)?;
        }
        Ok(())
    }

    /// The statistics, in which the puzzles of repeated rows are still missing, and the stored puzzles.
    pub(super) fn finish(self) -> Result<(Statistics, Option<PuzzleSpool>), Error> {
        let mut statistics = self.statistics;
        if let Some(puzzles) = self.puzzles {
            statistics.duplicates = Some(puzzles.finish("puzzle")?);
        }
        if let Some(canonical) = self.canonical {
            statistics.isomorphs = Some(canonical.finish("canonical")?);
        }
        for column in self.columns {
            statistics.columns.push(column.finish()?);
        }
        Ok((statistics, self.spool))
    }
}

/// Totals that the output of a job fills, and that can be read after the job.
#[derive(Clone)]
pub(super) struct SharedTotals(Arc<Mutex<TableTotals>>);

impl SharedTotals {
    pub(super) fn new(totals: TableTotals) -> SharedTotals {
        SharedTotals(Arc::new(Mutex::new(totals)))
    }

    /// Moves the totals out.
    pub(super) fn take(&self) -> TableTotals {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Output for SharedTotals {
    fn wants_rows(&self) -> bool {
        true
    }

    fn counted(&mut self, part: TablePart) -> Result<(), Error> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(part)
    }

    fn rows(&mut self, rows: Option<RecordBatch>, _: &Tally) -> Result<Vec<EncodeTask>, Error> {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(rows) = rows else {
            return Ok(Vec::new());
        };
        if let Some(spool) = &mut totals.spool {
            spool.push(&rows)?;
        }
        let is_done = (totals.wanted.as_mut()).is_some_and(|wanted| !wanted.take(&rows));
        match is_done {
            // All wanted puzzles have been found, so the job ends.
            true => Err(Error::BrokenPipe),
            false => Ok(Vec::new()),
        }
    }

    fn left_behind(&self) -> String {
        "nothing was written".to_owned()
    }
}
