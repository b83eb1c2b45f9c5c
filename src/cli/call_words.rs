//! The words of a call by another program, and its error.

use std::cell::RefCell;
use std::collections::BTreeMap;

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

thread_local! {
    /// The parsers of the commands that this thread has called. Making one takes longer than a small run.
    static PARSERS: RefCell<BTreeMap<&'static str, clap::Command>> = const { RefCell::new(BTreeMap::new()) };
}

/// Parses the options and inputs of a command. Environment variables are ignored.
pub(super) fn parse<A: Args>(
    command: &'static str,
    words: impl IntoIterator<Item = String>,
) -> Result<A, CallError> {
    let matches = PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers.entry(command).or_insert_with(|| {
            let parser = clap::Command::new(command);
            A::augment_args(parser.no_binary_name(true).disable_help_flag(true))
        });
        parser.try_get_matches_from_mut(words)
    });
    let parsed = matches.and_then(|matches| A::from_arg_matches(&matches));
    parsed.map_err(|error| CallError {
        message: spelling::message(error),
        exit_code: exit_code::USAGE,
    })
}
