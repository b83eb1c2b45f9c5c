//! `grade --report`: writes statistics of the rows of a run, as JSON or as a page.

use sudoku_pipeline::report::statistics::Statistics;
use sudoku_pipeline::write::Target;

use super::analytics;
use super::error::CommandError;
use super::plan::Plan;
use super::report::Report;

/// Returns an error before the work if the path cannot be written, or holds something else.
pub(super) fn check(plan: &Plan) -> Result<(), CommandError> {
    let Some(file) = &plan.report else {
        return Ok(());
    };
    Target::file(&file.path, file.options(plan.overwrite)?)?;
    Ok(())
}

/// Writes the report of a complete run.
pub(super) fn write(plan: &Plan, report: &mut Report) -> Result<(), CommandError> {
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
    let options = file.options(plan.overwrite)?;
    Ok(Target::put(&file.path, text.as_bytes(), options)?)
}
