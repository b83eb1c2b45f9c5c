//! `--metrics`: writes the metrics of a run for Prometheus' textfile collector, even if the run fails.

use std::time::{SystemTime, UNIX_EPOCH};

use sudoku_pipeline::report::{Metrics, Resources, last_success};
use sudoku_pipeline::write::OutputSet;

use crate::cli::error::CommandError;
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;
use crate::cli::run::text_output::TextKind;

/// Adds the metrics of a run to the files that it publishes. The metrics file is replaced atomically, so that
/// the collector never reads an incomplete file.
pub(crate) fn add(
    plan: &Plan,
    report: &Report,
    result: &Result<(), CommandError>,
    set: &mut OutputSet,
) -> Result<(), CommandError> {
    let Some((output, path)) = plan.text_file(&[TextKind::Metrics]) else {
        return Ok(());
    };
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    let file_name = path.file_stem().unwrap_or_default().to_string_lossy();
    let task = plan.metrics_task.as_deref().unwrap_or(&file_name);
    let damages = report.damages();
    let old_metrics = std::fs::read_to_string(path).ok();
    let tally = report.is_complete.then(|| report.tally());
    let text = Metrics {
        task,
        command: plan.command,
        exit_code: result.as_ref().map_or_else(CommandError::exit_code, |()| 0),
        tally: tally.as_ref(),
        new_rows: report.done.tally.rows(),
        graded: plan.stages.grade.is_some(),
        rated: plan.rates(),
        resources: Resources::since(report.start, plan.run.memory.threads),
        bytes_read: report.is_complete.then_some(report.done.bytes_read),
        inputs: report.input_count,
        damages: &damages,
        skipped_names: report.skipped_names,
        now: since_epoch.map_or(0.0, |since_epoch| since_epoch.as_secs_f64()),
        last_success: old_metrics.as_deref().and_then(last_success),
    }
    .to_text();
    output.add(&text, set)
}
