//! The plan of a run over datasets: the arguments, resolved and checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::{Field, FieldRef};
use bytesize::ByteSize;
use clap::ValueEnum;
use sudoku_core::grade::{LADDER_VERSION, Ladder, Rank, UNIQUENESS};
use sudoku_core::rating;
use sudoku_core::solve::Kernel;
use sudoku_core::solve::{DEFAULT_SOLUTION_LIMIT, Limits, Method};
use sudoku_pipeline::VERSION;
use sudoku_pipeline::carry::type_name;
use sudoku_pipeline::job::memory::{MemoryLimit, MemoryPlan};
use sudoku_pipeline::job::{Stages, Task};
use sudoku_pipeline::read::{InferTypes, MAX_RECORD_BYTES, ReadOptions, Take};
use sudoku_pipeline::report::RejectLimit;
use sudoku_pipeline::sets::{IndexMemory, Split};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::columns::{ColumnGroup, HODOKU, RATING};
use sudoku_pipeline::write::{
    OutputFormat, Shard, Table, TableMetadata, TargetOptions, View, writable,
};

use super::args::{
    ConvertArgs, FailuresAs, GradeArgs, InputArgs, LadderArgs, LimitArgs, ProgressWhen, ReadArgs,
    ReportArgs, SolveArgs, SolveCommandArgs, ValidateArgs, WriteArgs,
};
use super::compare::CompareWork;
use super::dataset::DatasetColumns;
use super::destination::{self, Destination, TextDestination};
use super::error::{CommandError, UsageError};
use super::evaluate::EvaluateWork;
use super::one_table;
use super::split::FollowedFormat;
use super::statistics_file::StatisticsFile;

/// A run over a dataset, resolved and validated.
pub(super) struct Plan {
    pub(super) command: &'static str,
    pub(super) inputs: Vec<String>,
    pub(super) shard: Option<Shard>,
    pub(super) read: ReadOptions,
    pub(super) keep_going: bool,
    pub(super) allow_empty: bool,
    pub(super) max_rejects: Option<RejectLimit>,
    pub(super) max_wrong: Option<RejectLimit>,
    pub(super) take: Take,
    pub(super) stages: Stages,
    pub(super) kernel: Kernel,
    pub(super) groups: Vec<ColumnGroup>,
    pub(super) requested: Vec<String>,
    pub(super) view: View,
    pub(super) destination: Destination,
    pub(super) metadata: TableMetadata,
    pub(super) summary: Option<TextDestination>,
    pub(super) metrics: Option<PathBuf>,
    /// The destination of the statistics of the rows, as JSON or as a page.
    pub(super) report: Option<StatisticsFile>,
    pub(super) overwrite: bool,
    pub(super) memory: MemoryPlan,
    pub(super) progress: ProgressWhen,
    /// Whether every record has to be a puzzle with exactly one solution, as for `validate`.
    pub(super) strict: bool,
    /// The table of the records that fail, if it was asked for.
    pub(super) failures: Option<Table>,
    /// The work on the dataset as a set, for the commands that do some.
    pub(super) set: Option<SetWork>,
    /// The solvers that run on every puzzle, for `compare`.
    pub(super) compare: Option<CompareWork>,
    /// The predictions that are judged, for `evaluate`.
    pub(super) evaluate: Option<EvaluateWork>,
    /// The columns of the commands whose output is a dataset again.
    pub(super) dataset: Option<DatasetColumns>,
}

/// The work on a dataset as a set.
pub(super) enum SetWork {
    /// Write the first row of each class.
    Dedup {
        duplicates: Option<Table>,
        index: IndexMemory,
    },
    /// Write each class to one part.
    Split {
        split: Split,
        index: IndexMemory,
        follows: FollowedFormat,
    },
    /// Find the rows of the second input whose class the first one has.
    Overlap {
        pairs: Option<Table>,
        max: Option<RejectLimit>,
        index: IndexMemory,
    },
}

impl SetWork {
    /// The tables other than those of the rows and the rejects.
    fn tables(&self) -> Vec<&Table> {
        match self {
            SetWork::Dedup { duplicates, .. } => duplicates.iter().collect(),
            SetWork::Split { .. } => Vec::new(),
            SetWork::Overlap { pairs, .. } => pairs.iter().collect(),
        }
    }
}

