//! Reports a panic on standard error. A panic is a bug, and the report says what to send to the developers.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::env::consts::{ARCH, OS};
use std::panic::PanicHookInfo;

use sudoku_pipeline::VERSION;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::panics;
use sudoku_pipeline::store::without_secrets;

use crate::cli::error::CommandError;
use crate::cli::terminal::quoting::quoted;

/// Installs a panic hook. It reports every panic that the program does not convert to an error.
pub(crate) fn start() {
    panics::report_bugs(|panic| {
        let bug = Bug::from_panic(panic);
        tracing::error!(
            bug = true,
            version = VERSION,
            command = bug.command,
            thread = bug.thread,
            place = bug.source_location,
            "{}",
            bug.report(&Backtrace::capture())
        );
    });
}

/// Runs the command. A panic, which the hook has already reported, becomes an error with an exit code.
pub(crate) fn caught(run: impl FnOnce() -> Result<(), CommandError>) -> Result<(), CommandError> {
    panics::caught(run).unwrap_or_else(|panic| Err(Error::Internal(panic).into()))
}

/// The facts about a panic.
struct Bug {
    panic: String,
    /// The file, line and column of the code.
    source_location: String,
    thread: String,
    /// The command line, without secrets in addresses.
    command: String,
}

impl Bug {
    fn from_panic(panic: &PanicHookInfo<'_>) -> Bug {
        let thread = std::thread::current();
        let arguments = std::env::args_os();
        let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
        let panic_location = panic.location().map(ToString::to_string);
        Bug {
            panic: panics::text_of(panic.payload()).to_owned(),
            source_location: panic_location.unwrap_or_else(|| "unknown".to_owned()),
            thread: thread.name().unwrap_or("without a name").to_owned(),
            command: command_line(arguments),
        }
    }

    fn report(&self, backtrace: &Backtrace) -> String {
        let Bug {
            panic,
            source_location: place,
            thread,
            command,
        } = self;
        let calls = match backtrace.status() {
            BacktraceStatus::Captured => format!("\n{backtrace}"),
            _ => "run it again with RUST_BACKTRACE=1 to see them here".to_owned(),
        };
        format!(
            "this is a bug of pipeline: {panic}\n\
             Please report it with these lines and, if you may share it, the input: the rows that \
             the last message names are enough.\n\
             \x20 version  {VERSION}, {OS} {ARCH}\n\
             \x20 command  {command}\n\
             \x20 place    {place}, thread {thread}\n\
             \x20 calls    {calls}"
        )
    }
}

/// The command line, quoted for a shell.
fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let arguments = arguments.map(|argument| {
        if argument.contains("://") {
            quoted(&without_secrets(&argument))
        } else {
            quoted(&argument)
        }
    });
    arguments.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_report_has_the_panic_its_position_and_the_command() {
        let bug = Bug {
            panic: "index out of bounds".into(),
            source_location: "src/a.rs:1:2".into(),
            thread: "worker-1".into(),
            command: "pipeline grade in.csv".into(),
        };
        let report = bug.report(&Backtrace::disabled());
        for said in [
            "this is a bug of pipeline: index out of bounds",
            "Please report it",
            VERSION,
            "src/a.rs:1:2, thread worker-1",
            "pipeline grade in.csv",
            "RUST_BACKTRACE=1",
        ] {
            assert!(report.contains(said), "{said}: {report}");
        }
    }

    #[test]
    fn the_command_can_be_run_again() {
        let arguments = ["pipeline", "grade", "a b.csv", "--where", "it's", ""];
        let line = command_line(arguments.into_iter().map(str::to_owned));
        assert_eq!(line, r"pipeline grade 'a b.csv' --where 'it'\''s' ''");
    }
}
