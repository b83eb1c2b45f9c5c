//! `split`: splits a dataset into parts that share no class of equal puzzles.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use serde_json::{Map, Value};
use sudoku_pipeline::sets::{Split, SplitPart};
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::{
    Compression, OutputFormat, TableFolder, TargetOptions, writable_folder,
};

use super::args::{ReadArgs, ReportArgs};
use super::choose::ViewArgs;
use super::dataset::DatasetArgs;
use super::destination::{Destination, Rejects};
use super::error::{CommandError, UsageError};
use super::one_table;
use super::plan::{self, Plan, SetWork};
use super::sets::{share_memory, stages};

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline split all.parquet -o sets/ --into train=0.8,valid=0.1,test=0.1
  pipeline split graded.parquet -o set/ --into train=.9,test=.1 --stratify level
  pipeline split raw/ -o sets/ --into train=0.8,test=0.2 --by exact --format csv

The part of a puzzle depends on its class and the seed alone: not on the order of the rows, not on the
threads, and not on what else is in the dataset, so that rows that are added later move no other. The
folder gets a table for each part, _manifest.json with the counts, and _SUCCESS.";

const SEED: &str = "The seed of the split, and of --sample";

/// The classes that are never divided among parts.
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
    /// Single rows, by the name of the input and the row's number there
    Row,
}

/// The parts and their shares: `train=0.8,validation=0.1,test=0.1`.
#[derive(Clone, Debug)]
pub(super) struct PartShares(Vec<(String, f64)>);

impl FromStr for PartShares {
    type Err = String;

    fn from_str(text: &str) -> Result<PartShares, String> {
        let mut shares: Vec<(String, f64)> = Vec::new();
        for part in text.split(',') {
            let (name, share) = part.split_once('=').ok_or("write NAME=SHARE,…")?;
            let (name, share) = (name.trim(), share.trim());
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.starts_with(['.', '_']) || !name.chars().all(is_plain) {
                return Err(format!(
                    "{name:?} cannot be the name of a part: use letters, digits, -, _ and ."
                ));
            }
            if shares
                .iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
            {
                return Err(format!("{name} is named twice"));
            }
            let share: f64 = (share.parse()).map_err(|_| format!("{share:?} is not a number"))?;
            if !(share > 0.0 && share <= 1.0) {
                return Err(format!("the share of {name} must be above 0 and at most 1"));
            }
            shares.push((name.to_owned(), share));
        }
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() > 1e-6 {
            return Err(format!("the sum of the shares is {sum}, but must be 1"));
        }
        Ok(PartShares(shares))
    }
}

#[derive(Args)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub(super) struct SplitArgs {
    /// The parts and their shares, whose sum is 1
    #[arg(long, value_name = "NAME=SHARE,…")]
    into: PartShares,
    /// The puzzles that never go to different parts
    #[arg(long, value_name = "WHAT", default_value = "grid")]
    by: PartBy,
    /// Count the values of this column in each part, and report shares that are more than a percentage
    /// point off
    #[arg(long, value_name = "COLUMN")]
    stratify: Option<String>,
    #[command(flatten)]
    read: ReadArgs,
    /// The folder, which gets a table for each part
    #[arg(long, value_name = "FOLDER", help_heading = "Writing")]
    output: PathBuf,
    /// The format of the parts [default: parquet]
    #[arg(long, value_name = "FORMAT", help_heading = "Writing")]
    format: Option<OutputFormat>,
    /// The compression of a text format
    #[arg(long, value_name = "HOW", help_heading = "Writing")]
    compression: Option<Compression>,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    dataset: DatasetArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

pub(super) fn plan(args: SplitArgs) -> Result<Plan, CommandError> {
    let folder = args.output;
    writable_folder(&folder)?;
    let options = TargetOptions {
        overwrite: args.report.overwrite,
    };
    let format = args.format.unwrap_or(OutputFormat::PARQUET);
    let compression = args.compression.unwrap_or_default();
    if !format.is_text && compression != Compression::None {
        return Err(UsageError::CompressedTwice(format.id).into());
    }
    let PartShares(shares) = args.into;
    let into: Vec<_> = shares
        .iter()
        .map(|(name, share)| format!("{name}={share}"))
        .collect();
    let parts = shares
        .into_iter()
        .map(|(name, share)| SplitPart { name, share });
    let by = match args.by {
        PartBy::Grid => ClassBy::Grid,
        PartBy::Isomorph => ClassBy::Isomorph,
        PartBy::Solution => ClassBy::Solution,
        PartBy::Exact => ClassBy::Exact,
        PartBy::Row => ClassBy::Row,
    };
    let mut about = Map::new();
    about.insert("by".into(), by.id().into());
    let inputs = args
        .read
        .input
        .inputs
        .iter()
        .map(|input| plan::shown(input));
    about.insert("inputs".into(), Value::from_iter(inputs));
    // --sample uses the seed of the split too.
    let seed = args.read.take.seed;
    let split = Split {
        parts: parts.collect(),
        seed,
        stratify: args.stratify.clone(),
        about,
        folder: TableFolder {
            path: folder,
            format,
            compression,
            overwrite: args.report.overwrite,
        },
    };
    let within = split.folder.rejects_path();
    let (index, rest) = share_memory("split", args.report.run.memory_limit, Some(&within))?;
    let asked_rejects = args.report.rejects.is_some();
    let mut plan = plan::plan_within(
        "split",
        args.read,
        None,
        args.report,
        stages(&[by]),
        vec![ColumnGroup::Puzzle, ColumnGroup::Given],
        rest,
    )?;
    if !asked_rejects {
        let path = within;
        plan.destination = Destination::File {
            table: None,
            rejects: Some(Rejects {
                table: one_table::table(path, None, options)?,
                always: false,
            }),
        };
    }
    plan.read.nested_as_text = !format.has_nested();
    plan.view = args.view.view();
    args.view.describe(&mut plan.metadata);
    let described = [
        ("by", by.id().to_owned()),
        ("seed", seed.to_string()),
        ("into", into.join(",")),
    ];
    plan.metadata.retain(|(name, _)| name != "pipeline.seed");
    for (name, value) in described {
        plan.metadata.push((format!("pipeline.{name}"), value));
    }
    args.dataset.apply(&mut plan);
    plan.set = Some(SetWork::Split { split, index });
    Ok(plan)
}
