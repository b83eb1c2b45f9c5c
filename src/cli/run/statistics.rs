//! `grade --report`: writes statistics of the rows of a run, as JSON or as a page.

use std::path::Path;

use sudoku_pipeline::report::page::{Page, Side};
use sudoku_pipeline::report::statistics::Statistics;
use sudoku_pipeline::write::{OutputSet, Target, collect_values};

use crate::cli::error::CommandError;
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;

/// Fails if the path cannot be written, or if its file is not an earlier report of this kind.
pub(crate) fn check(plan: &Plan) -> Result<(), CommandError> {
    let Some(file) = &plan.report else {
        return Ok(());
    };
    file.check_replaceable(plan.overwrite)?;
    Target::shared(&file.path)?;
    Ok(())
}

/// Adds the statistics of a complete run to its outputs.
pub(crate) fn add(
    plan: &Plan,
    report: &mut Report,
    set: &mut OutputSet,
) -> Result<(), CommandError> {
    let Some(file) = &plan.report else {
        return Ok(());
    };
    let counted = report.done.statistics.take();
    let mut statistics = counted.map_or_else(Statistics::default, |counted| *counted);
    let pairs = plan.metadata.pairs().iter().cloned();
    collect_values(pairs, &mut statistics.provenance);
    let text = match file.is_page {
        true => page(&statistics, &file.path)?,
        false => statistics.to_json(),
    };
    file.check_replaceable(plan.overwrite)?;
    Ok(set.add_text(&file.path, text.as_bytes())?)
}

/// The page with these statistics.
fn page(statistics: &Statistics, path: &Path) -> Result<String, CommandError> {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let side = Side {
        name,
        statistics: statistics.clone(),
    };
    Ok(Page::new(side).html()?)
}
