//! `augment`: isomorphs of every puzzle.

use clap::Args;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::table::copies::Copies;

use crate::cli::error::CommandError;
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::numbers::between;
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::plan::{self, Plan};
use sudoku_pipeline::job::Stages;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline augment train.parquet -o augmented.parquet --copies 10 --seed 1
  pipeline augment puzzles.csv -o augmented.csv.gz --copies 1000 --seed 7
  pipeline augment train.csv -o more.csv --copies 9 --with-original --seed 1
  pipeline augment raw/ -o augmented/ --copies 4 --seed 1 --partition-by level

Each row becomes so many isomorphs of its puzzle: different from it and from each other, with its solution
rewritten alike and its other columns as they are. The column group is the class that all of them share, and
transformation says what was done to the puzzle, so that it can be undone. A puzzle that symmetry leaves fewer
isomorphs has all that there are. A grid above 9 × 9 has no copies here: its row stays, and a warning says how many.";

const SEED: &str = "The seed of the copies, and of --sample";

#[derive(Args)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub(crate) struct AugmentArgs {
    /// How many isomorphs of each puzzle
    #[arg(long, value_name = "N",
          value_parser = between::<u32>(1, 65_536))]
    copies: u32,
    /// Also write each row unchanged: before its copies, as copy 0
    #[arg(long)]
    with_original: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    dataset: DatasetArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: AugmentArgs) -> Result<Plan, CommandError> {
    let copies = Copies {
        count: args.copies,
        seed: args.read.selection.seed,
        with_original: args.with_original,
    };
    let stages = Stages {
        copies: Some(copies),
        ..Stages::default()
    };
    let column_groups = vec![ColumnGroup::Puzzle, ColumnGroup::Given, ColumnGroup::Copy];
    let write = Some(args.write);
    let mut plan = plan::plan(
        "augment",
        args.read,
        write,
        args.report,
        stages,
        column_groups,
    )?;
    plan.add_dataset(&args.dataset);
    plan.metadata.add("copies", Some(copies.count));
    plan.metadata.add("seed", Some(copies.seed));
    let with_original = args.with_original.then_some(true);
    plan.metadata.add("with_original", with_original);
    Ok(plan)
}
