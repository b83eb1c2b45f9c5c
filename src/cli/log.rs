//! Logging to standard error, as text or JSON.

use std::fmt;

use clap::{Args, ValueEnum};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::error::CommandError;

/// The options for logging.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Logging")]
pub(super) struct LogArgs {
    /// The format of the log on standard error; json also turns progress off
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        env = "PIPELINE_LOG_FORMAT"
    )]
    pub(super) log_format: LogFormat,
    /// The lowest level that is logged
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "info",
        env = "PIPELINE_LOG_LEVEL"
    )]
    pub(super) log_level: LogLevel,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// A line for each message
    #[default]
    Text,
    /// A JSON object for each message, with time, level, message and numbers
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
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

/// Starts logging. Commands without the options log as text.
pub(super) fn start(args: Option<LogArgs>) {
    let (format, level) =
        args.map_or_else(Default::default, |args| (args.log_format, args.log_level));
    let log = tracing_subscriber::fmt()
        .with_max_level(level.filter())
        .with_writer(std::io::stderr);
    // This fails only if logging has already been started.
    let _ = match format {
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

/// Logs the error of the command.
pub(super) fn failed(error: &CommandError) {
    tracing::error!(exit_code = error.exit_code(), "{error}");
}

/// Formats only the message, for the text log.
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
        if *event.metadata().level() == Level::ERROR {
            writer.write_str("pipeline: ")?;
        }
        let mut message = MessageVisitor {
            writer: &mut writer,
            result: Ok(()),
        };
        event.record(&mut message);
        message.result?;
        writeln!(writer)
    }
}

/// Writes the message without the other fields.
struct MessageVisitor<'a, 'w> {
    writer: &'a mut Writer<'w>,
    result: fmt::Result,
}

impl Visit for MessageVisitor<'_, '_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.result = self.writer.write_str(&printable(&format!("{value:?}")));
        }
    }
}

/// Escapes control characters. Names of columns and files can contain them, and they could change the
/// terminal or start another line of the log.
pub(super) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    shown
}
