use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use signal_hook::flag;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{self, Done, Job};
use sudoku_pipeline::report::{Damage, Tally};
use sudoku_pipeline::table::columns::Group;
use sudoku_pipeline::table::reject::Reject;
use sudoku_pipeline::write::rejects::RejectsWriter;
use sudoku_pipeline::write::{
    Entry, FileOutput, FolderOutput, FolderTable, Layout, Output, Target,
};

use super::destination::{Destination, TextDestination};
use super::inputs::{self, Found, RunInput};
use super::metrics;
use super::plan::Plan;
use super::progress::Bar;
use super::report::{Report, SHOWN_REJECTS};

/// Runs the plan, and tells the metrics how that ended.
pub(super) fn run(plan: Plan) -> Result<(), Error> {
    let start = Instant::now();
    plan.destination.refuse_twice(&plan.texts())?;
    let Some(path) = plan.metrics.clone() else {
        return work(plan, start, &mut None);
    };
    let told = metrics::Told {
        path: &path,
        command: plan.command,
        graded: plan.stages.grade.is_some(),
        start,
        threads: plan.memory.threads,
    };
    told.check()?;
    let mut done = None;
    let result = work(plan, start, &mut done);
    let exit_code = result.as_ref().map_or_else(Error::exit_code, |()| 0);
    let written = told.write(done.as_ref(), exit_code);
    result.and(written)
}

/// Reads, works, writes, and says what was done.
fn work(mut plan: Plan, start: Instant, done: &mut Option<metrics::Done>) -> Result<(), Error> {
    let stop = stop_on_signals()?;
    let mut found = inputs::find(&plan)?;
    for about in found.inputs.iter().flat_map(|input| &input.about) {
        tracing::debug!(
            format = about.format,
            compression = about.compression,
            bytes = about.bytes,
            "reading {}",
            about.source
        );
    }
    if !found.catalog.has_solutions {
        plan.groups.retain(|group| *group != Group::Given);
    }
    let layout = Layout::new(&plan.groups, &plan.requested, &found.catalog.carried);
    let mut layout = layout.seen_through(&plan.view)?;
    if let Some(format) = plan.destination.format() {
        layout = layout.stored_as(format, plan.destination.partition_by())?;
    }
    if let Some(TextDestination::File(path)) = &plan.summary {
        // Refused before the work rather than after it.
        drop(Target::file(path, plan.target_options())?);
    }
    let abouts: Vec<_> = (found.inputs.iter())
        .flat_map(|input| &input.about)
        .cloned()
        .collect();
    let (output, kept) = open_output(&plan, &layout, &mut found)?;
    let Found {
        catalog, inputs, ..
    } = found;
    let keeps_rejects = plan.destination.keeps_rejects();

    let sizes = inputs.iter().map(|input| input.about.as_ref()?.bytes);
    let mut bar = Bar::new(plan.progress, sizes.sum());
    let mut shown = 0;
    let result = job::run(Job {
        inputs: inputs.into_iter().map(|input| input.job).collect(),
        read: plan.read.clone(),
        take: plan.take,
        carried: catalog.carried,
        stages: plan.stages.clone(),
        kernel: plan.kernel,
        layout,
        output,
        memory: plan.memory,
        keep_going: plan.keep_going,
        allow_empty: plan.allow_empty,
        is_shard: plan.shard.is_some(),
        max_rejects: plan.max_rejects,
        earlier: kept.tally(),
        progress: &mut |progress| bar.show(progress),
        on_reject: &mut |source, reject| {
            if !keeps_rejects && shown < SHOWN_REJECTS {
                shown += 1;
                tell_reject(source, reject);
            }
        },
        stop,
    });
    bar.clear();
    let Done {
        tally,
        damages,
        bytes_read,
    } = result?;
    *done = Some(metrics::Done {
        tally: tally.clone(),
        bytes_read,
    });

    let new_rows = tally.rows();
    let mut all = kept.tally();
    all.merge(&tally);
    let report = Report {
        start,
        new_rows,
        tally: all,
        inputs: abouts,
        kept: kept.resumed.then_some(kept.entries.len()),
        damages: kept.damages().chain(damages).collect(),
    };
    report.tell(&plan)
}