pub(super) fn grade(args: GradeArgs) -> Result<Plan, CommandError> {
    let SolveArgs {
        read,
        write,
        limits,
        rating,
        report,
    } = args.solve;
    let reported = args.report.map(StatisticsFile::named).transpose()?;
    if reported.is_some() && write.resume {
        return Err(UsageError::ResumeAndReport.into());
    }
    let hodoku = rating.hodoku(&limits.with)?;
    let rating = rating.limits(&limits.with)?;
    let uniqueness = args.ladder.uniqueness;
    let task = Task::Grade {
        ladder: ladder(args.ladder),
        uniqueness,
        limits: solver_limits(&limits),
    };
    let groups = task.groups();
    let stages = Stages {
        rating,
        hodoku,
        statistics: reported.is_some(),
        ..task.stages()
    };
    let mut plan = plan("grade", read, Some(write), report, stages, groups)?;
    if let Some(format) = plan.destination.format() {
        destination::refuse_grids(format, "grades")?;
    }
    plan.add_limits(limits);
    plan.report = reported;
    Ok(plan)
}

pub(super) fn solve(args: SolveCommandArgs) -> Result<Plan, CommandError> {
    let method = args.method.method()?;
    let SolveArgs {
        read,
        write,
        limits,
        rating,
        report,
    } = args.solve;
    let task = Task::Solve {
        method,
        limits: solver_limits(&limits),
    };
    let groups = task.groups();
    let stages = Stages {
        hodoku: rating.hodoku(&limits.with)?,
        rating: rating.limits(&limits.with)?,
        ..task.stages()
    };
    let mut plan = plan("solve", read, Some(write), report, stages, groups)?;
    plan.add_limits(limits);
    if method != Method::default() {
        let solver = ("pipeline.solver".into(), method.to_string());
        plan.metadata.push(solver);
    }
    Ok(plan)
}

pub(super) fn convert(args: ConvertArgs) -> Result<Plan, CommandError> {
    let (stages, groups) = (Task::Convert.stages(), Task::Convert.groups());
    let mut plan = plan(
        "convert",
        args.read,
        Some(args.write),
        args.report,
        stages,
        groups,
    )?;
    args.dataset.apply(&mut plan);
    Ok(plan)
}

pub(super) fn validate(args: ValidateArgs) -> Result<Plan, CommandError> {
    let task = Task::Validate {
        limits: Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: args.node_limit,
        },
    };
    let (output, format) = match (args.output, args.format) {
        (Some(_), Some(FailuresAs::Text)) => return Err(UsageError::TextAndOutput.into()),
        (None, Some(FailuresAs::Table(format))) => (Some("-".into()), Some(format)),
        (output, Some(FailuresAs::Table(format))) => (output, Some(format)),
        (output, Some(FailuresAs::Text) | None) => (output, None),
    };
    let options = TargetOptions {
        overwrite: args.report.overwrite,
    };
    // Every record that fails is reported, however many there are.
    let max_rejects = args.report.max_rejects;
    let mut plan = plan(
        "validate",
        args.read,
        None,
        args.report,
        task.stages(),
        task.groups(),
    )?;
    plan.strict = true;
    plan.max_rejects = max_rejects;
    if let Some(output) = output {
        let table = one_table::table(output, format, options)?;
        destination::refuse_grids(table.format, "reasons")?;
        destination::refuse_beside_summary(&table, plan.summary.as_ref(), "failures")?;
        plan.failures = Some(table);
    }
    Ok(plan)
}

fn ladder(args: LadderArgs) -> Ladder {
    match args.max_rank.and_then(Rank::from_number) {
        Some(highest) => args.ladder.ending_at(highest),
        None => args.ladder,
    }
}

pub(super) fn solver_limits(args: &LimitArgs) -> Limits {
    Limits {
        solutions: args.solution_limit,
        nodes: args.node_limit,
    }
}

pub(super) fn plan(
    command: &'static str,
    read: ReadArgs,
    write: Option<WriteArgs>,
    report: ReportArgs,
    stages: Stages,
    groups: Vec<ColumnGroup>,
) -> Result<Plan, CommandError> {
    let limit = MemoryLimit::find(report.run.memory_limit)?;
    plan_within(command, read, write, report, stages, groups, limit)
}

