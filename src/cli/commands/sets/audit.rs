//! `audit`: finds invalid, repeated and shared rows in several datasets, and writes the datasets without
//! them.

use std::collections::HashSet;
use std::path::Path;

use clap::builder::PossibleValue;
use clap::{Arg, Args, ValueEnum};
use serde_json::Map;
use sudoku_core::grade::Ladder;
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::options::{REJECTS, SHARD};
use sudoku_pipeline::sets::{Audit, AuditSet, Preferred};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::table::columns::ColumnGroup;

use crate::cli::commands::sets::folder::{FolderArgs, plan_of_folder};
use crate::cli::commands::sets::stages;
use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::options::solving::{LimitArgs, RatingArgs, solver_limits};
use crate::cli::run::plan::Plan;
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline audit train.csv test.csv -o audit/
  pipeline audit train=raw/ valid=v.csv test=t.csv -o audit/ --format parquet
  pipeline audit puzzles.csv -o audit/ --with se --shared-by isomorph

Each SET is a file, a folder or a pattern in quotes; NAME=FILE names it. All sets are read once. A row is removed
if its puzzle does not have exactly one solution, if the solution that came with it is wrong, if an earlier row
of its set has an isomorph of the puzzle, or if a later set has a puzzle whose solution is an isomorph of its
solution: what the training set shares with the test set is removed from the training set, which stands first.
The folder gets a file for each set, README.md (a dataset card), _report.html, _charts.svg, _removed (each row
with the reason), _rejects.csv, _audit.json (the counts) and _commands.sh (the single commands).";

/// The help text for the datasets, which the help calls sets.
const SETS_HELP: &str = "The sets: each a file, a folder or a pattern in quotes, in any format of --input-format; \
                    NAME=FILE names it [default: the file's name]";

/// Replaces the help texts of `--output` and `--format`: the tables in the folder of `audit` are whole sets,
/// while those of `split` are parts of one. `mut_arg` would move the options to the end of the page and of the
/// completion scripts.
fn with_set_help(argument: Arg) -> Arg {
    match argument.get_id().as_str() {
        "output" => argument.help("The folder for the output, with a table for each set"),
        "format" => argument.help(
            "The format of the cleaned sets [default: that of the inputs, or parquet if they have several]",
        ),
        _ => argument,
    }
}

/// The classes whose rows count as duplicates within a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DuplicatesBy {
    /// Isomorphs: digits renamed, rows, columns, bands and stacks permuted, or transposed
    Isomorph,
    /// Puzzles with the same cells
    Exact,
    /// None: duplicates are counted, but not removed
    None,
}

/// The classes whose rows count as shared between datasets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SharedBy {
    /// Puzzles whose solutions are isomorphs
    Grid,
    /// Puzzles with the same solution
    Solution,
    /// Isomorphs
    Isomorph,
    /// Puzzles with the same cells
    Exact,
    /// None: shared rows are counted, but not removed
    None,
}

