//! `stats`, `query` and `report` in a binary that is built without polars: they say so.

use std::path::Path;

use clap::Args;
use sudoku_pipeline::report::statistics::Statistics;

use super::error::{CommandError, UsageError};

const WITHOUT: &str = "\
This binary is built without the feature analytics, which this command needs:
  cargo install sudoku-pipeline --features analytics";

pub(super) const STATS_EXAMPLES: &str = WITHOUT;
pub(super) const QUERY_EXAMPLES: &str = WITHOUT;
pub(super) const REPORT_EXAMPLES: &str = WITHOUT;

/// Arguments that are not looked at.
#[derive(Args)]
pub(super) struct AnyArgs {
    /// What the command would take
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    _all: Vec<String>,
}

pub(super) type StatsArgs = AnyArgs;
pub(super) type QueryArgs = AnyArgs;
pub(super) type ReportArgs = AnyArgs;

/// Refuses what needs the feature.
pub(super) fn check_built_in(what: &'static str) -> Result<(), CommandError> {
    Err(UsageError::WithoutAnalytics(what).into())
}

pub(super) fn stats(_: AnyArgs) -> Result<(), CommandError> {
    check_built_in("stats")
}

pub(super) fn query(_: AnyArgs) -> Result<(), CommandError> {
    check_built_in("query")
}

pub(super) fn report(_: AnyArgs) -> Result<(), CommandError> {
    check_built_in("report")
}

pub(super) fn page(_: &Statistics, _: &Path) -> Result<String, CommandError> {
    check_built_in("grade --report FILE.html").map(|()| String::new())
}
