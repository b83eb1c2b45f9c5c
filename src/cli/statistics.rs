//! `grade --report`: writes statistics of the rows of a run, as JSON or as a page.

use sudoku_pipeline::report::statistics::Statistics;
use sudoku_pipeline::write::{OutputSet, Target};

use super::analytics;
use super::error::CommandError;
use super::plan::Plan;
use super::report::Report;

/// Returns an error before the work if the path cannot be written, or holds something else.
pub(super) fn check(plan: &Plan) -> Result<(), CommandError> {
    let Some(file) = &plan.report else {
        return Ok(());
    };
    file.check_replaceable(plan.overwrite)?;
    Target::shared(&file.path)?;
    Ok(())
}

/// Adds the report of a complete run to its outputs.
pub(super) fn add(
    plan: &Plan,
    report: &mut Report,
    set: &mut OutputSet,
) -> Result<(), CommandError> {
    let Some(file) = &plan.report else {
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
    let text = match file.is_page {
        true => analytics::page(&statistics, &file.path)?,
        false => statistics.to_json(),
    };
    file.check_replaceable(plan.overwrite)?;
    Ok(set.add_text(&file.path, text.as_bytes())?)
}
