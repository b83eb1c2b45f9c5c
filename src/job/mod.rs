//! The flow of a run: reader → bounded queue → workers → in order → writer.
//!
//! ```text
//! reader thread      opens one input after the other, cuts batches, or pieces of columnar files;
//!   │ batch n        waits for a free buffer while too many are in progress
//! worker             decompresses what the reader thread reads next
//! worker             decode (a piece) → parse → normalise → validate → solve → grade → rate → fill columns; idle
//!   │                workers help with hard puzzles
//!   │ rows n
//! this thread        puts batches back in order, collects rows into groups, counts
//!   │ group m
//! worker             encodes the group
//!   │ bytes m
//! this thread        writes groups in order; commits each table when it is complete
//! ```
//!
//! The output depends on the inputs and the options, never on the number of threads.

mod compare;
mod earlier_columns;
mod empty_check;
mod evaluate;
mod first_blank;
mod generate;
mod inputs;
pub mod inspect;
pub mod memory;
mod number_columns;
mod one_row;
mod options;
mod process;
mod resume;
mod sharding;
mod task;
mod threads;
mod unless_stopped;
mod watch;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::channel;

use arrow::datatypes::FieldRef;

use crate::counts::Tally;
use crate::counts::statistics::Statistics;
use crate::error::{Error, StartError};
use crate::job::memory::MemoryPlan;
use crate::open_files;
use crate::panics::caught;
use crate::pool::Pool;
use crate::read::{RecordSelection, RecordSelector};
use crate::store::{ReadAhead, display_name};
use crate::table::layout::Layout;
use crate::write::{Background, Output};

pub use compare::{CompareOutput, Compared, Comparison, Contender, run_columns, runs_schema};
use empty_check::EmptyCheck;
pub use evaluate::{Judging, OtherGrids, PredictionOptions, Predictions};
pub use generate::maker::MakerOptions;
pub use generate::{
    Maker, Missing, Mix, MixError, NearSeries, Series, Starts, StartsOptions, origin_columns,
};
pub use inputs::{Inputs, JobInput, RunInput};
pub use one_row::{RowContent, content_of_row, content_of_text};
pub use options::{RunOptions, cores};
pub use process::{PreparedRun, Source, Steps, prepare, process};
pub use resume::Kept;
pub use task::Task;
use threads::buffers::Buffers;
use threads::bytes_read::BytesRead;
use threads::job_source::{InputOpener, JobSources};
use threads::message::Message;
use threads::piece_work::PieceContext;
pub use threads::progress::Progress;
use threads::progress::RecordCounts;
pub use threads::rating::KnownRatings;
use threads::reader::Reader;
use threads::reader_workers::ReaderWorkers;
pub use threads::stages::Stages;
pub(crate) use threads::worker::{InputWork, Worker};
pub use threads::writer::Done;
use threads::writer::Writer;
pub use unless_stopped::unless_stopped;
use watch::Unwatched;
pub use watch::Watch;

/// A run that is ready to start: its inputs, processing stages and output.
pub struct Job<'a> {
    /// The inputs, in the order in which they are read.
    pub inputs: Vec<JobInput>,
    /// Which records are read, and how; the limits of the run; the work in progress.
    pub options: RunOptions,
    /// The carried columns of the output: the union of the carried columns of all inputs.
    pub carried: Vec<FieldRef>,
    /// The processing steps for each record.
    pub stages: Stages,
    /// The columns of the output table.
    pub layout: Layout,
    /// The destination of rows and rejects.
    pub output: Box<dyn Output>,
    /// The counts of the parts that earlier runs have written and that this run keeps.
    pub earlier: Tally,
    /// Is called with the progress and with bad records, and before the outputs are published.
    pub watch: &'a mut dyn Watch,
    /// A flag that a signal handler sets to the signal's number, to stop the run. 0 means no signal.
    pub stop: Arc<AtomicUsize>,
}

impl<'a> Job<'a> {
    /// A job that reads these inputs and writes to this output, on all cores, without a memory limit. It
    /// only converts records to normal form.
    pub fn new(
        inputs: Vec<JobInput>,
        carried: Vec<FieldRef>,
        layout: Layout,
        output: Box<dyn Output>,
    ) -> Job<'a> {
        // The value has no size, so boxing and leaking it allocates no memory.
        Job {
            inputs,
            options: RunOptions::default(),
            carried,
            stages: Stages::default(),
            layout,
            output,
            earlier: Tally::default(),
            watch: Box::leak(Box::new(Unwatched)),
            stop: Arc::default(),
        }
    }
}

