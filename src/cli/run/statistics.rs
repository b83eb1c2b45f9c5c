//! `grade --report`: writes statistics of the rows of a run, as JSON or as a page.

use sudoku_pipeline::report::page::{Page, Side};
use sudoku_pipeline::write::{OutputSet, collect_values};

use crate::cli::error::CommandError;
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;
use crate::cli::run::text_output::TextKind;

/// Adds the statistics of a complete run to its outputs.
pub(crate) fn add(
    plan: &Plan,
    report: &mut Report,
    set: &mut OutputSet,
) -> Result<(), CommandError> {
    let Some((output, path)) = plan.text_file(&[TextKind::Statistics, TextKind::Page]) else {
        return Ok(());
    };
    let job_statistics = report.done.statistics.take();
    let mut statistics = job_statistics.map(|boxed| *boxed).unwrap_or_default();
    let pairs = plan.metadata.pairs().iter().cloned();
    collect_values(pairs, &mut statistics.provenance);
    let text = match output.kind {
        TextKind::Page => {
            let name = path.file_stem().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            Page::new(Side { name, statistics }).html()?
        }
        _ => statistics.to_json(),
    };
    output.add(&text, set)
}
