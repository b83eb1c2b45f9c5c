//! Puzzles that differ in a few clues from the puzzles of a file.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arrow::array::RecordBatch;
use arrow::datatypes::{FieldRef, Schema};
use rayon::ThreadPool;
use rayon::prelude::*;
use sudoku_core::board::{Grid, canonical};
use sudoku_core::generate::HodokuTarget;
use sudoku_core::generate::{Generated, GradeTarget, Near};
use sudoku_core::solve::Kernel;

use super::origin::{near_column, near_row_column};
use super::pairs::column_batch;
use super::starts::{StartsOptions, read_unique_puzzles};
use super::{layout, series_input, stages};
use crate::error::Error;
use crate::job::inputs::JobInput;
use crate::job::threads::stages::Stages;
use crate::pool::worker_pool;
use crate::read::{Batch, BatchSource, ColumnParser};
use crate::table::class_key::ClassKey;
use crate::table::column::Rows;
use crate::table::layout::Layout;
use crate::table::view::View;

/// The number of puzzles or random numbers that each thread processes before the results of all threads are collected.
const TRIES_PER_THREAD: u64 = 256;

/// The maximum number of rows of a batch.
const MOST_ROWS_PER_BATCH: usize = 4096;

/// The series ends after this many consecutive random numbers that give no new puzzle.
const MOST_NUMBERS_WITHOUT_RESULT: u64 = 4 * TRIES_PER_THREAD;

/// The puzzles that differ in a few clues from those of a file. Of each isomorph class, only the first puzzle
/// that is found is written.
pub struct NearSeries {
    near_options: Near,
    start_puzzles: Vec<Grid>,
    /// For each puzzle of the file, a row with the values of the columns that the puzzles near it get.
    origin_columns: RecordBatch,
    /// The number of random puzzles to find; `None` for all that exist.
    wanted_count: Option<u64>,
    target: GradeTarget,
}

impl NearSeries {
    /// Reads the puzzles of files. Each puzzle that is found gets the column `near` with the puzzle of the
    /// file, `near_row` with its row, and the other columns of the file.
    ///
    /// # Errors
    /// A file cannot be read, or a record is not a 9 × 9 puzzle with exactly one solution.
    pub fn read(
        options: &StartsOptions<'_>,
        near: Near,
        count: Option<u64>,
        target: GradeTarget,
    ) -> Result<NearSeries, Error> {
        let (puzzles, origin) =
            read_unique_puzzles(options, &near_row_column(), |grids| {
                match grids.puzzle.clue_count() {
                    clues if clues > near.swap => Ok(grids.puzzle),
                    clues => Err(format!("the puzzle has only {clues} clues")),
                }
            })?;
        let mut fields: Vec<FieldRef> = origin.schema().fields().to_vec();
        let mut columns = origin.columns().to_vec();
        let puzzle_column = near_column();
        fields.insert(0, Arc::new(puzzle_column.field()));
        columns.insert(0, puzzle_column.fill(Rows::of_inputs(&puzzles))?);
        Ok(NearSeries {
            near_options: near,
            start_puzzles: puzzles,
            origin_columns: RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?,
            wanted_count: count,
            target,
        })
    }

    /// The number of puzzles in the files; with random puzzles, the number of puzzles to find.
    pub fn count(&self) -> u64 {
        self.wanted_count.unwrap_or(self.start_puzzles.len() as u64)
    }

