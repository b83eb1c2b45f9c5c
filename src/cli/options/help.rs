//! The help texts. Each option has one text, its documentation; the two forms of the help show different
//! parts of it.
//!
//! ```text
//! -h       a line for each of the usual options: the text up to its first comma, colon or bracket,
//!          and its default and values, where the line has room; the first examples
//! --help   every option: the text, its values, its default, its variable; all examples
//! ```

use std::collections::HashMap;

use clap::builder::{PossibleValue, Resettable, StyledStr};
use clap::{Arg, ArgAction, Command};
use sudoku_pipeline::wrap::wrap_text;

use crate::cli::options::environment;

/// The maximum number of characters of a line in the output of `-h`. A line then fits on a terminal of 80 columns.
const SHORT_HELP_WIDTH: usize = 80;
/// The maximum number of characters of an option's name on a line in `-h`.
const NAME_WIDTH: usize = 26;

/// The width of the help on wide terminals, in characters.
pub(crate) const MAX_HELP_WIDTH: usize = 100;
/// The indentation of the texts in `--help`, in characters.
const INDENT: usize = 10;

/// The number of examples that `-h` shows.
const SHORT_HELP_EXAMPLES: usize = 2;

/// Options that are rarely needed. Only `--help` shows them.
const RARE_OPTIONS: [&str; 37] = [
    "allow-empty",
    "alphabet",
    "compression",
    "delimiter",
    "extract-report",
    "fix-solutions",
    "hodoku-version",
    "infer-types",
    "input-format",
    "keep-going",
    "log-format",
    "log-level",
    "max-damaged",
    "max-record-bytes",
    "max-rows-per-file",
    "max-wrong",
    "max-rejects",
    "metrics-task",
    "moves",
    "node-limit",
    "order",
    "progress",
    "prune",
    "rename",
    "rounds",
    "sample",
    "schema",
    "scheme",
    "se-max",
    "se-work",
    "seed",
    "shard",
    "skip",
    "solution-limit",
    "token-offset",
    "types",
    "verbose",
];

/// Options of [`RARE_OPTIONS`] that are often needed in one command. The second value is that command.
const USUAL_IN_COMMAND: [(&str, &str); 8] = [
    ("augment", "seed"),
    ("compare", "solution-limit"),
    ("generate", "seed"),
    ("generate", "skip"),
    ("inspect", "alphabet"),
    ("inspect", "infer-types"),
    ("solve", "solution-limit"),
    ("split", "seed"),
];

/// Sets the short and the long help text of an option or argument.
pub(crate) fn with_help_texts(command: &str, argument: Arg) -> Arg {
    let text = argument.get_long_help().or(argument.get_help());
    let text = text.map_or_else(String::new, plain_text);
    let clause = first_clause(&text);
    let is_rare = (argument.get_long()).is_some_and(|long| {
        RARE_OPTIONS.contains(&long) && !USUAL_IN_COMMAND.contains(&(command, long))
    });
    let fits_beside_name = name_with_value(&argument).chars().count() <= NAME_WIDTH
        && clause.chars().count() <= SHORT_HELP_WIDTH - NAME_WIDTH - "      ".len() - "  ".len();
    let is_shown = argument.get_long().is_none() || !is_rare && fits_beside_name;
    let long_help = long_text(command, &argument, &text);
    let takes_value = argument.get_action().takes_values();
    let argument = if argument.is_positional() {
        argument.help_heading(Resettable::Reset)
    } else {
        argument
    };
    argument
        .help(clause)
        .long_help(StyledStr::from(long_help))
        .hide_short_help(!is_shown)
        .hide_env(true)
        .hide_default_value(takes_value)
        .hide_possible_values(takes_value)
}

