//! `compare`: runs several solvers on the same puzzles.

use std::path::PathBuf;

use clap::Args;
use sudoku_core::solve::{Limits, Method};
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::OutputFormat;

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::choose::{KeepArg, ViewArgs};
use crate::cli::options::input::ReadArgs;
use crate::cli::options::numbers::between;
use crate::cli::options::one_table::{self, TableArgs};
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::compare::{CompareWork, SummaryFormat};
use crate::cli::run::destination::{Destination, refuse_grids};
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline compare puzzles.csv -o runs.parquet --label difficulty
  pipeline compare hard.txt -o runs.csv --solvers lanes,dlx --guess-limit 100000
  pipeline compare puzzles.txt -o runs.parquet --format json | jq .solvers
  pipeline compare millions.parquet -o runs.parquet --sample 0.001 --limit 1000

A row of the table is one solver's run on one puzzle. A run ends with the first solution unless
--solution-limit says otherwise, or with --guess-limit. Each run is on one thread, and unless
--parallel-runs says otherwise alone. Solvers that disagree are an error: exit code 3, with the puzzle.";

const PARALLEL_RUNS: &str = "Do this many runs at a time: this is faster in all, but the times of the runs are \
                             longer and less reliable [default: 1]";

#[derive(Args)]
#[command(
    mut_arg("keep", |keep| keep.hide(true)),
    mut_arg("threads", |threads| threads.long("parallel-runs").help(PARALLEL_RUNS))
)]
pub(crate) struct CompareArgs {
    /// The solvers: all, or names separated by commas: lanes, templates, filter, dlx,
    /// backtrack-pairs-mrv and the like; backtrack and elimination stand for all their settings
    #[arg(
        long,
        value_name = "LIST",
        default_value = "all",
        value_delimiter = ','
    )]
    solvers: Vec<String>,
    /// The column that groups the puzzles, such as a difficulty
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// End a run after this many guesses
    #[arg(long, value_name = "N", default_value_t = 1000)]
    guess_limit: u64,
    /// End a run after this many solutions: 1 finds one, 2 also proves that it is the only one
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = between::<u32>(1, u32::MAX))]
    solution_limit: u32,
    /// Time each run this many times, and keep the shortest time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = between::<u32>(1, 1000))]
    repeat: u32,
    #[command(flatten)]
    read: ReadArgs,
    /// The table of runs to write, in the format of its extension
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    output: PathBuf,
    #[arg(long, hide = true)]
    output_format: Option<OutputFormat>,
    /// The format of the summary on standard output
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Writing"
    )]
    format: SummaryFormat,
    /// Short for --format json
    #[arg(long, hide = true)]
    json: bool,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn plan(args: CompareArgs) -> Result<Plan, CommandError> {
    let CompareArgs {
        mut read, report, ..
    } = args;
    let methods = methods(&args.solvers)?;
    // Besides the puzzles, `compare` only uses the label column. Without a label, no other column is read.
    read.input.keep = match &args.label {
        Some(_) => KeepArg::all_columns(),
        None => KeepArg::no_column(),
    };
    let mut report = report;
    let parallel_runs = report.run.threads.unwrap_or(1);
    report.run.threads = Some(parallel_runs);
    let table = TableArgs {
        output: args.output,
        format: args.output_format,
        compression: None,
    };
    let write = WriteArgs::one_table(table, ViewArgs::default());
    let column_groups = vec![ColumnGroup::Origin, ColumnGroup::Puzzle];
    let mut plan = plan::plan(
        "compare",
        read,
        Some(write),
        report,
        Stages::default(),
        column_groups,
    )?;
    let Destination::File {
        table: Some(table), ..
    } = &plan.destination
    else {
        return Err(one_table::output_is_folder("compare").into());
    };
    refuse_grids(table.format, "runs")?;
    if table.path.is_none() {
        return Err(UsageError::StdoutTwice("runs").into());
    }
    if plan.prints_summary() {
        return Err(UsageError::StdoutTwice("tables").into());
    }
    // Only one batch is read ahead, so that no input is read while runs are timed.
    plan.run.memory.batches = 1;
    plan.run.memory.groups = 0;
    plan.metadata.add("guess_limit", Some(args.guess_limit));
    let solution_limit = Some(args.solution_limit);
    plan.metadata.add("solution_limit", solution_limit);
    plan.work = Work::Compare(CompareWork {
        methods,
        limits: Limits {
            solutions: args.solution_limit,
            nodes: args.guess_limit,
        },
        repeat: args.repeat,
        label: args.label,
        parallel_runs,
        format: if args.json {
            SummaryFormat::Json
        } else {
            args.format
        },
    });
    Ok(plan)
}

/// The solvers that a list of names selects, without duplicates.
fn methods(names: &[String]) -> Result<Vec<Method>, CommandError> {
    let mut methods: Vec<Method> = Vec::new();
    for name in names {
        let all_methods = Method::all().into_iter();
        let matching_methods: Vec<Method> = all_methods
            .filter(|method| name == "all" || method.id() == name)
            .collect();
        let matching_methods = if matching_methods.is_empty() {
            vec![name.parse::<Method>().map_err(UsageError::from)?]
        } else {
            matching_methods
        };
        for method in matching_methods {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    Ok(methods)
}