    /// The columns of the table. `condition` selects rows; if there is one, the puzzles are graded.
    ///
    /// # Errors
    ///
    /// The condition is invalid.
    pub fn layout(&self, condition: Option<&str>) -> Result<Layout, Error> {
        let is_graded = condition.is_some();
        let target_condition = match self.target {
            GradeTarget::Any => None,
            GradeTarget::Level(level) => Some(format!("level = '{}'", level.id())),
            GradeTarget::Technique(rank) => Some(format!("technique = '{}'", rank.id())),
            GradeTarget::Rating(range) => Some(format!(
                "se >= {} and se <= {}",
                range.lowest, range.highest
            )),
            GradeTarget::Hodoku(HodokuTarget { level, score, .. }) => {
                let level = level.map(|level| format!("hodoku_level = '{}'", level.id()));
                let score = score.map(|range| {
                    format!(
                        "hodoku_score >= {} and hodoku_score <= {}",
                        range.lowest, range.highest
                    )
                });
                let target_texts: Vec<String> = level.into_iter().chain(score).collect();
                (!target_texts.is_empty()).then(|| target_texts.join(" and "))
            }
        };
        layout(
            self.target,
            is_graded,
            self.origin_columns.schema().fields(),
            View {
                condition: condition.map(str::to_owned),
                required: target_condition,
                ..View::default()
            },
        )
    }

    /// The other columns of the files, which are carried to the output.
    pub fn fields(&self) -> Vec<FieldRef> {
        self.origin_columns.schema().fields().to_vec()
    }

    /// The processing steps that fill the columns. `has_condition` says whether [`NearSeries::layout`] has
    /// a condition.
    pub fn stages(&self, has_condition: bool) -> Stages {
        stages(self.target, has_condition)
    }

    /// Makes an input from the series. The series ends early when a signal's number is stored in `stop`. The
    /// second result counts the puzzles that were found.
    ///
    /// # Errors
    ///
    /// The system cannot start the threads.
    pub fn into_input(
        self,
        threads: usize,
        kernel: Kernel,
        stop: Arc<AtomicUsize>,
    ) -> Result<(JobInput, Arc<AtomicU64>), Error> {
        let starts_done = Arc::new(AtomicU64::new(0));
        let found_count = Arc::new(AtomicU64::new(0));
        let carried_fields = self.fields();
        let numbers_left = match self.wanted_count {
            Some(_) => 0..u64::MAX,
            None => 0..self.start_puzzles.len() as u64,
        };
        let source = NearSource {
            series: self,
            numbers_left,
            numbers_without_result: 0,
            pool: worker_pool(threads)?,
            kernel,
            stop,
            found_classes: HashSet::new(),
            ready_puzzles: VecDeque::new(),
            rows_written: 0,
            tries_done: starts_done.clone(),
            puzzles_found: found_count.clone(),
        };
        let parser = ColumnParser::new(true, true);
        let input = series_input(
            Box::new(source),
            Arc::new(parser),
            carried_fields,
            starts_done,
        );
        Ok((input, found_count))
    }
}

/// A puzzle, preceded by the index of the puzzle of the file that it differs from in a few clues.
type NearPuzzle = (u32, Generated);

/// Finds puzzles batch by batch, on several threads.
struct NearSource {
    series: NearSeries,
    /// The indices of puzzles, or the random numbers, that are still to be processed.
    numbers_left: Range<u64>,
    /// The number of random numbers that have been tried since the last new puzzle.
    numbers_without_result: u64,
    pool: ThreadPool,
    kernel: Kernel,
    stop: Arc<AtomicUsize>,
    /// The isomorph classes that have been found.
    found_classes: HashSet<ClassKey>,
    /// New puzzles that are not in a batch yet.
    ready_puzzles: VecDeque<NearPuzzle>,
    /// The number of rows in the batches so far.
    rows_written: u64,
    tries_done: Arc<AtomicU64>,
    puzzles_found: Arc<AtomicU64>,
}

impl NearSource {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// The number of random puzzles that are still to be found.
    fn puzzles_still_wanted(&self) -> u64 {
        let found_count = self.rows_written + self.ready_puzzles.len() as u64;
        self.series
            .wanted_count
            .unwrap_or(u64::MAX)
            .saturating_sub(found_count)
    }

