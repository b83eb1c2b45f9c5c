//! Adds up the counts of all batches. Also has the output of a job that only counts rows.

use std::sync::{Arc, Mutex, PoisonError};

use super::puzzles::{PuzzleSpool, WantedPuzzles};
use crate::counts::frames::aggregated_frames::AggregatedFrames;
use crate::counts::partials::Partials;
use crate::counts::statistics::Statistics;
use crate::counts::tables::column_roles::RowColumns;
use crate::counts::tables::distinct::column_totals::ColumnTotals;
use crate::counts::tables::distinct::repeats::RepeatCounter;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::counts::tables::plan::{CountedPart, TablePart};
use crate::counts::tables::{BatchCounts, MOST_FRAME_ROWS, RowFigures};
use crate::error::Error;
use crate::pool::Pool;
use crate::write::{Background, BatchResult, EncodeTask, Output};

/// The totals over all batches of the counted tables: statistics, column totals and repeated rows.
#[derive(Default)]
pub(super) struct TableTotals {
    /// The inputs and the first rejects, which depend on the order of the batches.
    ordered: Statistics,
    /// The number of rows so far.
    rows: u64,
    counts: Arc<RowTotals>,
    /// Runs the counting on the worker threads; `None` to count on the calling thread.
    background: Option<Background>,
    /// The puzzles of all rows, if the inputs cannot be read a second time; otherwise `None`.
    puzzle_spool: Option<PuzzleSpool>,
    /// The rows whose puzzles are wanted, for a job that only searches for puzzles; otherwise `None`.
    pub(super) wanted_puzzles: Option<WantedPuzzles>,
}

/// The totals that do not depend on the order of the batches. Several threads can add batches at the same time.
#[derive(Default)]
struct RowTotals {
    partials: Partials<RowPartial>,
    columns: Vec<ColumnTotals>,
    /// Finds rows that repeat the puzzle of another row; `None` if the tables have no puzzles.
    puzzle_repeats: Option<RepeatCounter>,
    /// Finds rows that repeat the value of another row in the column `canonical`; `None` if the tables lack the column.
    canonical_repeats: Option<RepeatCounter>,
}

/// The totals over some of the batches.
#[derive(Default)]
struct RowPartial {
    statistics: Statistics,
    /// The figures of rows that are counted by grouping them.
    figures: RowFigures,
    runs: AggregatedFrames,
}

impl RowPartial {
    fn merge(&mut self, other: RowPartial) -> Result<(), Error> {
        self.statistics.merge(other.statistics);
        self.figures.add(other.figures)?;
        Ok(self.runs.add(other.runs)?)
    }
}

impl RowTotals {
    /// Adds the counts of a batch of rows. `first_row` is the number of its first row, and `most_frame_rows` the maximum
    /// number of rows of the frames of a partial total.
    fn add_rows(
        &self,
        batch: BatchCounts,
        first_row: u64,
        most_frame_rows: usize,
    ) -> Result<(), Error> {
        let BatchCounts {
            statistics,
            figures,
            column_parts,
            puzzle_hashes,
            canonical_hashes,
        } = batch;
        self.partials.add(RowPartial::default, |partial| {
            partial.statistics.merge(statistics);
            partial.figures.add(figures)?;
            partial.figures.limit_rows(most_frame_rows)
        })?;
        for (repeats, hashes) in [
            (&self.puzzle_repeats, puzzle_hashes),
            (&self.canonical_repeats, canonical_hashes),
        ] {
            if let Some(repeats) = repeats {
                repeats.add_hashes(&hashes, first_row)?;
            }
        }
        for (totals, column) in self.columns.iter().zip(column_parts) {
            totals.add_batch(column)?;
        }
        Ok(())
    }

    fn add_runs(&self, runs: AggregatedFrames) -> Result<(), Error> {
        self.partials
            .add(RowPartial::default, |partial| Ok(partial.runs.add(runs)?))
    }
}

