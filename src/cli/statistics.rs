//! `grade --report`: writes what the rows of a run have, as statistics or as a page.

use std::ffi::OsStr;
use std::path::Path;

use sudoku_pipeline::error::Error;
use sudoku_pipeline::report::statistics::Statistics;
use sudoku_pipeline::write::{Target, TargetOptions};

use super::analytics;
use super::error::{CommandError, UsageError};
use super::existing::begins_with;
use super::plan::Plan;
use super::report::Report;

/// The first bytes of statistics, and of a page.
const STARTS: [(&str, &[u8]); 2] = [
    ("json", b"{\n  \"statistics\":"),
    ("html", b"<!DOCTYPE html>\n<!-- pipeline report"),
];

/// The first bytes of what a file of this name holds.
fn start_of(path: &Path) -> Option<&'static [u8]> {
    let ending = path.extension().and_then(OsStr::to_str)?;
    let found = STARTS
        .iter()
        .find(|(own, _)| own.eq_ignore_ascii_case(ending));
    found.map(|(_, start)| *start)
}

fn is_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
}

/// Refuses a name that tells neither statistics nor a page, or a page that this binary cannot draw.
pub(super) fn check_name(path: &Path) -> Result<(), CommandError> {
    if start_of(path).is_none() {
        return Err(UsageError::ReportName(path.to_owned()).into());
    }
    if is_page(path) {
        analytics::check_built_in("grade --report FILE.html")?;
    }
    Ok(())
}

/// Refuses a path that cannot be written, or that holds something else, before the work.
pub(super) fn check(plan: &Plan) -> Result<(), CommandError> {
    let Some(path) = &plan.report else {
        return Ok(());
    };
    Target::file(path, options(plan, path)?)?;
    Ok(())
}

/// The report of the run before is replaced; a file that holds something else only with
/// `--overwrite`.
fn options(plan: &Plan, path: &Path) -> Result<TargetOptions, CommandError> {
    let is_ours = match start_of(path) {
        Some(start) => begins_with(path, start)?,
        None => false,
    };
    match plan.overwrite || is_ours {
        true => Ok(TargetOptions { overwrite: true }),
        false => Err(Error::OutputExists(path.to_owned()).into()),
    }
}

/// Writes the report of a run that is complete.
pub(super) fn write(plan: &Plan, report: &mut Report) -> Result<(), CommandError> {
    let Some(path) = &plan.report else {
        return Ok(());
    };
    let counted = report.done.statistics.take();
    let mut statistics = counted.map_or_else(Statistics::default, |counted| *counted);
    for (key, value) in &plan.metadata {
        if let Some(key) = key.strip_prefix("pipeline.") {
            let own = statistics.provenance.entry(key.to_owned()).or_default();
            own.insert(value.clone());
        }
    }
    let text = match is_page(path) {
        true => analytics::page(&statistics, path)?,
        false => statistics.to_json(),
    };
    Ok(Target::put(path, text.as_bytes(), options(plan, path)?)?)
}
