//! A run from its options to its end. All commands and functions take these steps; [`Steps`] has what is their own.
//!
//! ```text
//! names ─ expand ─▶ paths ─ open each ─▶ Inputs ─ layout ─▶ PreparedRun ─ output ─▶ Job ─ run ─▶ Done
//!             skipped, expanded      found                                 progress … finished
//! ```

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use crate::error::Error;
use crate::job::unless_stopped::unless_stopped;
use crate::job::{Done, Inputs, Job, JobInput, RunOptions, Stages, Watch, run_into};
use crate::read::{Expanded, expand};
use crate::table::layout::Layout;
use crate::write::{FolderTable, Output};

/// Where a run gets its records from.
pub enum Source {
    /// Files, folders, patterns and objects, as the user names them.
    Names(Vec<String>),
    /// The paths of files and the addresses of objects.
    Paths(Vec<String>),
    /// An input that is open, such as generated puzzles, or record batches in memory.
    Opened(Box<JobInput>),
}

/// The steps of a run that differ between commands, in the order in which they are called. The methods of [`Watch`] are
/// called while the job runs.
pub trait Steps: Watch {
    /// The error of the steps.
    type Error: From<Error>;

    /// Called with the expanded names, before a name without data is refused.
    fn skipped(&mut self, _: &Expanded) {}

    /// Called with the paths of all inputs, before the first is opened.
    ///
    /// # Errors
    /// The run has to end, for example because its output is one of the inputs.
    fn expanded(&mut self, _: &[String]) -> Result<(), Self::Error> {
        Ok(())
    }

    /// An output folder of an earlier run that has recognised inputs. They are not opened again if they have not
    /// changed since.
    fn earlier_folder(&self, _: &[String]) -> Option<FolderTable> {
        None
    }

    /// Called when all inputs have been opened, and their columns are known.
    ///
    /// # Errors
    /// The run has to end.
    fn found(&mut self, _: &Inputs) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The columns of the rows.
    ///
    /// # Errors
    /// The options name a column that the inputs lack.
    fn layout(&mut self, inputs: &Inputs) -> Result<Layout, Self::Error>;

    /// Opens the output. An output with rows of earlier runs may change the columns of the inputs and the layout.
    ///
    /// # Errors
    /// The output cannot be written.
    fn output(
        &mut self,
        inputs: &mut Inputs,
        layout: &mut Layout,
    ) -> Result<Box<dyn Output>, Self::Error>;

    /// The processing steps for each record.
    fn stages(&self) -> Stages;
}

/// A run whose inputs are open and whose columns are known. It can be moved to another thread.
pub struct PreparedRun {
    inputs: Inputs,
    layout: Layout,
    options: RunOptions,
    stop: Arc<AtomicUsize>,
}

/// Runs work that may wait for an input: on another thread, so that a signal can end the waiting, or at once if the run takes
/// place on the caller's thread.
fn interruptible<T: Send + 'static>(
    on_caller: bool,
    stop: &AtomicUsize,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    if on_caller {
        return work();
    }
    unless_stopped(stop, work)
}

/// Finds and opens the inputs of a run, and determines its columns. A signal's number in `stop` ends the waiting for a
/// slow input.
///
/// # Errors
/// An input cannot be read, the columns of the inputs do not fit together, or a step fails.
pub fn prepare<S: Steps>(
    source: Source,
    options: RunOptions,
    stop: Arc<AtomicUsize>,
    steps: &mut S,
) -> Result<PreparedRun, S::Error> {
    let on_caller = options.on_caller;
    let paths = match source {
        Source::Opened(input) => {
            let inputs = Inputs::opened(*input);
            steps.found(&inputs)?;
            let layout = steps.layout(&inputs)?;
            return Ok(PreparedRun {
                inputs,
                layout,
                options,
                stop,
            });
        }
        Source::Paths(paths) => paths,
        Source::Names(names) => {
            let expanded = interruptible(on_caller, &stop, move || expand(&names))?;
            steps.skipped(&expanded);
            if !options.allow_empty {
                expanded.refuse_empty(true)?;
            }
            expanded.inputs
        }
    };
    steps.expanded(&paths)?;
    let folder = steps.earlier_folder(&paths);
    let reading = options.clone();
    let inputs = interruptible(on_caller, &stop, move || {
        let known = folder.as_ref().map(FolderTable::known_inputs);
        Inputs::find_with_known(&paths, &reading, &known.unwrap_or_default())
    })?;
    steps.found(&inputs)?;
    let layout = steps.layout(&inputs)?;
    Ok(PreparedRun {
        inputs,
        layout,
        options,
        stop,
    })
}

