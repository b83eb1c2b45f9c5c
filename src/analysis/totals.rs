//! Adds up the counts of all batches. Also has the output of a job that only counts rows.

use std::sync::{Arc, Mutex, PoisonError};

use super::puzzles::{PuzzleSpool, WantedPuzzles};
use crate::counts::frames::aggregated_frames::AggregatedFrames;
use crate::counts::statistics::Statistics;
use crate::counts::tables::column_roles::RowColumns;
use crate::counts::tables::distinct::column_totals::ColumnTotals;
use crate::counts::tables::distinct::repeats::RepeatCounter;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::counts::tables::plan::{CountedPart, TablePart};
use crate::counts::tables::{MOST_FRAME_ROWS, RowFigures};
use crate::error::Error;
use crate::write::{BatchResult, EncodeTask, Output};

/// The totals over all batches of the counted tables: statistics, column totals and repeated rows.
#[derive(Default)]
pub(super) struct TableTotals {
    statistics: Statistics,
    columns: Vec<ColumnTotals>,
    /// Finds rows that repeat the puzzle of another row; `None` if the tables have no puzzles.
    puzzle_repeats: Option<RepeatCounter>,
    /// Finds rows that repeat the value of another row in the column `canonical`; `None` if the tables lack the column.
    canonical_repeats: Option<RepeatCounter>,
    /// The figures of rows that are counted by grouping them.
    figures: RowFigures,
    pub(super) runs: AggregatedFrames,
    /// The puzzles of all rows, if the inputs cannot be read a second time; otherwise `None`.
    puzzle_spool: Option<PuzzleSpool>,
    /// The rows whose puzzles are wanted, for a job that only searches for puzzles; otherwise `None`.
    pub(super) wanted_puzzles: Option<WantedPuzzles>,
}

impl TableTotals {
    pub(super) fn from_rows(
        columns: &RowColumns,
        has_puzzles: bool,
        has_spool: bool,
        budget: &MemoryBudget,
    ) -> TableTotals {
        let other_totals = columns.other_columns.iter();
        let other_totals =
            other_totals.map(|of| ColumnTotals::new(&of.name, &of.data_type, budget));
        TableTotals {
            columns: other_totals.collect(),
            puzzle_repeats: has_puzzles.then(|| RepeatCounter::new(budget)),
            canonical_repeats: columns.canonical_column.map(|_| RepeatCounter::new(budget)),
            puzzle_spool: (has_spool && has_puzzles).then(PuzzleSpool::default),
            ..TableTotals::default()
        }
    }

    /// Totals for a job that counts nothing, and only searches for the puzzles of these rows.
    pub(super) fn from_search(wanted: WantedPuzzles) -> TableTotals {
        TableTotals {
            wanted_puzzles: Some(wanted),
            ..TableTotals::default()
        }
    }

    fn add_part(&mut self, part: TablePart) -> Result<(), Error> {
        let row_statistics = match part.0 {
            CountedPart::Rows(part) => *part,
            CountedPart::Rejects(part) => {
                self.statistics.merge(*part);
                return Ok(());
            }
            CountedPart::Runs(part) => {
                return Ok(self.runs.add(part)?);
            }
            CountedPart::Uncounted => return Ok(()),
        };
        let first_row = self.statistics.rows;
        self.statistics.merge(row_statistics.statistics);
        self.figures.add(row_statistics.figures)?;
        self.figures.limit_rows(MOST_FRAME_ROWS)?;
        for (repeats, hashes) in [
            (&mut self.puzzle_repeats, row_statistics.puzzle_hashes),
            (&mut self.canonical_repeats, row_statistics.canonical_hashes),
        ] {
            if let Some(repeats) = repeats {
                repeats.add_hashes(&hashes, first_row)?;
            }
        }
        for (totals, row_statistics) in self.columns.iter_mut().zip(row_statistics.column_parts) {
            totals.add_batch(row_statistics)?;
        }
        Ok(())
    }

    /// Returns the statistics and the stored puzzles. In the statistics, the puzzles of repeated rows are still
    /// missing.
    pub(super) fn finish(self) -> Result<(Statistics, Option<PuzzleSpool>), Error> {
        let mut statistics = self.statistics;
        self.figures.add_to(&mut statistics)?;
        if let Some(puzzles) = self.puzzle_repeats {
            statistics.duplicates = Some(puzzles.finish("puzzle")?);
        }
        if let Some(canonical) = self.canonical_repeats {
            statistics.isomorphs = Some(canonical.finish("canonical")?);
        }
        for column in self.columns {
            statistics.columns.push(column.finish()?);
        }
        Ok((statistics, self.puzzle_spool))
    }
}

/// The totals to which the output of a job adds counts. They remain available after the job.
#[derive(Clone)]
pub(super) struct SharedTotals(Arc<Mutex<TableTotals>>);

impl SharedTotals {
    pub(super) fn new(totals: TableTotals) -> SharedTotals {
        SharedTotals(Arc::new(Mutex::new(totals)))
    }

    /// Moves the totals out. Called after the job has ended.
    pub(super) fn take_totals(&self) -> TableTotals {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Output for SharedTotals {
    fn wants_rows(&self) -> bool {
        true
    }

    fn batch(&mut self, _: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = result.figures.table_part.take() {
            totals.add_part(*part)?;
        }
        let Some(rows) = result.rows.take() else {
            return Ok(Vec::new());
        };
        if let Some(spool) = &mut totals.puzzle_spool {
            spool.push(&rows)?;
        }
        let is_done =
            (totals.wanted_puzzles.as_mut()).is_some_and(|wanted| !wanted.search_batch(&rows));
        if is_done {
            // All wanted puzzles have been found. This error ends the job before the last row.
            Err(Error::BrokenPipe)
        } else {
            Ok(Vec::new())
        }
    }

    fn left_behind(&self) -> String {
        "nothing was written".to_owned()
    }
}