/// Runs the job: every record becomes a row of the table or of the rejects.
///
/// ```
/// use sudoku_core::grade::Ladder;
/// use sudoku_core::solve::Limits;
/// use sudoku_pipeline::job::{Inputs, Job, RunOptions, Stages, run};
/// use sudoku_pipeline::table::columns::ColumnGroup;
/// use sudoku_pipeline::table::layout::Layout;
/// use sudoku_pipeline::write::{Compression, FileOutput, OutputFormat, Table, TableMetadata, TargetOptions};
///
/// let folder = tempfile::tempdir()?;
/// let input = folder.path().join("puzzles.txt").display().to_string();
/// let puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079\n";
/// std::fs::write(&input, puzzle)?;
///
/// let inputs = Inputs::find(&[input], &RunOptions::default())?;
/// let groups = [ColumnGroup::Puzzle, ColumnGroup::Solution, ColumnGroup::Grade];
/// let layout = Layout::new(&groups, &[], &inputs.catalog.carried);
/// let table = Table {
///     path: Some(folder.path().join("graded.csv")),
///     format: OutputFormat::CSV,
///     compression: Compression::None,
///     options: TargetOptions::default(),
/// };
/// let writer = table.start(layout.schema(), &TableMetadata::default())?;
/// let own = inputs.own.into_iter().map(|input| input.job).collect();
/// let output = Box::new(FileOutput::new(Some(writer), None));
/// let done = run(Job {
///     stages: Stages {
///         solve: Some(Limits::default()),
///         grade: Some(Ladder::default()),
///         ..Stages::default()
///     },
///     ..Job::new(own, inputs.catalog.carried, layout, output)
/// })?;
/// assert_eq!((done.tally.rows(), done.tally.graded()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(job: Job<'_>) -> Result<Done, Error> {
    let mut done = Done::default();
    run_into(job, &mut done).map(|()| done)
}

/// The number of files that can be open for the outputs, with a table in each of many partition folders, and for logs.
const OTHER_OPEN_FILES: usize = 640;

