//! The words of a call by another program, and its error.

use clap::Args;
use sudoku_pipeline::error::exit_code;

use super::error::CommandError;
use super::spelling;

/// The error of a called command.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct CallError {
    /// The message that the command line would log.
    pub message: String,
    /// The exit code that the command line would end with.
    pub exit_code: u8,
}

impl From<CommandError> for CallError {
    fn from(mut error: CommandError) -> CallError {
        let exit_code = error.exit_code();
        // The rejects of a call that fails are not kept, so the message names no file.
        if let CommandError::Run(error) = &mut error
            && let Some(kept_in) = error.kept_rejects_mut()
        {
            *kept_in = None;
        }
        let message = match error {
            CommandError::Run(error) => error.without_advice(),
            error => error.to_string(),
        };
        CallError { message, exit_code }
    }
}

/// Parses the options and inputs of a command. Environment variables are ignored. The parser is only that of this command,
/// because making those of all commands takes longer than a small run.
pub(super) fn parse<A: Args>(
    command: &'static str,
    words: impl IntoIterator<Item = String>,
) -> Result<A, CallError> {
    let parser = clap::Command::new(command)
        .no_binary_name(true)
        .disable_help_flag(true);
    let matches = A::augment_args(parser).try_get_matches_from(words);
    let parsed = matches.and_then(|matches| A::from_arg_matches(&matches));
    parsed.map_err(|error| CallError {
        message: spelling::message(error),
        exit_code: exit_code::USAGE,
    })
}
