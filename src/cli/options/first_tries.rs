//! Rewrites options as people know them from other commands and programs, before the command line is parsed.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::FileTypeExt;

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The ratings that `--with` adds as columns.
const RATINGS: [&str; 3] = ["se", "hodoku", "te"];

/// The commands whose option `--with` adds ratings.
const RATING_COMMANDS: [&str; 4] = ["grade", "evaluate", "audit", "solve"];

/// The commands that read a pipe if no input is named.
const FILTERS: [&str; 13] = [
    "audit", "augment", "convert", "dedup", "evaluate", "explain", "grade", "inspect", "report",
    "solve", "stats", "trace", "validate",
];

/// The arguments, with options of other spellings replaced by the options that they mean.
///
/// ```text
/// --infer-types all              --infer-types=all
/// grade … --se                   grade … --with=se       also --hodoku, and --rating hodoku
/// explain … --with hodoku        explain … --rating=hodoku
/// ```
pub(crate) fn with_known_options(arguments: &[OsString]) -> Vec<OsString> {
    let command = command(arguments);
    let mut meant = Vec::with_capacity(arguments.len());
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        let Some(word) = argument.to_str().filter(|word| *word != "--") else {
            meant.push(argument.clone());
            meant.extend(rest.by_ref().cloned());
            break;
        };
        let (option, mut value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (word, None),
        };
        let mut next_if = |is_value: &dyn Fn(&str) -> bool| {
            let next = rest.peek().and_then(|next| next.to_str());
            let next = next.filter(|next| value.is_none() && is_value(next));
            let next = next.map(str::to_owned);
            if next.is_some() {
                rest.next();
            }
            value = value.take().or(next);
            value.clone()
        };
        let is_rating = |word: &str| word.split(',').all(|word| RATINGS.contains(&word));
        let adds_ratings = command.is_some_and(|command| RATING_COMMANDS.contains(&command));
        let replaced = match option {
            "--infer-types" => next_if(&|word| ["all", "auto", "none"].contains(&word))
                .map(|value| format!("--infer-types={value}")),
            "--se" | "--hodoku" if adds_ratings && word == option => {
                Some(format!("--with={}", &option[2..]))
            }
            "--rating" | "--ratings" if adds_ratings => {
                next_if(&is_rating).map(|value| format!("--with={value}"))
            }
            "--with" if command == Some("explain") => {
                next_if(&is_rating).map(|value| format!("--rating={value}"))
            }
            "--hodoku" if command == Some("explain") && word == option => {
                Some("--rating=hodoku".to_owned())
            }
            _ => None,
        };
        meant.push(replaced.map_or_else(|| argument.clone(), OsString::from));
    }
    meant
}

/// Completes a filter in a pipe that lacks the name of its input or its output: `cat x | pipeline grade | head` reads standard
/// input, and what reads standard input writes to standard output. A job that names its input, and no output, fails, so that
/// no table ends in a log. `None` if the error has another reason.
pub(crate) fn as_filter(error: &clap::Error, arguments: &[OsString]) -> Option<Vec<OsString>> {
    let command = command(arguments)?;
    if error.kind() != ErrorKind::MissingRequiredArgument
        || !FILTERS.contains(&command)
        || arguments.iter().any(|argument| argument == "--")
    {
        return None;
    }
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(names) => names.join(" "),
        ContextValue::String(name) => name.clone(),
        _ => return None,
    };
    let inputs = ["<INPUT>", "<TABLE>", "<SET>", "<TEST>", "<PUZZLE"];
    let lacks_input = inputs.iter().any(|name| missing.contains(name));
    let is_completed = if lacks_input {
        is_pipe_or_file()
    } else {
        arguments.iter().any(|argument| argument == "-")
    };
    is_completed.then(|| {
        let mut meant = arguments.to_vec();
        if lacks_input {
            meant.push("-".into());
        }
        if missing.contains("--output") {
            meant.push("--output=-".into());
        }
        meant
    })
}

/// Whether standard input is a pipe or a file, so that reading it neither waits for a person nor is certain to give
/// nothing.
fn is_pipe_or_file() -> bool {
    let input = fs::metadata("/dev/stdin");
    input.is_ok_and(|input| input.is_file() || input.file_type().is_fifo())
}

/// The name of the command: the first word that is no option.
fn command(arguments: &[OsString]) -> Option<&str> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    words.find(|word| !word.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_tries_mean_what_people_expect() {
        for (typed, expected) in [
            ("grade a --infer-types all", "grade a --infer-types=all"),
            ("grade --infer-types a.csv", "grade --infer-types a.csv"),
            (
                "convert a --infer-types=none",
                "convert a --infer-types=none",
            ),
            ("grade a --se --hodoku", "grade a --with=se --with=hodoku"),
            ("grade a --rating se,te", "grade a --with=se,te"),
            ("grade a --rating=se", "grade a --with=se"),
            ("generate 3 --se 1.0..2.0", "generate 3 --se 1.0..2.0"),
            ("explain P --se", "explain P --se"),
            ("explain P --with hodoku", "explain P --rating=hodoku"),
            ("explain P --hodoku", "explain P --rating=hodoku"),
            // A value that the option would not have is not lost.
            ("grade a --se=7.0..7.5", "grade a --se=7.0..7.5"),
            ("explain P --hodoku=2.3", "explain P --hodoku=2.3"),
            ("grade -- --se", "grade -- --se"),
        ] {
            let words = |text: &str| -> Vec<OsString> {
                ("pipeline ".to_owned() + text)
                    .split(' ')
                    .map(OsString::from)
                    .collect()
            };
            assert_eq!(
                with_known_options(&words(typed)),
                words(expected),
                "{typed}"
            );
        }
    }
}
