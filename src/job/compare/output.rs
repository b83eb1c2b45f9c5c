//! The output of the job of `compare`: sends puzzles to the compare thread, and writes rejects to a table.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow::array::{Array, AsArray, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, SchemaRef, UInt64Type};
use sudoku_core::text::{normalise, validate};

use super::{CompareProgress, Comparison, LabelledPuzzle, PUZZLES_AT_A_TIME};
use crate::counts::ComparisonTables;
use crate::error::{ComparisonError, Error, StartError};
use crate::job::threads::progress::Progress;
use crate::panics::caught;
use crate::pool::worker_pool;
use crate::write::{BatchResult, EncodeTask, FileOutput, Output, OutputSet, TableWriter};

/// The interval at which the writing thread checks for signals while it waits for the compare thread.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The numbers of characters in a 9 × 9 puzzle: 81 for clues, 729 for pencil marks.
const LENGTHS_OF_9X9: [usize; 2] = [81, 729];

/// Runs the solvers of a [`Comparison`] on the rows of a job. The rows have the columns `source`, `row`,
/// `puzzle`, and optionally a label.
pub struct CompareOutput {
    rejects: FileOutput,
    /// Sends batches to the compare thread; `None` after the last batch.
    batch_sender: Option<Sender<RecordBatch>>,
    /// A channel that is disconnected when the compare thread has ended.
    thread_end: Receiver<()>,
    shared: Arc<CompareShared>,
    /// Makes the text about the results, which is printed before the outputs are published.
    make_report: Box<ReportTables>,
    sources: Vec<String>,
    allow_empty: bool,
}

type ReportTables = dyn FnOnce(&ComparisonTables) -> Vec<u8> + Send;

/// The state shared by the writing thread and the compare thread.
struct CompareShared {
    progress: CompareProgress,
    solver_count: u64,
    /// The number of batches that have not been compared yet.
    unfinished_batches: AtomicUsize,
    results: Mutex<CompareResults>,
}

struct CompareResults {
    tables: ComparisonTables,
    /// The table of runs; `None` after the run has ended. Dropping it removes its temporary file.
    runs_table: Option<TableWriter>,
    first_error: Option<Error>,
}

/// The results of a comparison so far, shared with other threads.
#[derive(Clone)]
pub struct Compared(Arc<CompareShared>);

impl Compared {
    /// The number of puzzles whose runs are complete, averaged over the solvers.
    fn puzzles(&self) -> u64 {
        self.0.progress.finished_runs.load(Ordering::Relaxed) / self.0.solver_count.max(1)
    }

    /// The progress of the job, in which a row only counts as done when all solvers have run on its puzzle.
    pub fn progress(&self, progress: Progress) -> Progress {
        let rows = (self.puzzles() + progress.rejects).min(progress.rows);
        let bytes = u128::from(progress.bytes_done) * u128::from(rows);
        Progress {
            rows,
            bytes_done: (bytes / u128::from(progress.rows.max(1))) as u64,
            ..progress
        }
    }

    /// Calls `read` with the results of the comparison so far.
    pub fn with_tables<T>(&self, read: impl FnOnce(&ComparisonTables) -> T) -> T {
        read(&self.0.results().tables)
    }
}

impl CompareShared {
    fn results(&self) -> std::sync::MutexGuard<'_, CompareResults> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CompareOutput {
    /// Starts the compare thread. The runs are written to `runs_table`, a table with the columns of
    /// [`runs_schema`], and rejects to `rejects`. `schema` is the schema of the rows, and `label` is the
    /// column that groups the puzzles. `report` makes the text that is printed before the outputs are
    /// published. If printing fails, the run fails.
    ///
    /// [`runs_schema`]: super::runs_schema
    ///
    /// # Errors
    /// Threads cannot be started.
    pub fn start(
        comparison: Comparison,
        runs_table: TableWriter,
        rejects: FileOutput,
        schema: &SchemaRef,
        label: Option<usize>,
        sources: Vec<String>,
        report: impl FnOnce(&ComparisonTables) -> Vec<u8> + Send + 'static,
    ) -> Result<(CompareOutput, Compared), Error> {
        let methods: Vec<_> = { comparison.contenders.iter() }
            .map(|one| one.method)
            .collect();
        let shared = Arc::new(CompareShared {
            progress: CompareProgress::default(),
            solver_count: methods.len() as u64,
            unfinished_batches: AtomicUsize::new(0),
            results: Mutex::new(CompareResults {
                tables: ComparisonTables::new(&methods),
                runs_table: Some(runs_table),
                first_error: None,
            }),
        });
        let (batches, inbox) = channel();
        let (alive, ended) = channel();
        let allow_empty = comparison.allow_empty;
        let thread = CompareThread {
            thread_pool: worker_pool(comparison.threads)?,
            puzzle_column: schema.index_of("puzzle")?,
            label,
            comparison,
            shared: Arc::clone(&shared),
        };
        // The thread is detached, because after a signal it may still be in a long run.
        std::thread::Builder::new()
            .name("compare".into())
            .spawn(move || {
                thread.run(&inbox);
                drop(alive);
            })
            .map_err(StartError::ReaderThread)?;
        let output = CompareOutput {
            rejects,
            batch_sender: Some(batches),
            thread_end: ended,
            shared: Arc::clone(&shared),
            make_report: Box::new(report),
            sources,
            allow_empty,
        };
        Ok((output, Compared(shared)))
    }

