//! Runs the plan of a command that processes datasets.

mod answers;
mod audit;
mod column_log;
pub(crate) mod compare;
pub(crate) mod destination;
pub(crate) mod evaluate;
pub(crate) mod memory;
mod metadata;
mod metrics;
mod overlap;
pub(crate) mod plan;
pub(crate) mod rejects;
mod report;
mod statistics;
mod steps;
mod summary;
pub(crate) mod text_output;
pub(crate) mod work;
mod work_output;

pub use audit::CalledAudit;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use sudoku_pipeline::job::{self, Done, Inputs, Source, runs_schema};
use sudoku_pipeline::store::is_scratch;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::write::rejects::RejectsWriter;
use sudoku_pipeline::write::{FileOutput, Output, OutputSet, Table, TableFolder};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::host;
use crate::cli::run::plan::Plan;
use crate::cli::run::rejects::Rejects;
use crate::cli::run::report::Report;
use crate::cli::run::steps::CommandSteps;
use crate::cli::run::text_output::{TextKind, TextOutput};
use crate::cli::run::work::Work;

/// Runs the plan. Writes the summary and the metrics even if the run fails.
pub(crate) fn run(plan: &Plan) -> Result<(), CommandError> {
    plan.destination.refuse_twice(&plan.other_paths())?;
    // The path of the summary is checked later, after the inputs.
    let is_checked_first = |text: &&TextOutput| text.kind != TextKind::Summary;
    (plan.texts.iter().filter(is_checked_first)).try_for_each(TextOutput::check)?;
    let mut report = Report::new(Instant::now());
    let result = work(plan, &mut report);
    if report.is_published {
        return report.check(plan);
    }
    report.is_complete = false;
    let summarised = publish_alone(|set| summary::add(plan, &report, &result, set));
    let measured = publish_alone(|set| metrics::add(plan, &report, &result, set));
    // A run that has failed because its summary cannot be written has said so already.
    let mut shown: Vec<String> = result
        .as_ref()
        .err()
        .map(ToString::to_string)
        .into_iter()
        .collect();
    for failed in [summarised, measured].into_iter().filter_map(Result::err) {
        let message = failed.to_string();
        if !shown.contains(&message) {
            tracing::warn!("{message}");
            shown.push(message);
        }
    }
    result
}

/// Publishes a single file, such as the summary, of a run that failed. The other outputs of the run are not published.
fn publish_alone(
    add: impl FnOnce(&mut OutputSet) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut set = OutputSet::default();
    add(&mut set)?;
    Ok(set.publish()?)
}

/// Runs the job, and logs the results.
fn work(plan: &Plan, report: &mut Report) -> Result<(), CommandError> {
    let stop = stop_on_signals()?;
    let source = Source::Names(plan.inputs.clone());
    let mut done = Done::default();
    let mut steps = CommandSteps::new(plan, report, stop.clone());
    let result = job::process(source, plan.run.clone(), stop, &mut steps, &mut done);
    let failed = steps.failed;
    let Some(bar) = steps.bar else {
        // The job has not started.
        return result;
    };
    bar.clear();
    if !report.is_complete {
        report.end(&mut done, failed);
    }
    report.log_causes();
    result?;
    report.is_published = true;
    report.log(plan);
    if let Some(found) = &report.audit {
        return audit::print(plan, found);
    }
    if let (Work::Overlap { .. }, Some(found)) = (&plan.work, &report.findings) {
        overlap::print(plan, found)?;
    }
    report.print_evaluation(plan)
}

/// Opens the output of a run that does not write a folder of parts: a table, the rejects, and the folders and findings
/// of the commands that have them.
fn open_files(
    plan: &Plan,
    (table, rejects): (Option<&Table>, Option<&Rejects>),
    parts: Option<&TableFolder>,
    layout: &Layout,
    inputs: &Inputs,
    report: &mut Report,
) -> Result<Box<dyn Output>, CommandError> {
    if let (Work::Compare(work), Some(table)) = (&plan.work, table) {
        let rejects = rejects.map(|rejects| {
            RejectsWriter::new(rejects.table.clone(), plan.metadata.clone(), rejects.always)
        });
        let rejects = FileOutput::new(None, rejects.transpose()?);
        let run_table = table.start(&runs_schema(), &plan.metadata)?;
        let (output, compared) = work.open(
            run_table,
            rejects,
            layout,
            inputs,
            plan.run.kernel,
            plan.run.allow_empty,
        )?;
        report.compared = Some(compared);
        return Ok(Box::new(output));
    }
    // The table is claimed (locked) first. The claim file of a killed run lists its publishing steps, which are undone
    // now.
    let output = table.map(|table| FileOutput::start(table, layout.schema(), &plan.metadata));
    let mut output = output.unwrap_or_else(|| Ok(FileOutput::new(None, None)))?;
    // A split has its own rejects table, unless the options name another one.
    let rejects = rejects.filter(|rejects| rejects.always || parts.is_none());
    let rejects = rejects.map(|rejects| {
        // A single call that makes a table reads its rejects only if there are any.
        let is_of_call = rejects.table.path.as_deref().is_some_and(is_scratch);
        let always = rejects.always && !(is_of_call && parts.is_none());
        RejectsWriter::new(rejects.table.clone(), plan.metadata.clone(), always)
    });
    if let Some(rejects) = rejects.transpose()? {
        output = output.with_rejects(rejects);
    }
    if let Some(bytes) = plan.run.memory.group_bytes {
        output.shrink_groups(bytes);
    }
    work_output::open(plan, parts, output, layout, inputs, report)
}

/// Returns a flag that a signal handler sets to the number of the signal, for SIGINT, SIGTERM and, unless the process
/// ignores it as under `nohup`, SIGHUP. A second signal ends the process immediately. If another program has called the command, the flag is that of the call.
pub(crate) fn stop_on_signals() -> Result<Arc<AtomicUsize>, CommandError> {
    if let Some(stop) = host::stop() {
        return Ok(stop);
    }
    let stop = Arc::new(AtomicUsize::new(0));
    let is_second_signal = Arc::new(AtomicBool::new(false));
    let hangup = (!ignores_hangup()).then_some(SIGHUP);
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        let watch = || {
            // The order of registration matters: the handler that ends the process runs before the flag is set,
            // so it has no effect at the first signal.
            flag::register_conditional_shutdown(signal, 128 + signal, is_second_signal.clone())?;
            flag::register(signal, is_second_signal.clone())?;
            flag::register_usize(signal, stop.clone(), signal as usize)
        };
        watch().map_err(|error| UsageError::SignalHandler { signal, error })?;
    }
    sudoku_pipeline::store::stop_on(&stop);
    Ok(stop)
}

/// Whether the process ignores SIGHUP, as `nohup` lets it do: a handler would end what has to survive its terminal. Where
/// the system does not say so, the signal keeps its usual effect.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask & 1 << (SIGHUP - 1) != 0)
}