impl TableTotals {
    /// Totals to which this number of threads adds batches.
    pub(super) fn from_rows(
        columns: &RowColumns,
        has_puzzles: bool,
        has_spool: bool,
        budget: &MemoryBudget,
        threads: usize,
    ) -> TableTotals {
        let other_totals = columns.other_columns.iter();
        let other_totals =
            other_totals.map(|of| ColumnTotals::new(&of.name, &of.data_type, budget, threads));
        let new_repeats = |()| RepeatCounter::new(budget, threads);
        let canonical = columns.index_of("canonical").map(|_| ());
        TableTotals {
            counts: Arc::new(RowTotals {
                columns: other_totals.collect(),
                puzzle_repeats: has_puzzles.then_some(()).map(new_repeats),
                canonical_repeats: canonical.map(new_repeats),
                ..RowTotals::default()
            }),
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

    /// Adds the counts of the next batch. The worker threads add up what does not depend on the order of the batches.
    fn add_part(&mut self, part: TablePart) -> Result<(), Error> {
        match part.0 {
            CountedPart::Rows(mut batch) => {
                let first_row = self.rows;
                self.rows += batch.statistics.rows;
                self.ordered.merge(batch.statistics.take_ordered());
                let threads = self.background.as_ref().map_or(1, Background::threads);
                let most_frame_rows = MOST_FRAME_ROWS / threads;
                self.count(move |counts| counts.add_rows(*batch, first_row, most_frame_rows))
            }
            CountedPart::Rejects(part) => {
                self.ordered.merge(*part);
                Ok(())
            }
            CountedPart::Runs(runs) => self.count(|counts| counts.add_runs(runs)),
            CountedPart::Uncounted => Ok(()),
        }
    }

    fn count(
        &self,
        add: impl FnOnce(&RowTotals) -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        let Some(background) = &self.background else {
            return add(&self.counts);
        };
        let (counts, batch) = (Arc::clone(&self.counts), background.begin_batch());
        background.spawn(move || {
            let result = add(&counts);
            drop(batch);
            result
        });
        Ok(())
    }

    /// The counts of all batches, merged on the threads of the job.
    fn merge_counts(&mut self) -> Result<(RowPartial, RowTotals, Option<Arc<Pool>>), Error> {
        let background = self.background.take();
        if let Some(background) = &background {
            background.wait()?;
        }
        let counts = Arc::into_inner(std::mem::take(&mut self.counts));
        let counts = counts.ok_or_else(|| Error::Internal("counts that are in use".into()))?;
        let pool = background.map(|background| Arc::clone(background.pool()));
        let merged = counts
            .partials
            .merge(pool.as_deref().and_then(Pool::workers), RowPartial::merge)?;
        Ok((merged.unwrap_or_default(), counts, pool))
    }

    /// Returns the statistics and the stored puzzles. In the statistics, the puzzles of repeated rows are still
    /// missing.
    pub(super) fn finish(mut self) -> Result<(Statistics, Option<PuzzleSpool>), Error> {
        let (merged, counts, pool) = self.merge_counts()?;
        let pool = pool.as_deref().and_then(Pool::workers);
        let mut statistics = merged.statistics;
        statistics.merge(self.ordered);
        merged.figures.add_to(&mut statistics)?;
        if let Some(puzzles) = counts.puzzle_repeats {
            statistics.duplicates = Some(puzzles.finish("puzzle", pool)?);
        }
        if let Some(canonical) = counts.canonical_repeats {
            statistics.isomorphs = Some(canonical.finish("canonical", pool)?);
        }
        for column in counts.columns {
            statistics.columns.push(column.finish(pool)?);
        }
        Ok((statistics, self.puzzle_spool))
    }

    /// Returns the sums over the runs of solvers.
    pub(super) fn finish_runs(mut self) -> Result<AggregatedFrames, Error> {
        Ok(self.merge_counts()?.0.runs)
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

    fn use_background(&mut self, background: &Background) {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        totals.background = Some(background.clone());
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
