//! The options for reporting, threads, memory and progress.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;
use sudoku_pipeline::counts::RejectLimit;

use crate::cli::options::numbers::{between, size};
use crate::cli::terminal::progress::ProgressWhen;

#[derive(Args)]
#[command(next_help_heading = "Reporting")]
pub(crate) struct ReportArgs {
    /// The table of rejected records [default: a table beside the output, if there are any rejects]
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Fail if more records are rejected: a number, or a percentage such as 0.5% [default: more
    /// than half of the records and more than ten]; the exit code is then 3
    #[arg(long, value_name = "N|P%")]
    pub(crate) max_rejects: Option<RejectLimit>,
    /// Fail if more given solutions are wrong: a number, or a percentage; the exit code is
    /// then 3
    #[arg(long, value_name = "N|P%")]
    pub(crate) max_wrong: Option<RejectLimit>,
    /// Replace existing outputs, once the new ones are complete
    #[arg(long, help_heading = "Writing")]
    pub(crate) overwrite: bool,
    /// Write a summary of the run as one JSON object, even if the run fails; it replaces the summary of the
    /// previous run; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Write metrics of the run for Prometheus: a file for its textfile collector, even if the run fails; they replace
    /// those of the previous run
    #[arg(long, value_name = "FILE")]
    pub(crate) metrics: Option<PathBuf>,
    /// The label "task" of the metrics, which tells jobs apart [default: the name of the file of --metrics
    /// without its extension]
    #[arg(long, value_name = "NAME")]
    pub(crate) metrics_task: Option<String>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunArgs {
    /// The number of worker threads [default: one per core]
    #[arg(long, value_name = "N",
          value_parser = between::<usize>(1, 1024))]
    pub(crate) threads: Option<usize>,
    /// Use at most this much memory, for instance 256MiB [default: the container's limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory_limit: Option<ByteSize>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: ProgressWhen,
}