#[derive(Args)]
#[command(
    mut_arg("inputs", |inputs| inputs.value_name("SET").help(SETS_HELP)),
    mut_args(with_set_help)
)]
pub(crate) struct AuditArgs {
    /// Which rows are duplicates; the first row of each class is kept
    #[arg(long, value_name = "WHAT", default_value = "isomorph")]
    duplicates_by: DuplicatesBy,
    /// Which rows are shared between sets; they are kept in one set only
    #[arg(long, value_name = "WHAT", default_value = "grid")]
    shared_by: SharedBy,
    /// The set in which shared rows are kept
    #[arg(long, value_name = "WHICH", default_value = "last")]
    prefer: Preferred,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    rating: RatingArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    folder: FolderArgs,
    /// The name of the dataset [default: that of the folder]
    #[arg(long, value_name = "NAME", help_heading = "Writing")]
    title: Option<String>,
    #[command(flatten)]
    dataset: DatasetArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: AuditArgs) -> Result<Plan, CommandError> {
    let AuditArgs {
        mut read,
        limits,
        rating,
        report,
        folder,
        dataset,
        ..
    } = args;
    let folder = folder.parts_folder("audit", report.overwrite)?;
    if read.shard.is_some() {
        return Err(UsageError::not_together("audit needs whole sets", &[SHARD]).into());
    }
    let sets = named_sets(&read.input.inputs);
    let title = args.title.unwrap_or_else(|| {
        let name = std::path::absolute(&folder.path).unwrap_or_else(|_| folder.path.clone());
        let name = name.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    let mut metadata = Map::new();
    metadata.insert("inputs".into(), read.input.display_names());
    let shared_class = match args.shared_by {
        SharedBy::Grid => Some(ClassBy::Grid),
        SharedBy::Solution => Some(ClassBy::Solution),
        SharedBy::Isomorph => Some(ClassBy::Isomorph),
        SharedBy::Exact => Some(ClassBy::Exact),
        SharedBy::None => None,
    };
    let duplicates = match args.duplicates_by {
        DuplicatesBy::Isomorph => Some(ClassBy::Isomorph),
        DuplicatesBy::Exact => Some(ClassBy::Exact),
        DuplicatesBy::None => None,
    };
    let audit = Audit {
        title,
        sets: (sets.iter())
            .map(|(name, path)| AuditSet {
                name: name.clone(),
                inputs: vec![display_name(path)],
            })
            .collect(),
        preferred: args.prefer,
        duplicates,
        shared: shared_class,
        fixes_solutions: dataset.fix_solutions,
        about: metadata,
        steps: Vec::new(),
    };
    // The job reads the preferred dataset first.
    let reading_order = audit.reading_order().into_iter();
    read.input.inputs = reading_order.map(|set| sets[set].1.clone()).collect();
    if report.rejects.is_some() {
        let reason = "the rejects of an audit are in its folder";
        return Err(UsageError::not_together(reason, &[REJECTS]).into());
    }
    let mut stages = Stages {
        grade: Some(Ladder::default()),
        statistics: true,
        validate: true,
        solve: Some(solver_limits(&limits)),
        ..stages(&audit.classes())
    };
    rating.apply(&limits.with, &mut stages)?;
    let column_groups = vec![ColumnGroup::Puzzle, ColumnGroup::Given, ColumnGroup::Grade];
    let (mut plan, index) = plan_of_folder("audit", &folder, read, report, stages, column_groups)?;
    for (name, value) in [
        ("duplicates_by", args.duplicates_by.to_possible_value()),
        ("shared_by", args.shared_by.to_possible_value()),
        ("prefer", args.prefer.to_possible_value()),
    ] {
        let value = value.as_ref().map(PossibleValue::get_name);
        plan.metadata.add(name, value);
    }
    plan.add_limits(limits)?;
    plan.add_dataset(&dataset);
    plan.work = Work::Audit {
        audit: Box::new(audit),
        folder,
        index,
    };
    Ok(plan)
}

/// The name and the path of each dataset. An argument is `NAME=PATH`, or a path whose file name becomes the name.
fn named_sets(arguments: &[String]) -> Vec<(String, String)> {
    let is_set_name = |name: &str| {
        let is_plain_character = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(is_plain_character)
    };
    let mut taken_names = HashSet::new();
    let named_sets = arguments.iter().map(|argument| {
        let (name, path) = match argument.split_once('=') {
            Some((name, path)) if is_set_name(name) && !Path::new(argument).exists() => {
                (name.to_owned(), path)
            }
            _ => (file_name(argument), argument.as_str()),
        };
        let mut unique_name = name.clone();
        let mut suffix = 1;
        while !taken_names.insert(unique_name.to_ascii_lowercase()) {
            suffix += 1;
            unique_name = format!("{name}_{suffix}");
        }
        (unique_name, path.to_owned())
    });
    named_sets.collect()
}

/// The name for a dataset from its path: the file name without extensions. For a pattern, the name of the pattern's
/// folder.
fn file_name(path: &str) -> String {
    let is_pattern = |part: &&str| part.contains(['*', '?', '[', '{']);
    let path_parts = path.trim_end_matches('/').rsplit('/');
    let name = path_parts
        .filter(|part| !is_pattern(part))
        .find(|part| !part.is_empty());
    let name = name.unwrap_or("set");
    let stem = name
        .split('.')
        .find(|part| !part.is_empty())
        .unwrap_or("set");
    let to_plain_character = |c: char| {
        if c.is_ascii_alphanumeric() || "_-".contains(c) {
            c
        } else {
            '_'
        }
    };
    let stem: String = stem.chars().map(to_plain_character).collect();
    // Files whose names start with these characters are not read as data.
    match stem.trim_start_matches(['_', '-']) {
        "" => "set".to_owned(),
        stem => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_called_by_its_name_or_by_that_of_its_file() {
        let arguments = [
            "train=a/b.csv",
            "data/test.csv.gz",
            "raw/",
            "raw2/*.parquet",
            "s3://bucket/_x/train.csv",
            "-",
            "level=easy/x.csv",
        ];
        let names = named_sets(&arguments.map(str::to_owned));
        let names: Vec<_> = names
            .iter()
            .map(|(name, path)| (name.as_str(), path.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("train", "a/b.csv"),
                ("test", "data/test.csv.gz"),
                ("raw", "raw/"),
                ("raw2", "raw2/*.parquet"),
                ("train_2", "s3://bucket/_x/train.csv"),
                ("set", "-"),
                ("level", "easy/x.csv"),
            ]
        );
    }
}