    /// Processes the next puzzles or random numbers, and appends new puzzles to `ready_puzzles` in order.
    fn try_next_numbers(&mut self) {
        let threads = self.pool.current_num_threads() as u64;
        let first_number = self.numbers_left.start;
        let block_size = TRIES_PER_THREAD * threads;
        // The size of a block of random numbers does not depend on the number of threads, so that the same puzzles are
        // found with any number of threads.
        let block_size = match self.series.wanted_count {
            Some(_) => self.puzzles_still_wanted().clamp(32, TRIES_PER_THREAD),
            None => block_size,
        };
        let end_number = self
            .numbers_left
            .end
            .min(first_number.saturating_add(block_size));
        self.numbers_left.start = end_number;
        let results_by_thread = self.pool.broadcast(|context| {
            let thread_numbers =
                (first_number + context.index() as u64..end_number).step_by(threads as usize);
            let NearSeries {
                near_options: near,
                start_puzzles: puzzles,
                ..
            } = &self.series;
            let mut found_puzzles: Vec<(u64, u32, Generated)> = Vec::new();
            match self.series.wanted_count {
                None => near.all(
                    self.kernel,
                    thread_numbers.map(|n| (n, puzzles[n as usize])),
                    |n, all| {
                        self.tries_done.fetch_add(1, Ordering::Relaxed);
                        found_puzzles.extend(all.into_iter().map(|made| (n, n as u32, made)));
                    },
                    || self.is_stopped(),
                ),
                Some(_) => near.random(
                    self.kernel,
                    puzzles,
                    thread_numbers,
                    |n, made| {
                        found_puzzles.extend(made.map(|(at, made)| (n, at as u32, made)));
                    },
                    || self.is_stopped(),
                ),
            }
            found_puzzles
        });
        let mut found_puzzles: Vec<_> = results_by_thread.into_iter().flatten().collect();
        // The sort is stable, so puzzles that differ from the same puzzle of the file keep their order.
        found_puzzles.sort_by_key(|(n, ..)| *n);
        let classes: Vec<ClassKey> = self.pool.install(|| {
            let isomorph_class = |(_, _, made): &(u64, u32, Generated)| {
                ClassKey::from_text(canonical(&made.puzzle).form.as_bytes())
            };
            found_puzzles.par_iter().map(isomorph_class).collect()
        });
        let mut last_found_number = first_number;
        for ((n, at, made), isomorph_class) in found_puzzles.into_iter().zip(classes) {
            if self.puzzles_still_wanted() > 0 && self.found_classes.insert(isomorph_class) {
                self.ready_puzzles.push_back((at, made));
                self.numbers_without_result = 0;
                last_found_number = n;
                self.puzzles_found.fetch_add(1, Ordering::Relaxed);
                if self.series.wanted_count.is_some() {
                    self.tries_done.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        self.numbers_without_result += end_number - last_found_number;
    }
}

impl BatchSource for NearSource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        while self.ready_puzzles.len() < MOST_ROWS_PER_BATCH
            && !self.numbers_left.is_empty()
            && self.puzzles_still_wanted() > 0
            && (self.series.wanted_count.is_none()
                || self.numbers_without_result < MOST_NUMBERS_WITHOUT_RESULT)
        {
            self.try_next_numbers();
            if self.is_stopped() {
                return Ok(None);
            }
        }
        if self.ready_puzzles.is_empty() {
            return Ok(None);
        }
        let row_count = self.ready_puzzles.len().min(MOST_ROWS_PER_BATCH);
        let batch_puzzles: Vec<NearPuzzle> = self.ready_puzzles.drain(..row_count).collect();
        let pairs = batch_puzzles.iter().map(|(_, made)| {
            let Generated {
                puzzle, solution, ..
            } = made;
            (puzzle.as_str(), solution.as_str())
        });
        let rows = batch_puzzles.iter().map(|(at, _)| *at).collect();
        let batch = column_batch(pairs, &self.series.origin_columns, rows, self.rows_written)?;
        self.rows_written += batch.rows as u64;
        Ok(Some(batch))
    }
}
