//! `split`: splits a dataset into parts that have no class of equal puzzles in common.

use clap::Args;
use serde_json::Map;
use sudoku_pipeline::sets::{PartSize, Split, SplitPart};
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::table::columns::ColumnGroup;

use crate::cli::commands::sets::folder::{FolderArgs, plan_of_folder};
use crate::cli::commands::sets::parts::PartSizes;
use crate::cli::commands::sets::stages;
use crate::cli::error::CommandError;
use crate::cli::options::choose::ViewArgs;
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::names::{Names, texts};
use crate::cli::options::numbers::between;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::plan::Plan;
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline split all.parquet -o sets/ --into train=0.8,valid=0.1,test=0.1
  pipeline split puzzles.csv -o sets/ --into train=rest,test=1000
  pipeline split graded.parquet -o s/ --into train=90%,test=10% --stratify level
  pipeline split raw/ -o folds/ --folds 5 --seed 7 --by exact --format csv

With shares, the part of a puzzle depends on its class and the seed alone: not on the order of the rows, not
on the threads, and not on what else is in the dataset, so that rows that are added later move no other. With
--stratify it depends on the rows before, too, and with numbers of rows on all rows. The folder gets a table
for each part, _manifest.json with the counts, and _SUCCESS.";

const SEED: &str = "The seed of the split, and of --sample";

/// The classes whose rows are always in the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PartBy {
    /// Puzzles whose solutions are isomorphs
    Grid,
    /// Isomorphs: digits renamed, rows, columns, bands and stacks permuted, or transposed
    Isomorph,
    /// Puzzles with the same solution
    Solution,
    /// Puzzles with the same cells
    Exact,
    /// Single rows, identified by the name of the input and the number of the row
    Row,
}

#[derive(Args)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub(crate) struct SplitArgs {
    /// The parts and their sizes: shares (0.1 or 10%) whose sum is 1; numbers of rows, which are taken out
    /// before the shares are computed; and rest
    #[arg(long, value_name = "NAME=SIZE,…", required_unless_present = "folds")]
    into: Option<PartSizes>,
    /// The parts fold_1 to fold_K, all of the same size
    #[arg(long, value_name = "K", conflicts_with = "into",
          value_parser = between::<u16>(2, 1000))]
    folds: Option<u16>,
    /// The puzzles that are always in the same part
    #[arg(long, value_name = "WHAT", default_value = "grid")]
    by: PartBy,
    /// Balance the parts by columns: each part gets its share of the rows of every value, or of every combination of
    /// values, as far as classes are not divided; rows that are appended later do not move the earlier ones
    #[arg(long, value_name = "COLUMNS")]
    stratify: Vec<Names>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    dataset: DatasetArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: SplitArgs) -> Result<Plan, CommandError> {
    let folder = args.folder.parts_folder("split", args.report.overwrite)?;
    let sizes = match (args.into, args.folds) {
        (Some(PartSizes(sizes)), _) => sizes,
        (None, folds) => PartSizes::folds(folds.unwrap_or(2)).0,
    };
    let size_texts: Vec<_> = (sizes.iter())
        .map(|(name, size)| match size {
            PartSize::Share(share) => format!("{name}={share}"),
            PartSize::Rows(rows) => format!("{name}={rows}"),
        })
        .collect();
    let part_sizes = sizes
        .into_iter()
        .map(|(name, size)| SplitPart { name, size });
    let class_by = match args.by {
        PartBy::Grid => ClassBy::Grid,
        PartBy::Isomorph => ClassBy::Isomorph,
        PartBy::Solution => ClassBy::Solution,
        PartBy::Exact => ClassBy::Exact,
        PartBy::Row => ClassBy::Row,
    };
    let mut metadata = Map::new();
    metadata.insert("by".into(), class_by.id().into());
    metadata.insert("inputs".into(), args.read.input.display_names());
    // `--sample` uses the seed of the split, too.
    let seed = args.read.selection.seed;
    let split = Split {
        parts: part_sizes.collect(),
        seed,
        stratify: texts(&args.stratify),
        about: metadata,
    };
    let (mut plan, index) = plan_of_folder(
        "split",
        &folder,
        args.read,
        args.report,
        stages(&[class_by]),
        vec![ColumnGroup::Puzzle, ColumnGroup::Given],
    )?;
    plan.view = args.view.view();
    args.view.describe(&mut plan.metadata);
    plan.metadata.add("by", Some(class_by.id()));
    plan.metadata.add("seed", Some(seed));
    plan.metadata.add("into", Some(size_texts.join(",")));
    plan.add_dataset(&args.dataset);
    plan.work = Work::Split {
        split,
        folder,
        index,
    };
    Ok(plan)
}
