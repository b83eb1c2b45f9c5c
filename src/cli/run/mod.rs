//! Runs the plan of a command that processes datasets.

mod audit;
mod column_log;
pub(crate) mod compare;
pub(crate) mod destination;
pub(crate) mod evaluate;
pub(crate) mod memory;
mod metadata;
mod metrics;
pub(crate) mod plan;
mod report;
mod statistics;
mod summary;
pub(crate) mod text_output;
pub(crate) mod work;
mod work_output;

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use signal_hook::flag;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{self, Done, Inputs, Job, Stages, runs_schema};
use sudoku_pipeline::read::{self, Catalog, ReadOptions};
use sudoku_pipeline::table::validation::Failure;
use sudoku_pipeline::write::rejects::RejectsWriter;
use sudoku_pipeline::write::{
    FileOutput, FolderTable, Holds, Layout, Output, OutputFormat, OutputSet, Table, TableFolder,
};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::run::column_log::{has_types, log_numbers, log_prefixed};
use crate::cli::run::destination::{Destination, Rejects};
use crate::cli::run::plan::Plan;
use crate::cli::run::report::{Report, SHOWN};
use crate::cli::run::text_output::{TextKind, TextOutput};
use crate::cli::run::work::Work;
use crate::cli::terminal::log::log_skipped;
use crate::cli::terminal::progress::{ExpectedEnd, ProgressLine};

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
    let names = plan.inputs.clone();
    let expanded = job::unless_stopped(&stop, move || read::expand(&names))?;
    log_skipped(&expanded);
    report.skipped_names = expanded.skipped_count();
    if !plan.allow_empty {
        expanded.refuse_empty(true)?;
    }
    let paths = expanded.inputs;
    (plan.destination).refuse_inputs(&plan.other_paths(), &plan.inputs, &paths)?;
    if let Work::Evaluate(work) = &plan.work {
        let predictions = work.inputs();
        (plan.destination).refuse_inputs(&plan.other_paths(), &predictions, &predictions)?;
    }
    report.outputs_checked = true;
    let (options, shard, keep_going) = (plan.read.clone(), plan.shard, plan.keep_going);
    // Only objects of stores are known: a file is opened faster than it is looked up.
    let folder = match &plan.destination {
        Destination::Folder(folder) if paths.iter().any(|path| path.contains("://")) => {
            Some(folder.clone())
        }
        _ => None,
    };
    let object_bytes = plan.memory.object_bytes;
    let mut inputs = job::unless_stopped(&stop, move || {
        let known = folder.as_ref().map(FolderTable::known_inputs);
        let known = known.unwrap_or_default();
        Inputs::find_with_known(&paths, &options, shard, keep_going, object_bytes, &known)
    })?;
    report.input_count = inputs.own.len() as u64;
    let mut judging = None;
    if let Work::Evaluate(work) = &plan.work {
        let output = plan.output().filter(|name| name != "-");
        judging = Some(work.open(output.as_deref().map(Path::new), &inputs, &stop)?);
    }
    let part_folders = plan.work.folder();
    let part_folders =
        part_folders.map(|part_folders| part_folders.resolve(&inputs.infos().collect::<Vec<_>>()));
    let part_folders = part_folders.transpose()?;
    if let Some(summary) = plan.text(&[TextKind::Summary]) {
        summary.check()?;
    }
    for info in inputs.infos() {
        tracing::debug!(
            format = info.format,
            compression = info.compression,
            bytes = info.bytes,
            "reading {}",
            info.source
        );
    }
    report.inputs = inputs.infos().cloned().collect();
    let keeps_names = plan.dataset.is_some_and(|dataset| dataset.keeps_names);
    if let Some(conflict) = inputs.catalog.names.conflict().filter(|_| keeps_names) {
        tracing::warn!("{conflict}");
    }
    let format = (part_folders.as_ref())
        .map_or_else(|| plan.format(), |part_folders| Some(part_folders.format));
    let make_layout = |catalog: &Catalog| make_layout(plan, catalog, format);
    let mut layout = make_layout(&inputs.catalog)?;
    log_prefixed(&layout.prefixed_columns(&inputs.catalog.carried));
    if let Some(format) = format {
        for flattened in layout.flattened() {
            tracing::warn!("{flattened}");
        }
        let left_out = layout.left_out();
        // The format of puzzle lines always has a column for comments, even if no line has a comment.
        let has_columns = inputs.infos().any(|info| info.format != "lines");
        if has_columns && !left_out.is_empty() {
            let contents = match format.holds {
                Holds::Puzzles => "the puzzles alone",
                _ => "puzzles and solutions alone",
            };
            tracing::info!(
                "{} has {contents}, without {}: Parquet, CSV and NDJSON have all columns",
                format.id,
                left_out.join(", ")
            );
        }
    }
    let output = match &plan.destination {
        Destination::Folder(folder) => {
            let folder = FolderTable {
                group_bytes: plan.memory.group_bytes,
                keep_going: plan.keep_going,
                ..folder.clone()
            };
            let (output, fitted_layout, earlier) =
                inputs.open_folder(folder, plan.metadata.clone(), &make_layout)?;
            layout = fitted_layout;
            earlier.log();
            report.kept = earlier;
            Box::new(output)
        }
        Destination::File { table, rejects } => {
            let files = (table.as_ref(), rejects.as_ref());
            open_files(
                plan,
                files,
                part_folders.as_ref(),
                &layout,
                &mut inputs,
                report,
            )?
        }
    };
    if format.is_some_and(|format| format.holds == Holds::Table && has_types(format)) {
        log_numbers(&inputs, &plan.read, &layout);
    }
    let is_validated = matches!(plan.work, Work::Validate { .. });
    let shows_rejects = !plan.destination.keeps_rejects() && !is_validated;
    let shows_failures = is_validated && plan.work.table().is_none();
    let compared = report.compared.clone();
    let failed = Cell::new(0);
    let kept_tally = report.kept.tally();
    let mut done = Done::default();

    let end = ExpectedEnd {
        bytes: inputs.bytes(),
        rows: plan.selection.limit,
    };
    let mut bar = ProgressLine::new(plan.progress, end, plan.writes_stdout());
    let Inputs { catalog, own, .. } = inputs;
    let mut shown = 0;
    let job = Job {
        inputs: own.into_iter().map(|input| input.job).collect(),
        // In all inputs, a column is read with the common type of this column.
        read: ReadOptions {
            column_types: catalog.carried.clone(),
            ..plan.read.clone()
        },
        selection: plan.selection,
        carried: catalog.carried,
        stages: Stages {
            judging: judging.clone(),
            ..plan.stages.clone()
        },
        kernel: plan.kernel,
        layout,
        output,
        memory: plan.memory,
        keep_going: plan.keep_going,
        allow_empty: plan.allow_empty,
        is_shard: plan.shard.is_some(),
        max_rejects: plan.max_rejects,
        max_wrong: plan.max_wrong,
        earlier: kept_tally,
        progress: &mut |progress| match &compared {
            Some(compared) => bar.show(compared.progress(progress)),
            None => bar.show(progress),
        },
        on_reject: &mut |source, reject| {
            if shows_rejects && shown < SHOWN {
                shown += 1;
                log_failure(source, &Failure::from(reject));
            }
        },
        on_failure: &mut |source, failure| {
            failed.set(failed.get() + 1);
            if shows_failures && failed.get() <= SHOWN {
                log_failure(source, failure);
            }
        },
        on_finished: &mut |done, set| {
            report.end(done, failed.get());
            report.is_complete = true;
            if let (Work::Evaluate(work), Some(judging)) = (&plan.work, &judging) {
                work.check_rows(judging, &report.done.records)
                    .and_then(|()| work.check_puzzles(judging, report.done.evaluation.as_deref()))
                    .map_err(CommandError::into_run)?;
            }
            add_texts(plan, report, set).map_err(CommandError::into_run)
        },
        stop,
    };
    let result = job::run_into(job, &mut done);
    bar.clear();
    if !report.is_complete {
        report.end(&mut done, failed.get());
    }
    report.log_causes();
    result?;
    report.is_published = true;
    report.log(plan);
    if let Some(found) = &report.audit {
        return audit::print(plan, found);
    }
    report.print_evaluation(plan)
}