impl PreparedRun {
    /// The columns of the rows.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The options, for a caller that changes them once the inputs are known.
    pub(crate) fn options_mut(&mut self) -> &mut RunOptions {
        &mut self.options
    }

    /// Opens the output, and runs the job. `done` has the results so far, even if the run fails.
    ///
    /// # Errors
    /// The output cannot be written, or see [`run`](super::run).
    pub fn run<S: Steps>(self, steps: &mut S, done: &mut Done) -> Result<(), S::Error> {
        let PreparedRun {
            mut inputs,
            mut layout,
            mut options,
            stop,
        } = self;
        let output = steps.output(&mut inputs, &mut layout)?;
        let Inputs {
            catalog,
            own,
            earlier,
            ..
        } = inputs;
        // In all inputs, a column is read with the common type of this column.
        options.read.column_types.clone_from(&catalog.carried);
        options.read.keep_may_lack = true;
        let job = Job {
            options,
            stages: steps.stages(),
            earlier,
            stop,
            watch: steps,
            ..Job::new(
                own.into_iter().map(|input| input.job).collect(),
                catalog.carried,
                layout,
                output,
            )
        };
        Ok(run_into(job, done)?)
    }
}

/// Runs a command or function from its options to the end: finds the inputs, determines the columns, opens the output,
/// and runs the job. `done` has the results so far, even if the run fails.
///
/// ```
/// use std::sync::Arc;
///
/// use sudoku_core::grade::Ladder;
/// use sudoku_core::solve::Limits;
/// use sudoku_pipeline::error::Error;
/// use sudoku_pipeline::job::{Done, Inputs, RunOptions, Source, Stages, Steps, Watch, process};
/// use sudoku_pipeline::table::columns::ColumnGroup;
/// use sudoku_pipeline::table::layout::Layout;
/// use sudoku_pipeline::write::{FileOutput, Output, OutputFormat, Table, TableMetadata};
///
/// /// Grades puzzles, and writes them to a table.
/// struct Grade(Table);
///
/// impl Watch for Grade {}
///
/// impl Steps for Grade {
///     type Error = Error;
///
///     fn layout(&mut self, inputs: &Inputs) -> Result<Layout, Error> {
///         let groups = [ColumnGroup::Puzzle, ColumnGroup::Solution, ColumnGroup::Grade];
///         Ok(Layout::new(&groups, &[], &inputs.catalog.carried))
///     }
///
///     fn output(&mut self, _: &mut Inputs, layout: &mut Layout) -> Result<Box<dyn Output>, Error> {
///         let table = FileOutput::start(&self.0, layout.schema(), &TableMetadata::default())?;
///         Ok(Box::new(table))
///     }
///
///     fn stages(&self) -> Stages {
///         Stages {
///             solve: Some(Limits::default()),
///             grade: Some(Ladder::default()),
///             ..Stages::default()
///         }
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079\n";
/// std::fs::write(folder.path().join("puzzles.txt"), puzzle)?;
///
/// let source = Source::Names(vec![folder.path().join("*.txt").display().to_string()]);
/// let mut steps = Grade(Table {
///     path: Some(folder.path().join("graded.csv")),
///     format: OutputFormat::CSV,
///     compression: Default::default(),
///     options: Default::default(),
/// });
/// let mut done = Done::default();
/// process(source, RunOptions::default(), Arc::default(), &mut steps, &mut done)?;
/// assert_eq!((done.tally.rows(), done.tally.graded()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`prepare`] and [`PreparedRun::run`].
pub fn process<S: Steps>(
    source: Source,
    options: RunOptions,
    stop: Arc<AtomicUsize>,
    steps: &mut S,
    done: &mut Done,
) -> Result<(), S::Error> {
    prepare(source, options, stop, steps)?.run(steps, done)
}
