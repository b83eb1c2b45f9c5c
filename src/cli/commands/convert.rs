//! `convert`: writes a dataset in another format.

use clap::Args;
use sudoku_core::solve::Limits;
use sudoku_pipeline::job::{Stages, Task};

use crate::cli::error::CommandError;
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::numbers::between;
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::plan::{self, Plan};

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline convert sudoku.csv -o sudoku.parquet
  pipeline convert millions.csv.gz -o puzzles.txt.gz
  pipeline convert forum.txt -o clean.csv --keep none
  pipeline convert raw/ -o clean/ --format csv --compression zstd";

#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// Give N more cells of the solution in each 9 × 9 puzzle with exactly one solution: those that are easiest
    /// to find
    #[arg(long, value_name = "N",
          value_parser = between::<u8>(1, 64))]
    hints: Option<u8>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    #[command(flatten)]
    pub(crate) dataset: DatasetArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: ConvertArgs) -> Result<Plan, CommandError> {
    let column_groups = Task::Convert.groups();
    let stages = Stages {
        hints: args.hints.map(usize::from),
        solve: args.hints.map(|_| Limits::default()),
        ..Task::Convert.stages()
    };
    let mut plan = plan::plan(
        "convert",
        args.read,
        Some(args.write),
        args.report,
        stages,
        column_groups,
    )?;
    plan.metadata.add("hints", args.hints);
    plan.add_dataset(&args.dataset);
    Ok(plan)
}
