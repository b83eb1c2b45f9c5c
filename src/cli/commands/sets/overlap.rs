//! `overlap`: finds the rows of one dataset whose puzzle also occurs in another.

use clap::Args;
use sudoku_pipeline::counts::RejectLimit;
use sudoku_pipeline::options::SHARD;
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::table::columns::ColumnGroup;

use crate::cli::commands::sets::stages;
use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::choose::KeepArg;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::one_table::OptionalTableArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::destination;
use crate::cli::run::memory::{RunMemory, share_memory};
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline overlap train.csv test.csv
  pipeline overlap train.csv test.csv -o pairs.parquet --max 0
  pipeline overlap 'train/*.parquet' test/ --by isomorph --max 0.1%

A is the first dataset, B the second; each is a file, a folder or a pattern in quotes. One pass counts the rows
of B that have an isomorph, the same solution, or an isomorph of the same solution in A. The pairs and --max are
about those that --by names: rows of B, each with the first row of A of its class. With --max the exit code is
3 where there are more. docs/sql.md has the statement for what is new in B, or gone from A.";

/// The classes of equal puzzles that are counted, whatever the value of `--by` is.
const COUNTED: [ClassBy; 3] = [ClassBy::Isomorph, ClassBy::Solution, ClassBy::Grid];

const OUTPUT: &str = "The table of the pairs, in the format of its extension; - is standard output";

#[derive(Args)]
#[command(mut_arg("output", |output| output.help(OUTPUT)))]
pub(crate) struct OverlapArgs {
    /// Which rows are pairs, and are counted for --max
    #[arg(long, value_name = "WHAT", default_value = "grid")]
    by: ClassBy,
    /// Fail if more rows of B have a twin in A: a number, or a percentage such as 0.5%; the exit code
    /// is then 3
    #[arg(long, value_name = "N|P%")]
    max: Option<RejectLimit>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    pairs: OptionalTableArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: OverlapArgs) -> Result<Plan, CommandError> {
    let OverlapArgs {
        mut read,
        by,
        max,
        pairs,
        report,
    } = args;
    if read.input.inputs.len() != 2 {
        return Err(UsageError::InputCount {
            takes: "overlap compares two datasets, A and B (audit compares more)",
            named: read.input.inputs.len(),
        }
        .into());
    }
    if read.shard.is_some() {
        let reason = "overlap needs both whole datasets";
        return Err(UsageError::not_together(reason, &[SHARD]).into());
    }
    read.input.keep = KeepArg::no_column();
    let pairs = pairs.table(report.overwrite)?;
    if let Some(table) = &pairs {
        destination::refuse_grids(table.format, "pairs")?;
    }
    let mut classes = vec![by];
    classes.extend(COUNTED.into_iter().filter(|counted| *counted != by));
    let path = pairs.as_ref().and_then(|table| table.path.as_deref());
    let (index, rest) = share_memory("overlap", report.run.memory_limit, path)?;
    let mut plan = plan::plan_within(
        "overlap",
        read,
        None,
        report,
        stages(&classes),
        vec![ColumnGroup::Puzzle],
        RunMemory {
            limit: rest,
            other_output: path,
        },
    )?;
    if let Some(table) = &pairs {
        plan.refuse_beside_summary(table, "pairs")?;
    }
    plan.metadata.add("by", Some(by.id()));
    plan.work = Work::Overlap { pairs, max, index };
    Ok(plan)
}
