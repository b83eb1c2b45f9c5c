//! `dedup`: writes the first row of each class of equal puzzles.

use std::path::PathBuf;

use clap::Args;
use sudoku_pipeline::options::DUPLICATES;
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::TargetOptions;

use crate::cli::commands::sets::stages;
use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::choose::ViewArgs;
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::one_table::{self, TableArgs};
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::destination::{self, Destination};
use crate::cli::run::memory::{RunMemory, share_memory};
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline dedup millions.csv.gz -o unique.parquet
  pipeline dedup a.txt b.txt -o unique.txt --by exact --duplicates places.csv
  pipeline dedup 'raw/*.parquet' -o unique.parquet --memory-limit 512MiB

The first row of each class stays, in input order. A puzzle that has no min-lex form here (pencil marks, sizes
other than 9 × 9), and with --by solution one without exactly one solution, is a duplicate of the same text
only; with --by grid a puzzle without exactly one solution is a duplicate of its isomorphs. The summary counts
them.";

#[derive(Args)]
pub(crate) struct DedupArgs {
    /// Which puzzles count as the same
    #[arg(long, value_name = "WHAT", default_value = "isomorph")]
    by: ClassBy,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    dataset: DatasetArgs,
    /// A table of the duplicate rows, each with the source and the row of the first row in its class
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    duplicates: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: DedupArgs) -> Result<Plan, CommandError> {
    let DedupArgs {
        read,
        table,
        view,
        dataset,
        by,
        duplicates,
        report,
    } = args;
    let overwrite = report.overwrite;
    let duplicates = duplicates
        .map(|path| one_table::table(path, None, TargetOptions { overwrite }))
        .transpose()?;
    if let Some(table) = &duplicates {
        destination::refuse_grids(table.format, "places")?;
        if table.path.is_none() {
            return Err(UsageError::argument(DUPLICATES, "needs a file").into());
        }
    }
    let (index, rest) = share_memory("dedup", report.run.memory_limit, Some(&table.output))?;
    let column_groups = vec![ColumnGroup::Puzzle, ColumnGroup::Given];
    let write = WriteArgs::one_table(table, view);
    let mut plan = plan::plan_within(
        "dedup",
        read,
        Some(write),
        report,
        stages(&[by]),
        column_groups,
        RunMemory {
            limit: rest,
            other_output: None,
        },
    )?;
    if matches!(plan.destination, Destination::Folder(_)) {
        return Err(one_table::output_is_folder("dedup").into());
    }
    plan.metadata.add("by", Some(by.id()));
    plan.add_dataset(&dataset);
    plan.work = Work::Dedup { duplicates, index };
    Ok(plan)
}
