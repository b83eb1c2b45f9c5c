//! Hints for users who try the option names of other tools.

use std::error::Error;
use std::ffi::OsString;
use std::num::ParseIntError;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::mistaken::{MISTAKEN_COMMANDS, MISTAKEN_OPTIONS};
use crate::nearest::did_you_mean;

/// The commands that write a table to a file.
const TABLE_COMMANDS: [&str; 9] = [
    "augment", "compare", "convert", "dedup", "evaluate", "generate", "grade", "solve", "trace",
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
            // clap suggests `-- --level`, which would be the name of an input, and options that hardly resemble the one
            // that was tried; its usage line shows them.
            error.remove(ContextKind::Suggested);
            let options = command.map(options_of).unwrap_or_default();
            let hint = unknown_option(&error, command, &options);
            if let Some((usage, is_similar)) = command.zip(similar(&error, &options)) {
                if !is_similar {
                    error.remove(ContextKind::SuggestedArg);
                }
                let usage = ContextValue::StyledStr(usage_of(usage));
                error.insert(ContextKind::Usage, usage);
            }
            hint
        }
        ErrorKind::MissingRequiredArgument => missing_argument(&error, command, &words),
        ErrorKind::InvalidValue => {
            if error.get(ContextKind::SuggestedValue).is_some() {
                // A list of fifty ids would hide the right one.
                error.remove(ContextKind::ValidValue);
            }
            invalid_value(&error, command)
        }
        ErrorKind::InvalidSubcommand => mistaken_command(&error),
        ErrorKind::ValueValidation => range_hint(&error),
        _ => None,
    };
    if let Some(hint) = hint {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedValue);
        let hint = ContextValue::StyledStrs(vec![StyledStr::from(hint)]);
        error.insert(ContextKind::Suggested, hint);
    }
    error
}

/// The names of a command's options.
fn options_of(command: &str) -> Vec<String> {
    let cli = crate::cli::command();
    let Some(command) = cli.find_subcommand(command) else {
        return Vec::new();
    };
    let options = command.get_arguments().filter_map(clap::Arg::get_long);
    options.map(|long| format!("--{long}")).collect()
}

/// The usage line of a command.
fn usage_of(command: &str) -> StyledStr {
    let mut cli = crate::cli::command();
    cli.build();
    let command = cli.find_subcommand_mut(command);
    command.map(clap::Command::render_usage).unwrap_or_default()
}

/// Whether the option that clap suggests resembles the one that was tried; `None` if the error names none.
fn similar(error: &clap::Error, options: &[String]) -> Option<bool> {
    let Some(ContextValue::String(tried)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let Some(ContextValue::String(suggested)) = error.get(ContextKind::SuggestedArg) else {
        return Some(false);
    };
    let known = options.iter().map(String::as_str);
    Some(did_you_mean(tried, known).contains(suggested.as_str()) && !options.is_empty())
}

/// The first option that a hint names; `None` if it is about another command.
fn first_option(hint: &str) -> Option<&str> {
    if hint.starts_with("pipeline ") {
        return None;
    }
    let word = hint
        .split_whitespace()
        .find(|word| word.starts_with("--"))?;
    word.split(['=', ';']).next()
}

/// The hint for an option that the command does not have. A hint is about options that it has.
fn unknown_option(
    error: &clap::Error,
    command: Option<&str>,
    options: &[String],
) -> Option<String> {
    let Some(ContextValue::String(tried)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let has_option =
        |hint: &str| first_option(hint).is_none_or(|first| options.iter().any(|own| own == first));
    let (_, _, hint) = MISTAKEN_OPTIONS.iter().find(|(names, commands, hint)| {
        let is_command = commands.is_empty() || command.is_some_and(|one| commands.contains(&one));
        is_command && names.contains(&tried.as_str()) && has_option(hint)
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

/// A hint for a value that an option does not have.
fn invalid_value(error: &clap::Error, command: Option<&str>) -> Option<String> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return None;
    };
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    match (command?, option.split_whitespace().next()?) {
        ("generate", "--level") if value.contains(',') => {
            let shares: Vec<String> = value
                .split(',')
                .map(|level| format!("{}=1", level.trim()))
                .collect();
            Some(format!(
                "--mix {} makes puzzles of several levels",
                shares.join(",")
            ))
        }
        ("schema", _) if value.contains('.') || Path::new(value).exists() => Some(format!(
            "pipeline inspect {value} shows the columns of a file"
        )),
        _ => None,
    }
}

/// A hint for commands without a required argument, such as `grade in.csv` and `convert in.csv out.parquet`.
fn missing_argument(error: &clap::Error, command: Option<&str>, words: &[&str]) -> Option<String> {
    let missing_argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.join(" "),
        Some(ContextValue::String(name)) => name.clone(),
        _ => return None,
    };
    let command = command?;
    if command == "split" && missing_argument.contains("--into") {
        return Some("--into train=0.9,test=0.1 names the parts and their shares".to_owned());
    }
    if !missing_argument.contains("--output") || !TABLE_COMMANDS.contains(&command) {
        return None;
    }
    let named_words: Vec<&&str> = words
        .iter()
        .skip_while(|word| **word != command)
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    Some(match named_words.as_slice() {
        [_, _] if command == "compare" => {
            "compare runs solvers over puzzles; report new.csv --against old.csv compares two datasets, and overlap \
             counts what they share"
                .to_owned()
        }
        [puzzle] if is_puzzle(puzzle) => of_one_puzzle(command),
        [_, .., last] if !Path::new(last).exists() && last.contains('.') => {
            format!("if {last} is the output, write -o {last}")
        }
        _ => "write a file with -o table.parquet, or show the rows with -o -".to_owned(),
    })
}

/// Whether an argument is a puzzle, and not the name of a file.
pub(crate) fn is_puzzle(argument: &str) -> bool {
    let is_symbol = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'*' | b'-');
    argument.len() == 81 && argument.bytes().all(is_symbol) && !Path::new(argument).exists()
}

/// What to do with one puzzle, which is no file.
pub(crate) fn of_one_puzzle(command: &str) -> String {
    format!(
        "pipeline explain PUZZLE explains one puzzle, and echo PUZZLE | pipeline {command} - -o - reads it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hint_names_an_option_of_its_commands() {
        let all = ["convert", "evaluate", "grade", "solve", "split", "stats"];
        for (names, commands, hint) in MISTAKEN_OPTIONS {
            let Some(option) = first_option(hint) else {
                continue;
            };
            let has = |command: &&str| options_of(command).iter().any(|own| own == option);
            assert!(
                commands.iter().all(&has),
                "{names:?} of {commands:?}: {option}"
            );
            assert!(
                !commands.is_empty() || all.iter().any(has),
                "{names:?}: {option}"
            );
        }
    }
}