/// The plan of a run with this memory limit.
pub(super) fn plan_within(
    command: &'static str,
    read: ReadArgs,
    write: Option<WriteArgs>,
    report: ReportArgs,
    stages: Stages,
    groups: Vec<ColumnGroup>,
    limit: MemoryLimit,
) -> Result<Plan, CommandError> {
    let mut metadata = metadata(command, &read, &stages);
    read.take.describe(&mut metadata);
    let mut view = View::default();
    if let Some(write) = &write {
        view = write.view.view();
        write.view.describe(&mut metadata);
    }
    let take = read.take.take();
    let in_order = take.skip > 0 || take.limit.is_some();
    if in_order && write.as_ref().is_some_and(|write| write.resume) {
        return Err(UsageError::ResumeOfRange.into());
    }
    let destination = Destination::of(write, report.rejects, report.overwrite, read.shard)?;
    let summary = report.summary.map(TextDestination::of);
    if destination.is_stdout() && summary == Some(TextDestination::Stdout) {
        return Err(UsageError::StdoutTwice("table").into());
    }
    if let Some(TextDestination::File(path)) = &summary {
        writable(path)?;
    }
    let progress = report.run.progress;
    let longest = read.input.max_record_bytes;
    let memory = memory_plan_within(report.run.threads, limit, longest)?;
    let mut options = read_options(&read.input);
    let format = destination.format();
    options.nested_as_text = format.is_some_and(|format| !format.has_nested());
    Ok(Plan {
        command,
        read: options,
        inputs: read.input.inputs,
        shard: read.shard,
        keep_going: read.keep_going,
        allow_empty: read.allow_empty,
        max_rejects: (report.max_rejects)
            .or_else(|| (!read.allow_empty).then_some(RejectLimit::Half)),
        max_wrong: report.max_wrong,
        take,
        stages,
        kernel: Kernel::from_env()?,
        groups,
        requested: Vec::new(),
        view,
        destination,
        metadata,
        summary,
        metrics: report.metrics,
        report: None,
        overwrite: report.overwrite,
        memory,
        progress,
        strict: false,
        failures: None,
        set: None,
        compare: None,
        evaluate: None,
        dataset: None,
    })
}

impl Plan {
    /// The other files that are written: the summary, the metrics, the failures.
    pub(super) fn texts(&self) -> Vec<&Path> {
        let summary = match &self.summary {
            Some(TextDestination::File(path)) => Some(path),
            Some(TextDestination::Stdout) | None => None,
        };
        let failures = (self.failures.iter()).filter_map(|table| table.path.as_ref());
        let tables = self.set.iter().flat_map(SetWork::tables);
        let tables = tables.filter_map(|table| table.path.as_ref());
        let texts = (summary.into_iter())
            .chain(&self.metrics)
            .chain(self.report.iter().map(|file| &file.path));
        let texts = texts.chain(failures);
        texts.chain(tables).map(PathBuf::as_path).collect()
    }

    /// The format of the rows, if rows are written.
    pub(super) fn format(&self) -> Option<OutputFormat> {
        match &self.set {
            Some(SetWork::Split { split, .. }) => Some(split.folder.format),
            // The table has the runs, and none of the columns of the rows.
            _ if self.compare.is_some() => None,
            _ => self.destination.format(),
        }
    }

    /// The destination of the rows or pairs, as it was named.
    pub(super) fn output(&self) -> Option<String> {
        match &self.set {
            Some(SetWork::Split { split, .. }) => Some(split.folder.path.display().to_string()),
            Some(SetWork::Overlap { pairs, .. }) => {
                let path = pairs.as_ref()?.path.as_deref();
                Some(path.map_or_else(|| "-".to_owned(), |path| path.display().to_string()))
            }
            _ => self.destination.output(),
        }
    }

    /// Whether a table or the summary goes to standard output.
    pub(super) fn writes_stdout(&self) -> bool {
        let tables = self.set.iter().flat_map(SetWork::tables);
        let mut tables = tables.chain(&self.failures);
        self.destination.is_stdout() || tables.any(|table| table.path.is_none())
    }

    pub(super) fn add_limits(&mut self, args: LimitArgs) {
        self.metadata.push((
            "pipeline.solution_limit".into(),
            args.solution_limit.to_string(),
        ));
        self.metadata
            .push(("pipeline.node_limit".into(), args.node_limit.to_string()));
        self.requested = args.with;
        if self.rates() {
            let rating::RatingLimits { highest, work } = self.stages.rating;
            let limits = [
                ("se_max", highest.to_string()),
                ("se_work", work.to_string()),
            ];
            let limits = limits.into_iter();
            let limits = limits.map(|(name, value)| (format!("pipeline.{name}"), value));
            self.metadata.extend(limits);
        }
        if self.requested.iter().any(|name| name == HODOKU) {
            let version = self.stages.hodoku.to_string();
            self.metadata
                .push(("pipeline.hodoku_version".into(), version));
        }
    }

    /// Whether puzzles are rated.
    pub(super) fn rates(&self) -> bool {
        self.requested.iter().any(|name| name == RATING)
    }
}

/// The memory plan of a run: how much is in progress at a time.
pub(super) fn memory_plan(
    threads: Option<usize>,
    limit: Option<ByteSize>,
    longest_record: Option<ByteSize>,
) -> Result<MemoryPlan, CommandError> {
    memory_plan_within(threads, MemoryLimit::find(limit)?, longest_record)
}

