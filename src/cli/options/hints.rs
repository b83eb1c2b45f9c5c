//! Hints for users who try the option names of other tools.

use std::error::Error;
use std::ffi::OsString;
use std::num::ParseIntError;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options that users of other tools may try. Each entry has the option's names, the commands for which there is a hint
/// (an empty list means all), and the hint.
const MISTAKEN_OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (
        &["--difficulty", "--level"],
        &["generate"],
        "--level hard makes puzzles of a level",
    ),
    (
        &["--difficulty", "--level"],
        &[],
        "to keep the puzzles of a level, write --where \"level = 'hard'\"",
    ),
    (
        &["--count", "--number", "--num", "-n"],
        &["generate"],
        "the number has no option: pipeline generate 100",
    ),
    (
        &["--train", "--test", "--ratio", "--test-size"],
        &["split"],
        "the parts have one option: --into train=0.9,test=0.1",
    ),
    (
        &["--train-size", "--fraction", "--fractions"],
        &["split"],
        "the parts have one option: --into train=0.9,test=0.1",
    ),
    (
        &["--line", "--index", "-n", "--record", "--id", "--nth"],
        &["explain"],
        "--row 16 explains a row of the file, counted from 0",
    ),
    (
        &["--predictions", "--answers"],
        &["evaluate"],
        "the predictions have no option: pipeline evaluate test.csv predictions.txt",
    ),
    (
        &["--solution", "--solutions-column"],
        &["generate"],
        "the table always has the solutions in the column solution",
    ),
    (
        &["--head", "--first", "--rows", "--top", "--take"],
        &[],
        "--limit 5 reads only the first records",
    ),
    (&["--offset"], &[], "--skip 5 leaves out the first records"),
    (
        &["--filter", "--query", "--if"],
        &[],
        "--where \"rank >= 12\" keeps the rows for which a condition holds",
    ),
    (
        &["--sep", "--separator"],
        &[],
        "--delimiter names the character between the columns of CSV",
    ),
    (
        &["--to", "--out-format", "--output-format"],
        &[],
        "-o table.parquet chooses the format by its extension; --format names it",
    ),
    (
        &["--max-solutions", "--solutions"],
        &["solve", "convert", "grade", "validate"],
        "--solution-limit 10 counts up to this many solutions",
    ),
    (
        &["--json"],
        &[
            "stats", "overlap", "evaluate", "grade", "solve", "convert", "dedup", "split",
            "validate",
        ],
        "--summary - prints the counts as JSON; --format json is for stats",
    ),
    (
        &["--timeout", "--time-limit"],
        &[],
        "--node-limit bounds the search for each puzzle, the same on every machine",
    ),
    (
        &["--columns", "--column", "--fields"],
        &[],
        "--select puzzle,level chooses the columns of the output",
    ),
    (
        &["--jobs", "--workers", "--cores"],
        &[],
        "--threads sets the number of threads",
    ),
    (
        &["--on", "--join", "--id", "--by"],
        &["evaluate"],
        "--key id names the column that both files have in common",
    ),
    (
        &["--empty", "--zero", "--zeros", "--empty-cell"],
        &[],
        "--blank 0 writes empty cells as 0",
    ),
    (
        &["--sort", "--sort-by", "--order-by"],
        &[],
        "rows are written in the order in which they are read: sort the table with DuckDB or polars",
    ),
    (
        &["--dry-run"],
        &[],
        "pipeline inspect FILE shows what would be read, and -n 1000 processes only the first records",
    ),
    (
        &["--force", "--replace"],
        &[],
        "--overwrite replaces an output that exists",
    ),
];

/// The commands that write a table to a file.
const TABLE_COMMANDS: [&str; 9] = [
    "augment", "compare", "convert", "dedup", "evaluate", "generate", "grade", "solve", "trace",
];

