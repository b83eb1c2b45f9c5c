//! Logging to standard error: lines for people, or JSON for programs.

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
    /// The format of the log on standard error; json also leaves the progress bar out
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
    /// A line a message
    #[default]
    Text,
    /// A JSON object a line, with time, level, message and numbers
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
    /// Why the run failed
    Error,
    /// Also rejected records that no table keeps
    Warn,
    /// Also what was done
    #[default]
    Info,
    /// Also how it was done
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

/// Starts logging; commands without the options log as text.
pub(super) fn start(args: Option<LogArgs>) {
    let (format, level) =
        args.map_or_else(Default::default, |args| (args.log_format, args.log_level));
    let log = tracing_subscriber::fmt()
        .with_max_level(level.filter())
        .with_writer(std::io::stderr);
    // Fails only where logging has been started already.
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

/// Logs why the command failed.
pub(super) fn failed(error: &CommandError) {
    tracing::error!(exit_code = error.exit_code(), "{error}");
}

/// Formats the message alone, for people.
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
        let mut message = Message {
            writer: &mut writer,
            result: Ok(()),
        };
        event.record(&mut message);
        message.result?;
        writeln!(writer)
    }
}

/// Writes the message and none of the fields.
struct Message<'a, 'w> {
    writer: &'a mut Writer<'w>,
    result: fmt::Result,
}

impl Visit for Message<'_, '_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.result = self.writer.write_str(&printable(&format!("{value:?}")));
        }
    }
}

/// The text with its control characters escaped. Names of columns and files may contain some, which
/// could change a terminal or start another line of the log.
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
