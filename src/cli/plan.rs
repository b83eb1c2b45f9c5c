use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use sudoku_pipeline::VERSION;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::grade::{LADDER_VERSION, Ladder, Rank, UNIQUENESS};
use sudoku_pipeline::memory::{MemoryLimit, MemoryPlan};
use sudoku_pipeline::pipeline::Stages;
use sudoku_pipeline::read::{Keep, ReadOptions, Take};
use sudoku_pipeline::solve::{DEFAULT_SOLUTION_LIMIT, Limits};
use sudoku_pipeline::write::columns::{COLUMNS, Group};
use sudoku_pipeline::write::{Compression, Metadata, OutputFormat, Table, TargetOptions, View};

use super::args::{
    ConvertArgs, GradeArgs, LadderArgs, LimitArgs, ProgressWhen, ReadArgs, ReportArgs, RunArgs,
    SolveArgs, ValidateArgs, WriteArgs,
};

/// A run over a dataset, resolved and validated.
pub(super) struct Plan {
    pub(super) command: &'static str,
    pub(super) input: String,
    pub(super) read: ReadOptions,
    pub(super) take: Take,
    pub(super) stages: Stages,
    pub(super) groups: Vec<Group>,
    pub(super) requested: Vec<String>,
    pub(super) view: View,
    pub(super) table: Option<Table>,
    pub(super) rejects: Option<Rejects>,
    pub(super) metadata: Metadata,
    pub(super) summary: Option<Destination>,
    pub(super) metrics: Option<PathBuf>,
    pub(super) overwrite: bool,
    pub(super) memory: MemoryPlan,
    pub(super) progress: ProgressWhen,
    /// Anything but puzzles with one solution is a failure.
    pub(super) strict: bool,
}

/// The rejects table.
pub(super) struct Rejects {
    pub(super) table: Table,
    /// It was asked for, and is written even when it is empty.
    pub(super) always: bool,
}

/// Where a text goes.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Destination {
    Stdout,
    File(PathBuf),
}

impl Destination {
    pub(super) fn of(path: PathBuf) -> Destination {
        if path.as_os_str() == "-" {
            Destination::Stdout
        } else {
            Destination::File(path)
        }
    }
}

/// The names of the columns that `--with` takes.
pub(super) fn request_columns() -> Vec<&'static str> {
    COLUMNS
        .iter()
        .filter(|column| column.group == Group::Request)
        .map(|column| column.name.as_str())
        .collect()
}

pub(super) fn grade(args: GradeArgs) -> Result<Plan, Error> {
    let SolveArgs {
        read,
        write,
        limits,
        report,
    } = args.solve;
    let uniqueness = args.ladder.uniqueness;
    let ladder = ladder(args.ladder);
    let stages = Stages {
        solve: Some(solver_limits(&limits)),
        with_uniqueness: uniqueness.then(|| ladder.clone().with_uniqueness()),
        grade: Some(ladder),
    };
    let mut groups = vec![Group::Origin, Group::Puzzle, Group::Solution, Group::Grade];
    if uniqueness {
        groups.push(Group::Uniqueness);
    }
    let mut plan = plan("grade", read, Some(write), report, stages, groups)?;
    if plan
        .table
        .as_ref()
        .is_some_and(|table| table.format == OutputFormat::Lines)
    {
        let message = "lines hold puzzles and solutions, no grades: write CSV or Parquet";
        return Err(Error::Usage(message.into()));
    }
    plan.add_limits(limits);
    Ok(plan)
}

pub(super) fn solve(args: SolveArgs) -> Result<Plan, Error> {
    let SolveArgs {
        read,
        write,
        limits,
        report,
    } = args;
    let stages = Stages {
        solve: Some(solver_limits(&limits)),
        ..Stages::default()
    };
    let groups = vec![Group::Origin, Group::Puzzle, Group::Solution];
    let mut plan = plan("solve", read, Some(write), report, stages, groups)?;
    plan.add_limits(limits);
    Ok(plan)
}

pub(super) fn convert(args: ConvertArgs) -> Result<Plan, Error> {
    let groups = vec![Group::Puzzle, Group::Given];
    plan(
        "convert",
        args.read,
        Some(args.write),
        args.report,
        Stages::default(),
        groups,
    )
}

pub(super) fn validate(args: ValidateArgs) -> Result<Plan, Error> {
    let stages = Stages {
        solve: Some(Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: args.node_limit,
        }),
        ..Stages::default()
    };
    let mut plan = plan("validate", args.read, None, args.report, stages, Vec::new())?;
    plan.strict = true;
    Ok(plan)
}

fn ladder(args: LadderArgs) -> Ladder {
    match args.max_rank.and_then(Rank::from_number) {
        Some(highest) => args.ladder.ending_at(highest),
        None => args.ladder,
    }
}

fn solver_limits(args: &LimitArgs) -> Limits {
    Limits {
        solutions: args.solution_limit,
        nodes: args.node_limit,
    }
}