/// Commands of other tools, each with what does the same here.
const MISTAKEN_COMMANDS: &[(&[&str], &str)] = &[
    (
        &["clean", "check", "fix"],
        "audit FILE -o FOLDER/ finds invalid, repeated and wrong rows, and writes the file without them",
    ),
    (
        &["count", "summary", "describe", "profile", "frequency"],
        "stats counts the rows of a table",
    ),
    (
        &["list", "levels", "techniques", "ladder", "columns"],
        "schema lists the columns and their values, with all techniques and levels",
    ),
    (
        &["create", "make", "new"],
        "generate 1000 -o puzzles.csv makes puzzles",
    ),
    (
        &["plot", "chart", "page", "html"],
        "report TABLE draws a page with charts",
    ),
    (
        &["merge", "concat", "join", "union"],
        "convert a.csv b.csv -o all.parquet writes several files as one table",
    ),
    (
        &["sort", "order"],
        "convert keeps the order of the rows: sort the table with DuckDB or polars",
    ),
    (&["version"], "--version prints the version"),
    (
        &["eval", "score", "judge"],
        "evaluate test.csv predictions.txt judges the answers of a model",
    ),
    (
        &["head", "cat", "show", "view", "info"],
        "inspect shows the head of a file, and convert FILE -o - -n 10 its rows",
    ),
    (
        &["sample"],
        "convert FILE -o OUTPUT --sample 0.01 takes a random part of the rows",
    ),
    (
        &["filter", "select", "where"],
        "convert FILE -o OUTPUT --where CONDITION keeps some of the rows",
    ),
    (
        &["rate", "difficulty"],
        "grade --with se,hodoku rates each puzzle",
    ),
    (
        &["verify"],
        "validate checks that each record is a puzzle with one solution",
    ),
    (
        &["unique", "deduplicate"],
        "dedup removes puzzles that are equal or isomorphic",
    ),
    (
        &["shuffle"],
        "augment --copies 1 writes a random isomorph of each puzzle; rows keep their order",
    ),
];

/// Adds a hint to the error of the command line, if there is one for these arguments.
pub(crate) fn with_hint(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let words: Vec<&str> = arguments
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .collect();
    let command = words.iter().copied().find(|word| !word.starts_with('-'));
    let hint = match error.kind() {
        ErrorKind::UnknownArgument => {
            // clap suggests `-- --level`, which would be the name of an input.
            error.remove(ContextKind::Suggested);
            unknown_option(&error, command)
        }
        ErrorKind::MissingRequiredArgument => missing_output(&error, command, &words),
        ErrorKind::InvalidSubcommand => mistaken_command(&error),
        ErrorKind::ValueValidation => range_hint(&error),
        _ => None,
    };
    if let Some(hint) = hint {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        let hint = ContextValue::StyledStrs(vec![StyledStr::from(hint)]);
        error.insert(ContextKind::Suggested, hint);
    }
    error
}

fn unknown_option(error: &clap::Error, command: Option<&str>) -> Option<String> {
    let Some(ContextValue::String(tried)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let (_, _, hint) = MISTAKEN_OPTIONS.iter().find(|(names, commands, _)| {
        let is_command = commands.is_empty() || command.is_some_and(|one| commands.contains(&one));
        is_command && names.contains(&tried.as_str())
    })?;
    Some((*hint).to_owned())
}

fn mistaken_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(tried)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let tried = tried.to_ascii_lowercase();
    let (_, hint) =
        (MISTAKEN_COMMANDS.iter()).find(|(names, _)| names.contains(&tried.as_str()))?;
    Some(format!("pipeline {hint}"))
}

/// A hint for ranges such as `--limit 20..40`, if the option has no bounds that its message would name. The message of
/// Rust is only "invalid digit found in string".
fn range_hint(error: &clap::Error) -> Option<String> {
    let is_number = error.source()?.is::<ParseIntError>();
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = option.split_whitespace().next()?;
    is_number.then(|| format!("{name} takes one whole number"))
}

/// A hint for commands without `-o`, such as `grade in.csv` and `convert in.csv out.parquet`.
fn missing_output(error: &clap::Error, command: Option<&str>, words: &[&str]) -> Option<String> {
    let missing_argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.join(" "),
        Some(ContextValue::String(name)) => name.clone(),
        _ => return None,
    };
    if !missing_argument.contains("--output") || !TABLE_COMMANDS.contains(&command?) {
        return None;
    }
    let named_words: Vec<&&str> = words
        .iter()
        .skip_while(|word| Some(**word) != command)
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    Some(match named_words.as_slice() {
        [_, .., last] if !Path::new(last).exists() && last.contains('.') => {
            format!("if {last} is the output, write -o {last}")
        }
        _ => "write a file with -o table.parquet, or show the rows with -o -".to_owned(),
    })
}
