//! The terminal: its width, and the messages on standard error (the log, the progress line, the
//! report of a bug).

pub(crate) mod bug_report;
pub(crate) mod levels;
pub(crate) mod log;
pub(crate) mod pager;
pub(crate) mod progress;
pub(crate) mod quoting;
pub(crate) mod rate;
pub(crate) mod warnings;

use std::io::IsTerminal;

use crate::cli::host;

/// The width of the terminal in columns; `None` if the text does not go to a terminal.
pub(crate) fn width() -> Option<u16> {
    let is_terminal = !host::is_called() && std::io::stdout().is_terminal();
    let size = is_terminal.then(terminal_size::terminal_size).flatten();
    size.map(|(width, _)| width.0)
}

/// The width of the terminal of standard error in columns; `None` if it is not a terminal.
pub(crate) fn error_width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map(|(width, _)| usize::from(width.0))
}