fn plan(
    command: &'static str,
    read: ReadArgs,
    write: Option<WriteArgs>,
    report: ReportArgs,
    stages: Stages,
    groups: Vec<Group>,
) -> Result<Plan, Error> {
    let options = TargetOptions {
        overwrite: report.overwrite,
    };
    let mut metadata = metadata(command, &read, &stages);
    read.take.describe(&mut metadata);
    let mut view = View::default();
    if let Some(write) = &write {
        view = write.view.view();
        write.view.describe(&mut metadata);
    }
    let table = write
        .map(|write| table(write.output, write.output_format, options))
        .transpose()?;
    let summary = report.summary.map(Destination::of);
    let to_stdout = table.as_ref().is_some_and(|table| table.path.is_none());
    if to_stdout && summary == Some(Destination::Stdout) {
        return Err(Error::Usage(
            "the table and the summary cannot both go to standard output".into(),
        ));
    }
    let rejects = match report.rejects {
        Some(path) if path.as_os_str() == "-" => {
            return Err(Error::Usage(
                "the rejects table needs a file: give --rejects FILE".into(),
            ));
        }
        Some(path) => Some(Rejects {
            table: self::table(path, None, options)?,
            always: true,
        }),
        None => table.as_ref().and_then(beside).map(|table| Rejects {
            table,
            always: false,
        }),
    };
    refuse_same_file(
        &read.input,
        &[
            table.as_ref().and_then(|table| table.path.as_deref()),
            rejects
                .as_ref()
                .and_then(|rejects| rejects.table.path.as_deref()),
            report.metrics.as_deref(),
        ],
    )?;
    let progress = report.run.progress();
    let RunArgs {
        threads,
        memory_limit,
        ..
    } = report.run;
    let memory = memory_plan(threads, memory_limit)?;
    Ok(Plan {
        command,
        take: read.take.take(),
        input: read.input,
        read: ReadOptions {
            format: read.input_format,
            puzzle_column: read.puzzle_column,
            solution_column: read.solution_column,
            keep: keep(&read.keep),
        },
        stages,
        groups,
        requested: Vec::new(),
        view,
        table,
        rejects,
        metadata,
        summary,
        metrics: report.metrics,
        overwrite: report.overwrite,
        memory,
        progress,
        strict: false,
    })
}

impl Plan {
    fn add_limits(&mut self, args: LimitArgs) {
        self.metadata.push((
            "pipeline.solution_limit".into(),
            args.solution_limit.to_string(),
        ));
        self.metadata
            .push(("pipeline.node_limit".into(), args.node_limit.to_string()));
        self.requested = args.with;
    }
}

/// What the memory limit has room for.
pub(super) fn memory_plan(
    threads: Option<usize>,
    limit: Option<ByteSize>,
) -> Result<MemoryPlan, Error> {
    let asked = worker_threads(threads);
    let limit = MemoryLimit::find(limit)?;
    let plan = MemoryPlan::new(limit, asked);
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

/// As many as asked for, or one a core.
fn worker_threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The table at this path, in the format that its name tells.
pub(super) fn table(
    path: PathBuf,
    format: Option<OutputFormat>,
    options: TargetOptions,
) -> Result<Table, Error> {
    if path.as_os_str() == "-" {
        let format = format.ok_or_else(|| {
            Error::Usage("standard output needs --output-format csv, lines or parquet".into())
        })?;
        return Ok(Table {
            path: None,
            format,
            compression: Compression::None,
            options,
        });
    }
    let (stem, compression) = match path.extension().and_then(OsStr::to_str) {
        Some("gz") => (path.with_extension(""), Compression::Gzip),
        Some("zst") => (path.with_extension(""), Compression::Zstd),
        _ => (path.clone(), Compression::None),
    };
    let by_name = match stem.extension().and_then(OsStr::to_str) {
        Some("parquet" | "pq") => Some(OutputFormat::Parquet),
        Some("csv") => Some(OutputFormat::Csv),
        Some("txt" | "sdm" | "lines") => Some(OutputFormat::Lines),
        _ => None,
    };
    let format = format.or(by_name).ok_or_else(|| {
        Error::Usage(format!(
            "the name {} tells no format (.parquet, .csv, .txt): give --output-format",
            path.display()
        ))
    })?;
    if format == OutputFormat::Parquet && compression != Compression::None {
        return Err(Error::Usage(format!(
            "{}: Parquet compresses itself: leave .gz or .zst off the name",
            path.display()
        )));
    }
    Ok(Table {
        path: Some(path),
        format,
        compression,
        options,
    })
}

/// The rejects table beside an output: `graded.csv.gz` → `graded.rejects.csv.gz`.
fn beside(table: &Table) -> Option<Table> {
    let path = table.path.as_deref()?;
    let name = path.file_name()?.to_str()?;
    let format = match table.format {
        OutputFormat::Lines => OutputFormat::Csv,
        format => format,
    };
    let compression = match table.compression {
        Compression::None => "",
        Compression::Gzip => ".gz",
        Compression::Zstd => ".zst",
    };
    let stem = Path::new(name.strip_suffix(compression)?)
        .file_stem()?
        .to_str()?;
    let name = format!("{stem}.rejects.{}{compression}", format.extension());
    Some(Table {
        path: Some(path.with_file_name(name)),
        format,
        ..table.clone()
    })
}

/// An output that is the input would be read and replaced at once.
fn refuse_same_file(input: &str, outputs: &[Option<&Path>]) -> Result<(), Error> {
    let real = |path: &Path| path.canonicalize().ok();
    let Some(input) = real(Path::new(input)) else {
        return Ok(());
    };
    match outputs
        .iter()
        .flatten()
        .find(|output| real(output).as_ref() == Some(&input))
    {
        Some(output) => Err(Error::Usage(format!(
            "{} is the input: write to another file",
            output.display()
        ))),
        None => Ok(()),
    }
}

fn keep(text: &str) -> Keep {
    match text {
        "all" => Keep::All,
        "none" | "" => Keep::None,
        names => Keep::Only(
            names
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect(),
        ),
    }
}

/// What the table's file says about itself. No clock and no machine: the same run gives the same
/// bytes.
fn metadata(command: &str, read: &ReadArgs, stages: &Stages) -> Metadata {
    let mut metadata: Metadata = vec![
        ("pipeline.version".into(), VERSION.into()),
        ("pipeline.command".into(), command.into()),
        (
            "pipeline.inputs".into(),
            serde_json::json!([read.input]).to_string(),
        ),
        ("pipeline.keep".into(), read.keep.clone()),
    ];
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
