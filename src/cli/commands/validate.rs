//! `validate`: checks that every record is a puzzle with exactly one solution.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Limits};
use sudoku_pipeline::formats::output_formats;
use sudoku_pipeline::job::Task;
use sudoku_pipeline::write::{Holds, OutputFormat, TargetOptions};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::input::ReadArgs;
use crate::cli::options::one_table;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::destination;
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline validate sudoku.csv.gz
  pipeline validate puzzles.txt -o failures.csv --summary summary.json
  pipeline validate puzzles.txt --format ndjson | jq -r .why

Lists every record that fails, with source, row, line and reason (pipeline schema validate). The exit code is 3 unless
every record is a puzzle with exactly one solution, and every solution that came with a puzzle is right.";

#[derive(Args)]
pub(crate) struct ValidateArgs {
    /// Give a puzzle up after this many search nodes
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT)]
    pub(crate) node_limit: u64,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// The table of the records that fail, with the reason, in the format of its extension; - is standard
    /// output
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    pub(crate) output: Option<PathBuf>,
    /// How the records that fail are listed [default: by the extension of --output, else text]
    #[arg(
        long,
        alias = "output-format",
        value_name = "FORMAT",
        help_heading = "Writing"
    )]
    pub(crate) format: Option<FailuresAs>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// How records that fail validation are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailuresAs {
    /// The first ten on standard error.
    Text,
    /// All of them as a table, by default on standard output.
    Table(OutputFormat),
}

impl ValueEnum for FailuresAs {
    fn value_variants<'a>() -> &'a [FailuresAs] {
        static ALL: LazyLock<Vec<FailuresAs>> = LazyLock::new(|| {
            let table_formats = output_formats().filter(|format| format.holds == Holds::Table);
            let table_formats = table_formats.map(FailuresAs::Table);
            std::iter::once(FailuresAs::Text)
                .chain(table_formats)
                .collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            FailuresAs::Text => {
                Some(PossibleValue::new("text").help("The first ten, on standard error"))
            }
            FailuresAs::Table(format) if *format == OutputFormat::NDJSON => {
                format.to_possible_value().map(|value| value.alias("json"))
            }
            FailuresAs::Table(format) => format.to_possible_value(),
        }
    }
}

impl ValidateArgs {
    pub(crate) fn task(&self) -> Task {
        Task::Validate {
            limits: Limits {
                nodes: self.node_limit,
                ..Limits::default()
            },
        }
    }
}

pub(crate) fn plan(args: ValidateArgs) -> Result<Plan, CommandError> {
    let task = args.task();
    let (output, format) = match (args.output, args.format) {
        (Some(_), Some(FailuresAs::Text)) => {
            return Err(UsageError::TextAndOutput.into());
        }
        (None, Some(FailuresAs::Table(format))) => (Some("-".into()), Some(format)),
        (output, Some(FailuresAs::Table(format))) => (output, Some(format)),
        (output, Some(FailuresAs::Text) | None) => (output, None),
    };
    let options = TargetOptions {
        overwrite: args.report.overwrite,
    };
    // The number of rejects is not limited, because every failure is reported.
    let max_rejects = args.report.max_rejects;
    let mut plan = plan::plan(
        "validate",
        args.read,
        None,
        args.report,
        task.stages(),
        task.groups(),
    )?;
    plan.run.max_rejects = max_rejects;
    let failures = output.map(|output| one_table::table(output, format, options));
    let failures = failures.transpose()?;
    if let Some(table) = &failures {
        destination::refuse_grids(table.format, "reasons")?;
        plan.refuse_beside_summary(table, "failures")?;
    }
    plan.work = Work::Validate { failures };
    Ok(plan)
}
