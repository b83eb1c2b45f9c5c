//! Replaces `stats` and `report` in builds without the feature `analytics`: they print how to
//! get it.

use std::path::Path;

use clap::Args;
use sudoku_pipeline::report::statistics::Statistics;

use super::error::{CommandError, UsageError};

const WITHOUT: &str = "\
This binary is built without the feature analytics, which this command needs:
  cargo install sudoku-pipeline --features analytics";

pub(super) const STATS_EXAMPLES: &str = WITHOUT;
pub(super) const REPORT_EXAMPLES: &str = WITHOUT;

/// Any arguments; they are ignored.
#[derive(Args)]
pub(super) struct AnyArgs {
    /// The arguments of the command
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    _all: Vec<String>,
}

pub(super) type StatsArgs = AnyArgs;
pub(super) type ReportArgs = AnyArgs;

/// Returns an error, because `what` needs the feature.
pub(super) fn check_built_in(what: &'static str) -> Result<(), CommandError> {
    Err(UsageError::WithoutAnalytics(what).into())
}

pub(super) fn stats(_: AnyArgs) -> Result<(), CommandError> {
    check_built_in("stats")
}

pub(super) fn report(_: AnyArgs) -> Result<(), CommandError> {
    check_built_in("report")
}

pub(super) fn page(_: &Statistics, _: &Path) -> Result<String, CommandError> {
    check_built_in("grade --report FILE.html").map(|()| String::new())
}
