//! Logging to standard error, as text or JSON.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use clap::{Args, ValueEnum};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use sudoku_pipeline::table::validation::Failure;
use sudoku_pipeline::wrap::wrap_text;

use crate::cli::error::CommandError;
use crate::cli::terminal::{error_width, progress};

/// The options for logging. Every command has them.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Running")]
pub(crate) struct LogArgs {
    /// Log only warnings and errors, and show no progress
    #[arg(short, long, global = true, overrides_with = "verbose")]
    quiet: bool,
    /// Log details too, such as formats and memory
    #[arg(short, long, global = true, overrides_with = "quiet")]
    verbose: bool,
    /// The least severe level that is logged
    #[arg(long, global = true, value_name = "LEVEL", default_value = "info")]
    log_level: LogLevel,
    /// The format of the log on standard error; json also turns progress off
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

impl LogArgs {
    fn level(&self) -> LogLevel {
        match (self.quiet, self.verbose) {
            (true, _) => self.log_level.min(LogLevel::Warn),
            (_, true) => LogLevel::Debug,
            (false, false) => self.log_level,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// A line for each message
    #[default]
    Text,
    /// A JSON object for each message, with time, level, message and numbers
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum LogLevel {
    /// The error of a failed run
    Error,
    /// Also warnings, such as rejected records that no table keeps
    Warn,
    /// Also the results of the run
    #[default]
    Info,
    /// Also details, such as formats and memory
    Debug,
}

impl LogLevel {
    fn filter(self) -> LevelFilter {
        match self {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
        }
    }
}

/// Starts logging.
pub(crate) fn start(args: &LogArgs) {
    progress::set_room(args.log_format == LogFormat::Text && !args.quiet);
    // If the log cannot be written, for example because the disk is full, the run continues. The failure cannot
    // be reported, because reports are written to the log.
    let log = tracing_subscriber::fmt()
        .with_max_level(args.level().filter())
        .log_internal_errors(false)
        .with_writer(|| StderrBesideProgress);
    // This fails only if logging has already been started.
    let _ = match args.log_format {
        LogFormat::Text => log.event_format(Plain).try_init(),
        LogFormat::Json => log
            .json()
            .flatten_event(true)
            .with_target(false)
            .with_current_span(false)
            .with_span_list(false)
            .try_init(),
    };
}

/// Runs work whose log is written to standard error, as text. The log of other threads is not written.
pub(crate) fn with_text_log<T>(work: impl FnOnce() -> T) -> T {
    let log = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::INFO)
        .log_internal_errors(false)
        .with_writer(|| StderrBesideProgress)
        .event_format(Plain)
        .finish();
    tracing::subscriber::with_default(log, work)
}

/// Whether the arguments, or else the environment, ask for a JSON log. Used if the arguments cannot be parsed.
pub(crate) fn is_json(arguments: &[OsString]) -> bool {
    let words: Vec<&str> = arguments
        .iter()
        .map(|argument| argument.to_str().unwrap_or_default())
        .collect();
    let options = words.iter().take_while(|word| **word != "--");
    let after_name = options.clone().skip(1).chain([&""]);
    let values = options.zip(after_name).filter_map(|(word, next)| {
        match word.strip_prefix("--log-format")? {
            "" => Some(*next),
            rest => rest.strip_prefix('='),
        }
    });
    let variable = std::env::var("PIPELINE_LOG_FORMAT").ok();
    let value = values.last().or(variable.as_deref());
    value.is_some_and(|value| value.eq_ignore_ascii_case("json"))
}

/// Starts a JSON log before the arguments are parsed.
pub(crate) fn start_json() {
    start(&LogArgs {
        quiet: false,
        verbose: false,
        log_level: LogLevel::Error,
        log_format: LogFormat::Json,
    });
}

/// Logs the error of a command line that cannot be parsed.
pub(crate) fn usage_failed(error: &clap::Error) {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    tracing::error!(exit_code = error.exit_code(), "{}", text.trim_end());
}

/// A writer to standard error for the log. It hides the progress line of the terminal while a message is
/// written.
struct StderrBesideProgress;

impl Write for StderrBesideProgress {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        progress::with_line_hidden(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Logs the error of a command.
pub(crate) fn failed(error: &CommandError) {
    tracing::error!(exit_code = error.exit_code(), "{error}");
}

/// Logs a record that fails: `puzzles.txt, line 7, byte 491: wrong_length: 80 cells …`
pub(crate) fn log_failure(source: &str, failure: &Failure) {
    let position_text = match (failure.line, failure.byte_offset) {
        (Some(line), Some(byte)) => format!("line {line}, byte {byte}"),
        _ => format!("row {}", failure.row),
    };
    let Failure { why, message, .. } = failure;
    tracing::warn!(
        source,
        row = failure.row,
        line = failure.line,
        byte_offset = failure.byte_offset,
        error = why,
        "{source}, {position_text}: {why}: {message}"
    );
}

/// The indent of continuation lines of a message, in characters.
const INDENT: usize = 2;

/// Formats only the message, for the text log. On a terminal, a long message is broken between words.
struct Plain;

impl<S, N> FormatEvent<S, N> for Plain
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut message = MessageVisitor(String::new());
        let label = match *event.metadata().level() {
            Level::ERROR => "error: ",
            _ => "",
        };
        message.0 += label;
        event.record(&mut message);
        // The last column stays empty, because some terminals wrap after it.
        let text = match error_width() {
            Some(width) => wrap_text(&message.0, INDENT, width.saturating_sub(1)),
            None => message.0,
        };
        match text.strip_prefix(label) {
            // Bold and red, as clap shows the errors of a command line.
            Some(rest) if !label.is_empty() && has_colours() => {
                writeln!(writer, "\x1b[1m\x1b[31m{}\x1b[0m {rest}", label.trim_end())
            }
            _ => writeln!(writer, "{text}"),
        }
    }
}

/// Whether standard error is a terminal that shows colours.
fn has_colours() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// The message of an event without its other fields.
struct MessageVisitor(String);

impl Visit for MessageVisitor {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 += &printable(&format!("{value:?}"));
        }
    }
}

/// Escapes characters that would change how a terminal shows the text around them. Names of columns and files,
/// and contents of rows, can have such characters.
pub(crate) fn printable(text: &str) -> String {
    let mut printable_text = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            printable_text.extend(character.escape_unicode());
        } else {
            printable_text.push(character);
        }
    }
    printable_text
}

/// Whether a character is invisible, but affects the terminal or the characters around it. These are control
/// characters, which can move the cursor or start a new line of the log, and marks of the writing direction,
/// with which a name can look like another name.
pub(crate) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}