    /// Returns the error of the compare thread, if it has failed.
    fn check_failure(&self) -> Result<(), Error> {
        self.shared.results().first_error.take().map_or(Ok(()), Err)
    }
}

/// The thread that runs the solvers.
struct CompareThread {
    comparison: Comparison,
    thread_pool: rayon::ThreadPool,
    /// The index of the puzzle column.
    puzzle_column: usize,
    label: Option<usize>,
    shared: Arc<CompareShared>,
}

impl CompareThread {
    fn run(&self, batches: &Receiver<RecordBatch>) {
        while let Ok(batch) = batches.recv() {
            if self.shared.results().first_error.is_none() {
                let panic_error =
                    |panic| Err(Error::Internal(format!("comparing failed: {panic}")));
                if let Err(error) =
                    caught(|| self.compare_batch(&batch)).unwrap_or_else(panic_error)
                {
                    self.shared.results().first_error = Some(error);
                }
            }
            self.shared
                .unfinished_batches
                .fetch_sub(1, Ordering::Release);
        }
    }

    fn compare_batch(&self, batch: &RecordBatch) -> Result<(), Error> {
        let puzzles = self.parse_puzzles(batch)?;
        for puzzles in puzzles.chunks(PUZZLES_AT_A_TIME) {
            // The lock on the results is held only during updates, so that a signal can end the run during a
            // comparison.
            let progress = &self.shared.progress;
            let rows = (self.comparison).run_all_solvers(puzzles, &self.thread_pool, progress)?;
            let mut results = self.shared.results();
            let CompareResults {
                tables,
                runs_table: runs,
                ..
            } = &mut *results;
            let (Some(rows), Some(runs)) = (rows, runs) else {
                return Ok(());
            };
            tables.add_rows(&rows)?;
            runs.write(rows)?;
        }
        Ok(())
    }

    /// The 9 × 9 puzzles of a batch. Puzzles of other sizes are only counted.
    fn parse_puzzles(&self, batch: &RecordBatch) -> Result<Vec<LabelledPuzzle>, Error> {
        let labels = self.label.map(|at| cast(batch.column(at), &DataType::Utf8));
        let labels = labels
            .transpose()?
            .map(|labels| StringArray::from(labels.to_data()));
        let sources = batch.column(0).as_string::<i32>();
        let rows = batch.column(1).as_primitive::<UInt64Type>();
        let texts = batch.column(self.puzzle_column).as_string::<i32>();
        let mut puzzles = Vec::with_capacity(batch.num_rows());
        let mut other_sizes = 0;
        for (at, text) in texts.iter().flatten().enumerate() {
            if !LENGTHS_OF_9X9.contains(&text.len()) {
                other_sizes += 1;
                continue;
            }
            let puzzle = normalise(text.as_bytes()).and_then(|start| validate(start, None));
            let puzzle = puzzle
                .map_err(|error| Error::Internal(format!("a puzzle is not read back: {error}")))?;
            let label = labels.as_ref().filter(|labels| labels.is_valid(at));
            puzzles.push(LabelledPuzzle {
                source: sources.value(at).to_owned(),
                row: rows.value(at),
                label: label.map(|labels| labels.value(at).to_owned()),
                puzzle,
            });
        }
        self.shared.results().tables.other_sizes += other_sizes;
        Ok(puzzles)
    }
}

impl Output for CompareOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.shared.results().tables.rejects += result.rejects.len() as u64;
        self.rejects.write_rejects(source, &result.rejects)?;
        let Some(rows) = result.rows.take() else {
            return Ok(Vec::new());
        };
        self.check_failure()?;
        if let Some(batches) = &self.batch_sender {
            self.shared
                .unfinished_batches
                .fetch_add(1, Ordering::Relaxed);
            let thread_gone_error = |_| Error::Internal("the compare thread is gone".into());
            batches.send(rows).map_err(thread_gone_error)?;
        }
        Ok(Vec::new())
    }

    /// The number of batches that have not been compared yet. The reader thread waits until it is 0.
    fn groups_in_flight(&self) -> usize {
        self.shared.unfinished_batches.load(Ordering::Acquire)
    }

    /// Waits until the last batch has been compared.
    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        self.batch_sender = None;
        match self.thread_end.recv_timeout(POLL_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => Ok(Some(Vec::new())),
            Ok(()) | Err(RecvTimeoutError::Disconnected) => self.check_failure().map(|()| None),
        }
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let results = self.shared.results();
        let puzzles = results.tables.other_sizes;
        if results.tables.puzzles() == 0 && puzzles > 0 && !self.allow_empty {
            let inputs = self.sources.join(", ");
            return Err(ComparisonError::UnsupportedSizes { inputs, puzzles }.into());
        }
        Ok(Vec::new())
    }

    /// The results of the comparison are printed first: if they cannot be printed, nothing is published.
    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        let CompareOutput {
            shared,
            make_report: report,
            rejects,
            ..
        } = *self;
        let mut results = shared.results();
        let runs_table = results
            .runs_table
            .take()
            .map(TableWriter::finish)
            .transpose()?;
        set.print(&report(&results.tables))?;
        Box::new(rejects).finish(set)?;
        match runs_table {
            Some(runs_table) => set.add_marker(runs_table),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        self.shared
            .progress
            .ends_early
            .store(true, Ordering::Relaxed);
        // The compare thread may be in a long run. It does not hold this lock then, so this does not wait.
        drop(self.shared.results().runs_table.take());
        Box::new(self.rejects).abandon(why)
    }
}