/// What earlier runs have done of a folder.
#[derive(Default)]
struct Kept {
    resumed: bool,
    entries: Vec<Entry>,
}

impl Kept {
    fn tally(&self) -> Tally {
        let mut all = Tally::default();
        let entries = self.entries.iter();
        for tally in entries.filter_map(|entry| Tally::from_record(&entry.tally)) {
            all.merge(&tally);
        }
        all
    }

    fn damages(&self) -> impl Iterator<Item = Damage> {
        self.entries.iter().flat_map(|entry| entry.damage.clone())
    }
}

/// Opens what is written to; takes inputs away that are done already.
fn open_output(
    plan: &Plan,
    layout: &Layout,
    found: &mut Found,
) -> Result<(Box<dyn Output>, Kept), Error> {
    let (table, rejects) = match &plan.destination {
        Destination::File { table, rejects } => (table, rejects),
        Destination::Folder(folder) => {
            let parts = found.inputs.iter().map(RunInput::part);
            let parts: Vec<_> = parts.collect::<Result<_, _>>()?;
            let others = found.parts_of_others()?;
            let (schema, metadata) = (layout.schema(), plan.metadata.clone());
            let folder = FolderTable {
                group_bytes: plan.memory.group_bytes,
                keep_going: plan.keep_going,
                ..folder.clone()
            };
            let output = FolderOutput::open(folder.clone(), schema, metadata, parts, &others)?;
            let mut is_kept = output.is_kept().iter();
            (found.inputs).retain(|_| !is_kept.next().copied().unwrap_or_default());
            let kept = Kept {
                resumed: folder.resume,
                entries: output.kept().to_vec(),
            };
            return Ok((Box::new(output), kept));
        }
    };
    let rejects = rejects.as_ref().map(|rejects| {
        RejectsWriter::new(rejects.table.clone(), plan.metadata.clone(), rejects.always)
    });
    let rejects = rejects.transpose()?;
    let table = table
        .as_ref()
        .map(|table| table.start(layout.schema(), &plan.metadata));
    let mut table = table.transpose()?;
    if let (Some(table), Some(bytes)) = (&mut table, plan.memory.group_bytes) {
        table.shrink_groups(bytes);
    }
    let output = FileOutput::new(table, rejects);
    Ok((Box::new(output), Kept::default()))
}

/// SIGINT and SIGTERM set the flag to their number; a second one ends the process at once.
pub(super) fn stop_on_signals() -> Result<Arc<AtomicUsize>, Error> {
    let stop = Arc::new(AtomicUsize::new(0));
    let again = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let watch = || {
            // In this order: the first signal finds the flag unset, and sets it.
            flag::register_conditional_shutdown(signal, 128 + signal, again.clone())?;
            flag::register(signal, again.clone())?;
            flag::register_usize(signal, stop.clone(), signal as usize)
        };
        watch()
            .map_err(|error| Error::Usage(format!("cannot watch for signal {signal}: {error}")))?;
    }
    sudoku_pipeline::store::stop_on(&stop);
    Ok(stop)
}

/// `puzzles.txt, line 7, byte 491: wrong_length: 80 cells …`
fn tell_reject(source: &str, reject: &Reject) {
    let place = match (reject.line, reject.byte_offset) {
        (Some(line), Some(byte)) => format!("line {line}, byte {byte}"),
        _ => format!("row {}", reject.row),
    };
    let reason = &reject.reason;
    tracing::warn!(
        source,
        row = reject.row,
        line = reject.line,
        byte_offset = reject.byte_offset,
        error = reason.kind.id(),
        "{source}, {place}: {}: {}",
        reason.kind.id(),
        reason.message
    );
}
