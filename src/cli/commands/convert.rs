//! `convert`: writes a dataset in another format.

use clap::Args;
use sudoku_pipeline::job::Task;

use crate::cli::error::CommandError;
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
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
    let (stages, groups) = (Task::Convert.stages(), Task::Convert.groups());
    let mut plan = plan::plan(
        "convert",
        args.read,
        Some(args.write),
        args.report,
        stages,
        groups,
    )?;
    plan.add_dataset(&args.dataset);
    Ok(plan)
}
