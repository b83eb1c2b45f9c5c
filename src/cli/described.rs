//! Describes the options of all commands as data, for callers such as the Python package, whose options have other
//! names.

use std::path::{Path, PathBuf};

use clap::{ArgAction, ValueEnum};

use sudoku_pipeline::error::exit_code;
use sudoku_pipeline::formats::output_formats;
use sudoku_pipeline::options::FORMAT;
use sudoku_pipeline::write::{OutputFormat, Table, TargetOptions};

use super::command;
use super::options::{environment, one_table};
use crate::nearest::did_you_mean;

/// A command of the command line, with the options that it accepts.
pub struct DescribedCommand {
    /// The name of the command, such as `grade`.
    pub name: String,
    /// The options that `--help` shows.
    pub options: Vec<DescribedOption>,
}

/// An option of a command, described for callers in other languages.
pub struct DescribedOption {
    /// The long name of the option, without the dashes.
    pub name: String,
    /// Whether the option takes a value. Otherwise it is a switch.
    pub takes_value: bool,
    /// The environment variable that sets the option; `None` if there is none.
    pub variable: Option<String>,
}

/// Describes the options of all commands.
pub fn described() -> Vec<DescribedCommand> {
    let mut cli = command();
    cli.build();
    let commands = cli.get_subcommands().map(|command| {
        let options = command.get_arguments().filter_map(|argument| {
            let is_help = matches!(
                argument.get_action(),
                ArgAction::Help | ArgAction::HelpLong | ArgAction::HelpShort | ArgAction::Version
            );
            let name = argument
                .get_long()
                .filter(|_| !is_help && !argument.is_hide_set())?;
            Some(DescribedOption {
                name: name.to_owned(),
                takes_value: argument.get_action().takes_values(),
                variable: environment::variable(command.get_name(), argument),
            })
        });
        DescribedCommand {
            name: command.get_name().to_owned(),
            options: options.collect(),
        }
    });
    commands.collect()
}

/// The table at this path. `format` names its format; without one, the extension of the path decides.
///
/// # Errors
///
/// The message that the command line would print, and its exit code.
pub fn output_table(
    path: PathBuf,
    format: Option<&str>,
    overwrite: bool,
) -> Result<Table, (String, u8)> {
    let format = format.map(|format| {
        // An ending names its format too: `arrows` is `arrow-stream`.
        let name = format!("table.{format}");
        let by_ending =
            one_table::format_of_name(Path::new(&name)).filter(|_| !format.contains('.'));
        let parsed = OutputFormat::from_str(format, false).or(by_ending.ok_or(()));
        parsed.map_err(|_| {
            let format_ids: Vec<&str> = output_formats().map(|known| known.id).collect();
            let message = format!(
                "{}: must be one of {}{}",
                FORMAT.set_to(format),
                format_ids.join(", "),
                did_you_mean(format, format_ids.iter().copied())
            );
            (message, exit_code::USAGE)
        })
    });
    let table = one_table::table(path, format.transpose()?, TargetOptions { overwrite });
    table.map_err(|error| (error.to_string(), error.exit_code()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_its_options() {
        let commands = described();
        let dedup = commands
            .iter()
            .find(|command| command.name == "dedup")
            .unwrap();
        let option_named_by = dedup
            .options
            .iter()
            .find(|option| option.name == "by")
            .unwrap();
        assert!(
            option_named_by.takes_value
                && option_named_by.variable.as_deref() == Some("PIPELINE_BY")
        );
        assert!(dedup.options.iter().all(|option| option.name != "help"));
    }
}