/// Runs the job like [`run`]. `done` has the results so far, even if the run fails.
pub fn run_into(job: Job<'_>, done: &mut Done) -> Result<(), Error> {
    let options = job.options;
    let MemoryPlan { threads, .. } = options.memory;
    let batches = options.memory.batches_for_columns(job.carried.len());
    let groups = options.memory.groups_for_columns(job.carried.len());
    if options.owns_process {
        if options.memory == MemoryPlan::without_limit(threads) {
            memory::keep_freed_memory();
        } else if options.memory.returns_freed_memory {
            memory::return_freed_memory();
        }
    }
    let pool = Arc::new(if options.on_caller {
        Pool::Caller
    } else {
        Pool::start(threads)?
    });
    // Predictions may be matched by the values of a column, so the rows are filled even if no table is written.
    let fills_rows = job.output.wants_rows() || job.stages.judging.is_some();
    let layout = fills_rows.then_some(job.layout);
    let describes_tables = job.stages.tables.is_some();
    let worker = Arc::new(Worker {
        is_alone: options.on_caller,
        row_divider: job.output.row_divider(),
        ..Worker::new(job.stages, layout, options.kernel)
    });

    let (results, inbox) = channel();
    let buffers = Arc::new(if options.on_caller {
        // Nobody returns a buffer before the whole input has been read.
        Buffers::without_limit()
    } else {
        Buffers::new(batches)
    });
    let bytes_read = Arc::new(BytesRead::default());
    let may_be_empty = options.shard.is_some()
        || options.selection != RecordSelection::default()
        || job.inputs.is_empty();
    let count = Arc::new(RecordCounts::default());
    let sources = job
        .inputs
        .iter()
        .map(|input| display_name(&input.path))
        .collect();
    let planned = job.inputs.iter().map(|input| {
        let is_here = input.opened.is_some() || input.fetched.is_some();
        let bytes = input.metadata.bytes.filter(|_| !is_here)?;
        ReadAhead::plan(&input.path, Some(bytes))
    });
    let objects = ReadAhead::new(planned, options.memory.object_bytes);
    let opener = InputOpener {
        options: options.read,
        carried: job.carried,
    };
    // With a limit of records, the later inputs may not be needed.
    let most_ahead = match options.selection.limit {
        None => options.memory.inputs_ahead(batches),
        Some(_) => 0,
    };
    // The pieces in progress keep the files of their inputs open. If few files can be open, one input after the other is
    // read, by the reader thread.
    let has_files = open_files::limit() >= batches + most_ahead + OTHER_OPEN_FILES;
    let most_ahead = if has_files { most_ahead } else { 0 };
    let reader = Reader {
        inputs: JobSources::new(job.inputs, most_ahead, objects, opener, pool.clone()),
        selector: RecordSelector::new(options.selection),
        keep_going: options.keep_going,
        buffer_count: batches,
        results: results.clone(),
        pieces: Arc::new(PieceContext {
            worker,
            pool: pool.clone(),
            buffers: buffers.clone(),
            record_counts: count.clone(),
            stop: job.stop.clone(),
        }),
        piece_limits: options.memory.piece_limits(batches).filter(|_| has_files),
        workers: options
            .memory
            .tasks_ahead(batches)
            .map(|tasks| Arc::new(ReaderWorkers::new(pool.clone(), buffers.clone(), tasks))),
        bytes_read: bytes_read.clone(),
        next_step: 0,
    };
    let read = move || {
        let results = reader.results.clone();
        if let Err(panic) = caught(|| reader.run()) {
            let _ = results.send(Message::Failed(panic));
        }
    };
    if options.on_caller {
        read();
    } else {
        // The thread is not joined, because it may be waiting for a slow input when this function fails.
        let thread = std::thread::Builder::new().name("reader".into());
        thread.spawn(read).map_err(StartError::ReaderThread)?;
    }

    let worked = results.clone();
    let background = Background::new(pool.clone(), move || {
        let _ = worked.send(Message::Worked);
    });
    let writer = Writer {
        background,
        figures: Arc::default(),
        ordered_statistics: Statistics::default(),
        sources,
        current_input: 0,
        input_damage: None,
        inbox,
        results,
        buffers,
        held_buffers: Vec::new(),
        pool,
        most_groups_in_flight: groups,
        bytes_read,
        record_counts: count,
        watch: job.watch,
        stop: job.stop,
        output: job.output,
        empty_check: (!options.allow_empty).then(|| {
            let check = EmptyCheck::new(options.keep_going, may_be_empty);
            if describes_tables {
                check.for_tables()
            } else {
                check
            }
        }),
        max_rejects: options.max_rejects,
        max_wrong: options.max_wrong,
        total_tally: job.earlier,
        done,
    };
    writer.run()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::job::memory::MemoryPlan;
    use crate::read::{Batch, Input, Parse, ReadOptions, Records};
    use crate::write::FileOutput;

    /// A parser that panics at the rows of the run, but not at the sample that is parsed when the input is opened.
    struct PanickingParser(Arc<dyn Parse>, AtomicUsize);

    impl Parse for PanickingParser {
        fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
            let is_sample = self.1.fetch_add(1, Ordering::Relaxed) == 0;
            assert!(is_sample, "a bug, made by a test");
            self.0.parse(batch)
        }
    }

    /// Runs a job over puzzles, one per line. `change` modifies the opened input before the run.
    fn run_opened(lines: &str, change: impl FnOnce(&mut Input)) -> Result<Done, Error> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(lines.as_bytes()).unwrap();
        let path = file.path().display().to_string();
        let mut opened = crate::formats::open(&path, &ReadOptions::default()).unwrap();
        change(&mut opened);
        let carried = opened.carried.clone();
        let input = JobInput {
            path,
            row_groups: None,
            metadata: opened.metadata.clone(),
            opened: Some(opened),
            fetched: None,
        };
        let output = Box::new(FileOutput::new(None, None));
        run(Job {
            options: RunOptions {
                memory: MemoryPlan::without_limit(2),
                ..RunOptions::default()
            },
            ..Job::new(vec![input], carried, Layout::new(&[], &[], &[]), output)
        })
    }

    #[test]
    fn a_panic_on_a_worker_ends_the_run_and_names_the_rows() {
        let lines = format!("{}\n", ".".repeat(81)).repeat(7);
        let done = run_opened(&lines, |_| {}).unwrap();
        assert_eq!(done.tally.rows(), 7);
        let error = run_opened(&lines, |opened| {
            opened.parser = Arc::new(PanickingParser(opened.parser.clone(), AtomicUsize::new(0)));
        });
        let error = error.unwrap_err();
        assert_eq!(error.exit_code(), 101);
        let message = error.to_string();
        assert!(
            message.contains("rows 0 to 6") && message.contains("made by a test"),
            "{message}"
        );
    }
}