/// Adds the defaults and the values of options to their lines in `-h`, where a line has room for them. The lines of a group
/// begin at the same column.
pub(crate) fn with_short_facts(command: Command) -> Command {
    let mut widths: HashMap<Option<String>, usize> = HashMap::new();
    for argument in command.get_arguments() {
        if !argument.is_positional() && !argument.is_hide_short_help_set() {
            let heading = argument.get_help_heading().map(str::to_owned);
            let width = widths.entry(heading).or_default();
            *width = (*width).max(name_with_value(argument).chars().count());
        }
    }
    command.mut_args(|argument| {
        let heading = argument.get_help_heading().map(str::to_owned);
        let Some(width) = widths.get(&heading).filter(|_| !argument.is_positional()) else {
            return argument;
        };
        let clause = argument.get_help().map_or_else(String::new, plain_text);
        let used = "      ".len() + width + "  ".len() + clause.chars().count() + " ".len();
        let fits = |fact: &String| used + fact.chars().count() <= SHORT_HELP_WIDTH;
        match short_facts(&argument).into_iter().find(fits) {
            Some(fact) => argument.help(format!("{clause} {fact}")),
            None => argument,
        }
    })
}

/// The default and the values of an option as `-h` shows them, the longest form first.
fn short_facts(argument: &Arg) -> Vec<String> {
    if !argument.get_action().takes_values() {
        return Vec::new();
    }
    let values = argument.get_possible_values();
    let values = values.iter().filter(|value| !value.is_hide_set());
    let values: Vec<&str> = values.map(PossibleValue::get_name).collect();
    let text = (argument.get_long_help()).map_or_else(String::new, plain_text);
    let default = text
        .split_once("[default: ")
        .and_then(|(_, rest)| rest.split_once(']'))
        .map(|(default, _)| default.replace('\n', " "));
    let Some(default) = default else {
        return match values.as_slice() {
            [] => Vec::new(),
            values => vec![format!("[{}]", values.join(", "))],
        };
    };
    let others = values.into_iter().filter(|value| *value != default);
    let others: Vec<&str> = others.collect();
    let mut facts = Vec::new();
    if !others.is_empty() {
        facts.push(format!("[default: {default}; also {}]", others.join(", ")));
    }
    facts.push(format!("[default: {default}]"));
    facts
}

/// Converts a help text, which has no escape sequences, to a string. `to_string` would search for them, in every text
/// and at the start of every command.
fn plain_text(text: &StyledStr) -> String {
    text.ansi().to_string()
}

/// An option's name with its value, such as `--threads <N>`.
fn name_with_value(argument: &Arg) -> String {
    let values = argument
        .get_value_names()
        .filter(|_| argument.get_action().takes_values());
    let value_name = values.and_then(<[_]>::first);
    let value_name = value_name.map_or_else(String::new, |value| format!(" <{value}>"));
    format!("--{}{value_name}", argument.get_long().unwrap_or_default())
}

/// The start of a help text up to the first comma, colon, semicolon or bracket. `-h` shows only this part.
fn first_clause(text: &str) -> String {
    let text = text.lines().next().unwrap_or_default();
    let sentence_ends = [", ", ": ", "; ", " (", " [", ". "].map(|end| text.find(end));
    let first_end = sentence_ends.into_iter().flatten().min();
    text[..first_end.unwrap_or(text.len())].to_owned()
}

/// The long help text of an option: its description, its values, its default, and at the end its
/// environment variable.
fn long_text(command: &str, argument: &Arg, text: &str) -> String {
    let mut paragraphs = vec![text.to_owned()];
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    let takes_value = argument.get_action().takes_values();
    if takes_value && values.iter().any(|value| value.get_help().is_some()) {
        paragraphs.push(values_with_help(&values));
    } else if takes_value && !values.is_empty() {
        let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
        paragraphs.push(format!("Values: {}", names.join(", ")));
    }
    let mut bracketed_facts = Vec::new();
    let defaults = argument.get_default_values();
    if takes_value && !defaults.is_empty() {
        let defaults: Vec<_> = defaults
            .iter()
            .map(|value| value.to_string_lossy())
            .collect();
        bracketed_facts.push(format!("[default: {}]", defaults.join(" ")));
    }
    if let Some(variable) = environment::variable(command, argument) {
        bracketed_facts.push(format!("[env: {variable}]"));
    }
    paragraphs.push(bracketed_facts.join(" "));
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.join("\n\n")
}

