//! Shows a text that is longer than the terminal page by page, with the program that the environment variable `PAGER`
//! names, or else with `less`.

use std::env;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::cli::error::CommandError;
use crate::cli::host;

/// Prints a text to standard output. A long one is shown page by page if standard output is a terminal.
pub(crate) fn print(text: &[u8]) -> Result<(), CommandError> {
    if is_longer_than_terminal(text) && show(text) {
        return Ok(());
    }
    crate::cli::print(text)
}

fn is_longer_than_terminal(text: &[u8]) -> bool {
    if host::is_called() || !std::io::stdout().is_terminal() {
        return false;
    }
    let height = terminal_size::terminal_size().map(|(_, height)| usize::from(height.0));
    height.is_some_and(|height| memchr::memchr_iter(b'\n', text).count() >= height)
}

/// Shows a text with a pager. Returns false if there is none, or if `PAGER` is empty.
fn show(text: &[u8]) -> bool {
    let program = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    if program.trim().is_empty() {
        return false;
    }
    let mut command = Command::new("sh");
    command.args(["-c", &program]).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // Colours are shown as colours, and the text stays on the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut pager) = command.spawn() else {
        return false;
    };
    if let Some(mut input) = pager.stdin.take() {
        // A reader who quits before the end closes the pipe.
        let _ = input.write_all(text);
    }
    // The shell has the exit code 127 if there is no such program.
    pager.wait().is_ok_and(|status| status.code() != Some(127))
}
