//! `grade --report`: writes what the rows of a run have, as statistics or as a page.

use sudoku_pipeline::report::statistics::Statistics;
use sudoku_pipeline::write::Target;

use super::analytics;
use super::error::CommandError;
use super::plan::Plan;
use super::report::Report;

/// Refuses a path that cannot be written, or that holds something else, before the work.
pub(super) fn check(plan: &Plan) -> Result<(), CommandError> {
    let Some(file) = &plan.report else {
        return Ok(());
    };
    Target::file(&file.path, file.options(plan.overwrite)?)?;
    Ok(())
}

/// Writes the report of a run that is complete.
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