/// Adds the statistics, the metrics and the summary of a complete run to its outputs.
fn add_texts(plan: &Plan, report: &mut Report, set: &mut OutputSet) -> Result<(), CommandError> {
    statistics::add(plan, report, set)?;
    evaluate::add_answers(plan, report, set)?;
    let result = report.check(plan);
    metrics::add(plan, report, &result, set)?;
    summary::add(plan, report, &result, set)
}

/// The columns of the output for these inputs, as the options select them.
fn make_layout(
    plan: &Plan,
    catalog: &Catalog,
    format: Option<OutputFormat>,
) -> Result<Layout, Error> {
    let (groups, requested) = plan.columns(catalog);
    let layout = match &plan.dataset {
        Some(dataset) => {
            let names = catalog.names.columns();
            dataset.layout(&groups, &requested, &catalog.carried, names)
        }
        None => Layout::new(&groups, &requested, &catalog.carried),
    };
    let layout = match &plan.template {
        Some(template) => layout.with_template(template),
        None => layout,
    };
    let layout = layout.with_view(&plan.view)?;
    match format {
        Some(format) => layout.stored_as(format, plan.destination.partition_by()),
        None => Ok(layout),
    }
}

/// Opens the output of a run that does not write a folder of parts: a table, the rejects, and the folders and findings
/// of the commands that have them.
fn open_files(
    plan: &Plan,
    (table, rejects): (Option<&Table>, Option<&Rejects>),
    parts: Option<&TableFolder>,
    layout: &Layout,
    inputs: &mut Inputs,
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
            plan.kernel,
            plan.allow_empty,
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
        RejectsWriter::new(rejects.table.clone(), plan.metadata.clone(), rejects.always)
    });
    if let Some(rejects) = rejects.transpose()? {
        output = output.with_rejects(rejects);
    }
    if let Some(bytes) = plan.memory.group_bytes {
        output.shrink_groups(bytes);
    }
    work_output::open(plan, parts, output, layout, inputs, report)
}

/// Returns a flag that a signal handler sets to the number of the signal, for SIGINT and SIGTERM. A second
/// signal ends the process immediately.
pub(crate) fn stop_on_signals() -> Result<Arc<AtomicUsize>, CommandError> {
    let stop = Arc::new(AtomicUsize::new(0));
    let is_second_signal = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
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

/// Logs a record that fails: `puzzles.txt, line 7, byte 491: wrong_length: 80 cells …`
fn log_failure(source: &str, failure: &Failure) {
    let position_text = match (failure.line, failure.byte_offset) {
        (Some(line), Some(byte)) => format!("line {line}, byte {byte}"),
        _ => format!("row {}", failure.row),
    };
    let Failure { why, message, .. } = failure;
    tracing::warn!(
        source,
        row = failure.row,
        line = failure.line,
        byte_offset = failure.byte_offset,
        error = why,
        "{source}, {position_text}: {why}: {message}"
    );
}
