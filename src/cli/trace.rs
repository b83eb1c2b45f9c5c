//! `trace`: writes the verified steps that solve each puzzle.

use clap::Args;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Limits};
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::OutputFormat;

use super::args::{ReadArgs, ReportArgs, WriteArgs};
use super::destination::refuse_grids;
use super::error::{CommandError, UsageError};
use super::plan::{self, Plan};

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline trace puzzles.csv -o traces.parquet
  pipeline trace puzzles.csv -o traces.ndjson --where \"solutions = 1\"
  pipeline trace train.parquet -o chat.ndjson --format chat

The steps are those that explain shows: together they are the waves of the grade. Each is checked against the
solution, and the last board is the solution. A puzzle without exactly one solution has no steps: they are
null, and status says why; --format chat leaves it out, as one of the rows that are filtered.";

/// The number of puzzles in a batch. The steps of one puzzle take about 40 KiB.
const ROWS: usize = 64;

/// The form in which traces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TraceFormat {
    /// A row for each puzzle, with the steps as a list
    Steps,
    /// A row for each puzzle with one column, messages: the puzzle as a question, and the steps in
    /// words as the answer
    Chat,
}

#[derive(Args)]
pub(super) struct TraceArgs {
    #[command(flatten)]
    read: ReadArgs,
    /// The form of the trace
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "steps",
        env = "PIPELINE_FORMAT"
    )]
    format: TraceFormat,
    /// Give a puzzle up after this many search nodes: its status is then gave_up
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT,
          env = "PIPELINE_NODE_LIMIT", help_heading = "Solving")]
    node_limit: u64,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

pub(super) fn plan(args: TraceArgs) -> Result<Plan, CommandError> {
    let mut groups = vec![
        ColumnGroup::Origin,
        ColumnGroup::Puzzle,
        ColumnGroup::Solution,
    ];
    groups.push(match args.format {
        TraceFormat::Steps => ColumnGroup::Trace,
        TraceFormat::Chat => ColumnGroup::Chat,
    });
    let stages = Stages {
        solve: Some(Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: args.node_limit,
        }),
        most_rows: Some(ROWS),
        ..Stages::default()
    };
    let write = Some(args.write);
    let mut plan = plan::plan("trace", args.read, write, args.report, stages, groups)?;
    let format = plan.destination.format();
    if let Some(format) = format {
        refuse_grids(format, "steps")?;
        if !format.has_nested() {
            return Err(UsageError::NoLists(format.id).into());
        }
    }
    if args.format == TraceFormat::Chat {
        if format.is_some_and(|format| format.id != OutputFormat::NDJSON.id)
            || plan.view.select.is_some()
        {
            return Err(UsageError::ChatIsLines.into());
        }
        // Only messages are written, because programs that train on them expect this.
        plan.view.select = Some(vec!["messages".to_owned()]);
        let unique = "status = 'unique'".to_owned();
        plan.view.condition = Some(match plan.view.condition.take() {
            Some(condition) => format!("{unique} and ({condition})"),
            None => unique,
        });
    }
    plan.metadata
        .push(("pipeline.node_limit".into(), args.node_limit.to_string()));
    Ok(plan)
}