pub(super) fn memory_plan_within(
    threads: Option<usize>,
    limit: MemoryLimit,
    longest_record: Option<ByteSize>,
) -> Result<MemoryPlan, CommandError> {
    let asked = worker_threads(threads);
    let longest = longest_record.map_or(MAX_RECORD_BYTES, |size| size.0);
    let plan = MemoryPlan::with_records_of(longest, limit, asked)?;
    if plan.threads < asked {
        tracing::warn!(
            threads = plan.threads,
            "the memory limit has room for {} of {asked} threads",
            plan.threads
        );
    }
    tracing::debug!(
        threads = plan.threads,
        batches = plan.batches,
        groups = plan.groups,
        group_bytes = plan.group_bytes,
        "memory: {limit:?}: {plan:?}"
    );
    Ok(plan)
}

/// The number of threads that was asked for, or one for each core.
fn worker_threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The options for reading.
pub(super) fn read_options(args: &InputArgs) -> ReadOptions {
    ReadOptions {
        format: args.input_format,
        puzzle_column: args.puzzle_column.clone(),
        solution_column: args.solution_column.clone(),
        keep: args.keep.keep.clone(),
        alphabet: args.alphabet.clone(),
        delimiter: args.delimiter,
        max_record_bytes: args.max_record_bytes.map(|size| size.0),
        infer_types: args.infer_types,
        token_offset: args.token_offset,
        column_types: (args.types.iter())
            .map(|(name, data_type)| Arc::new(Field::new(name, data_type.clone(), true)))
            .collect::<Vec<FieldRef>>(),
        ..ReadOptions::default()
    }
}

/// The metadata of the table. It does not name the time or the machine, so that the same run gives the
/// same bytes.
fn metadata(command: &str, read: &ReadArgs, stages: &Stages) -> TableMetadata {
    let mut metadata: TableMetadata = vec![
        ("pipeline.version".into(), VERSION.into()),
        ("pipeline.command".into(), command.into()),
        (
            "pipeline.inputs".into(),
            serde_json::Value::from_iter(read.input.inputs.iter().map(|input| display_name(input)))
                .to_string(),
        ),
        ("pipeline.keep".into(), read.input.keep.text.clone()),
    ];
    let format = read.input.input_format.map(|format| format.id().to_owned());
    let alphabet = read.input.alphabet.as_ref().map(ToString::to_string);
    let delimiter = read
        .input
        .delimiter
        .map(|delimiter| char::from(delimiter).to_string());
    let longest = read.input.max_record_bytes.map(|size| size.0.to_string());
    let infer_types = read.input.infer_types.to_possible_value();
    let infer_types = infer_types
        .filter(|_| read.input.infer_types != InferTypes::Auto)
        .map(|value| value.get_name().to_owned());
    let types: Vec<String> = (read.input.types.iter())
        .map(|(name, data_type)| format!("{name}={}", type_name(data_type)))
        .collect();
    let types = (!types.is_empty()).then(|| types.join(","));
    let token_offset = read.input.token_offset.as_ref().map(ToString::to_string);
    let given = [
        ("pipeline.infer_types", &infer_types),
        ("pipeline.types", &types),
        ("pipeline.input_format", &format),
        ("pipeline.delimiter", &delimiter),
        ("pipeline.puzzle_column", &read.input.puzzle_column),
        ("pipeline.solution_column", &read.input.solution_column),
        ("pipeline.alphabet", &alphabet),
        ("pipeline.token_offset", &token_offset),
        ("pipeline.max_record_bytes", &longest),
    ];
    for (key, value) in given {
        metadata.extend(value.iter().map(|value| (key.into(), value.clone())));
    }
    if let Some(ladder) = &stages.grade {
        metadata.push(("pipeline.ladder_version".into(), LADDER_VERSION.to_string()));
        metadata.push(("pipeline.ladder".into(), ladder.name().into()));
        metadata.push(("pipeline.techniques".into(), ladder.ids()));
        if let Some(end) = ladder.end() {
            metadata.push(("pipeline.max_rank".into(), end.number().to_string()));
        }
    }
    if let Some(ladder) = &stages.with_uniqueness {
        let ids: Vec<_> = (ladder.rungs().map(|(_, technique)| technique.info().id))
            .filter(|id| {
                UNIQUENESS
                    .iter()
                    .any(|technique| technique.info().id == *id)
            })
            .collect();
        metadata.push(("pipeline.uniqueness".into(), ids.join(",")));
    }
    metadata
}