/// The values of an option, one on each line. Continuation lines are indented.
fn values_with_help(values: &[&PossibleValue]) -> String {
    let longest = values.iter().map(|value| value.get_name().len()).max();
    let longest = longest.unwrap_or(0);
    let lines = values.iter().map(|value| {
        let help = value.get_help().map_or_else(String::new, plain_text);
        let name = value.get_name();
        let text = format!("- {name:<longest$}  {help}");
        wrap_text(text.trim_end(), longest + "-   ".len(), width() - INDENT)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The command with the short help of the subcommand of this name on one screen: without blank lines between the groups of
/// options.
pub(crate) fn with_short_help_on_a_screen(mut command: Command, subcommand: &str) -> Command {
    command.build();
    command.mut_subcommand(subcommand, |subcommand| {
        let mut rendered = subcommand.clone();
        let help = on_a_screen(&rendered.render_help());
        subcommand.override_help(help)
    })
}

/// A short help without the blank lines before the groups of options and before the last line.
fn on_a_screen(help: &StyledStr) -> StyledStr {
    let (plain, styled) = (help.to_string(), help.ansi().to_string());
    let after = plain.lines().skip(1).chain([""]);
    let is_group = |line: &str| line.ends_with(':') && !line.starts_with([' ', 'U', 'E', 'A']);
    let lines = plain.lines().zip(after).zip(styled.lines());
    let kept = lines.filter(|((line, next), _)| {
        !line.is_empty() || !(is_group(next) || next.starts_with("All options"))
    });
    let lines: Vec<&str> = kept.map(|(_, styled)| styled).collect();
    StyledStr::from(lines.join("\n") + "\n")
}

/// The width of the help in characters, as clap determines it.
fn width() -> usize {
    let size = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    size.or_else(variable)
        .unwrap_or(MAX_HELP_WIDTH)
        .clamp(40, MAX_HELP_WIDTH)
}

/// Sets the short and the long form of the footer: the text below the options of a command.
pub(crate) fn with_footer(command: Command) -> Command {
    let Some(text) = command.get_after_help().map(plain_text) else {
        return command;
    };
    let name = command.get_name().to_owned();
    let has_hidden_options = command.get_arguments().any(|argument| {
        let is_help = matches!(argument.get_action(), ArgAction::Help);
        argument.is_hide_short_help_set() && !is_help && !argument.is_global_set()
    });
    let full_text = join_lines(&text);
    let mut first_part = examples(&full_text);
    first_part += &match (command.has_subcommands(), has_hidden_options) {
        (true, _) => "\nExit codes, variables and object stores: pipeline --help".to_owned(),
        (false, true) => format!("\nAll options, with their variables: pipeline {name} --help"),
        (false, false) => String::new(),
    };
    command
        .after_help(first_part.trim().to_owned())
        .after_long_help(full_text)
}

/// The examples in a text, at most [`SHORT_HELP_EXAMPLES`].
fn examples(text: &str) -> String {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("Examples:"));
    let heading = lines.next();
    let mut examples_left = SHORT_HELP_EXAMPLES;
    let examples = lines
        .take_while(|line| line.starts_with("  "))
        .filter(|line| {
            // An example that ends with a backslash continues on the next line, so only its last line is
            // counted.
            let is_shown_line = examples_left > 0;
            examples_left -= usize::from(is_shown_line && !line.ends_with('\\'));
            is_shown_line
        });
    let shown_lines = heading.into_iter().chain(examples);
    shown_lines.map(|line| format!("{line}\n")).collect()
}

/// Joins the lines of each paragraph, so that it can be wrapped at the width of the terminal. Indented
/// lines and headings stay on their own.
fn join_lines(text: &str) -> String {
    let mut joined_text = String::new();
    let mut continues_paragraph = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        match continues_paragraph && is_prose {
            true => joined_text.push(' '),
            false if !joined_text.is_empty() => joined_text.push('\n'),
            false => {}
        }
        joined_text.push_str(line);
        continues_paragraph = is_prose && !line.ends_with(':');
    }
    joined_text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn commands() -> Vec<Command> {
        let mut cli = command();
        cli.build();
        let commands = cli
            .get_subcommands()
            .filter(|command| command.get_name() != "help");
        commands.cloned().collect()
    }

    /// The lines of a command's help on a terminal with `width` columns.
    fn lines(command: &Command, width: usize, is_long: bool) -> Vec<String> {
        let mut command = command.clone().term_width(width);
        let text = if is_long {
            command.render_long_help()
        } else {
            on_a_screen(&command.render_help())
        };
        text.to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_short_help_of_every_command_fits_a_screen() {
        for command in commands() {
            let name = command.get_name().to_owned();
            let lines = lines(&command, SHORT_HELP_WIDTH, false);
            assert!(
                lines.len() <= 40,
                "{name}: {} lines\n{}",
                lines.len(),
                lines.join("\n")
            );
            let shown_options = command.get_arguments().filter(|argument| {
                argument.get_long().is_some()
                    && !argument.is_hide_set()
                    && !argument.is_hide_short_help_set()
            });
            for option in shown_options {
                let long_name = option.get_long().unwrap_or_default();
                let own_lines = lines.iter().filter(|line| {
                    let line = line.trim_start();
                    line.starts_with('-') && line.contains(&format!("--{long_name} "))
                });
                // The line of an option shows its name and its help text.
                let own_lines: Vec<_> = own_lines
                    .filter(|line| line.trim().contains("  "))
                    .collect();
                assert_eq!(own_lines.len(), 1, "{name} --{long_name}: {own_lines:?}");
            }
            for line in &lines {
                let is_too_long =
                    line.chars().count() > SHORT_HELP_WIDTH && !line.starts_with("Usage");
                assert!(!is_too_long, "{name}: {line}");
            }
        }
    }

    #[test]
    fn the_own_options_of_a_command_come_first() {
        for (name, own) in [
            ("grade", "--ladder"),
            ("solve", "--solver"),
            ("dedup", "--by"),
            ("split", "--into"),
            ("augment", "--copies"),
            ("overlap", "--max"),
            ("compare", "--solvers"),
            ("generate", "--technique"),
        ] {
            let command = commands()
                .into_iter()
                .find(|command| command.get_name() == name);
            let lines = lines(&command.unwrap(), SHORT_HELP_WIDTH, false);
            let line_starting_with = |text: &str| {
                lines
                    .iter()
                    .position(|line| line.trim_start().starts_with(text))
            };
            let (own, output) = (line_starting_with(own), line_starting_with("-o, --output"));
            assert!(own.is_some() && own < output, "{name}: {lines:#?}");
            assert!(
                own < line_starting_with("--input-format").or(output),
                "{name}: {lines:#?}"
            );
        }
    }

    #[test]
    fn an_option_names_its_variable_once_at_its_end() {
        for command in commands() {
            let text = lines(&command, 100, true).join("\n");
            for argument in command.get_arguments() {
                let Some(variable) = environment::variable(command.get_name(), argument) else {
                    continue;
                };
                let variable_fact = format!("[env: {variable}]\n");
                assert_eq!(
                    text.matches(&variable_fact).count(),
                    1,
                    "{} {variable}",
                    command.get_name()
                );
            }
            assert!(!text.contains("[env: ]") && !text.contains("=]"), "{text}");
        }
    }

    /// Regression test: footers were wrapped at 110 columns in the source, and again at the width of the
    /// terminal.
    #[test]
    fn a_footer_is_wrapped_once() {
        let text = "Examples:\n  a\n  b\n\nOne thought\nin two lines. More.\n\nList:\n  x  y\nAn end\nof it.";
        let expected_text = "Examples:\n  a\n  b\n\nOne thought in two lines. More.\n\nList:\n  x  y\nAn end of it.";
        assert_eq!(join_lines(text), expected_text);
        for command in commands() {
            let footer = command
                .get_after_long_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let examples = footer.lines().filter(|line| line.starts_with("  "));
            for line in examples {
                let is_puzzle = line.split(' ').any(|word| word.len() >= 81);
                assert!(
                    is_puzzle || line.chars().count() <= SHORT_HELP_WIDTH,
                    "{}: {line}",
                    command.get_name()
                );
            }
        }
    }
}
