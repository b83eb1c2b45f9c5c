use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sudoku_pipeline::error::Error;
use sudoku_pipeline::outcome::{GivenVerdict, Status};
use sudoku_pipeline::pipeline::{self, Job};
use sudoku_pipeline::read;
use sudoku_pipeline::reject::{Reject, RejectKind};
use sudoku_pipeline::report::{Resources, Summary, Tally};
use sudoku_pipeline::write::columns::Group;
use sudoku_pipeline::write::rejects::RejectsWriter;
use sudoku_pipeline::write::{Layout, Target, TargetOptions};

use super::metrics;
use super::plan::{Destination, Plan};
use super::progress::{Bar, thousands};

/// Rejects shown on standard error where no table keeps them.
const SHOWN_REJECTS: u64 = 10;

/// Runs the plan, and tells the metrics how that ended.
pub(super) fn run(plan: Plan) -> Result<(), Error> {
    let start = Instant::now();
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
    let input = read::open(&plan.input, &plan.read)?;
    let info = input.about.clone();
    tracing::debug!(
        format = info.format,
        compression = info.compression,
        bytes = info.bytes,
        "reading {}",
        info.source
    );
    if !info.has_solutions {
        plan.groups.retain(|group| *group != Group::Given);
    }
    let layout = Layout::new(&plan.groups, &plan.requested, &input.carried);
    let layout = layout.seen_through(&plan.view)?;
    if let Some(Destination::File(path)) = &plan.summary {
        // Refused before the work rather than after it.
        drop(Target::file(path, target_options(&plan))?);
    }
    let rejects = plan.rejects.as_ref().map(|rejects| {
        RejectsWriter::new(rejects.table.clone(), plan.metadata.clone(), rejects.always)
    });
    let rejects = rejects.transpose()?;
    let keeps_rejects = rejects.is_some();
    let table = plan
        .table
        .as_ref()
        .map(|table| table.start(layout.schema(), &plan.metadata))
        .transpose()?;
    let table = table.map(|mut table| {
        if let Some(bytes) = plan.memory.group_bytes {
            table.shrink_groups(bytes);
        }
        table
    });

    let bytes_read = input.bytes_read.clone();
    let mut bar = Bar::new(plan.progress, info.bytes);
    let mut shown = 0;
    let result = pipeline::run(Job {
        input,
        take: plan.take,
        stages: plan.stages.clone(),
        layout,
        table,
        rejects,
        memory: plan.memory,
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
    let tally = result?;
    *done = Some(metrics::Done {
        tally: tally.clone(),
        bytes_read: bytes_read.load(Ordering::Relaxed),
    });

    let resources = Resources::since(start, plan.memory.threads);
    let name = |path: &Path| path.display().to_string();
    let output = plan.table.as_ref().map(|table| {
        let path = table.path.as_deref();
        path.map_or_else(|| "-".to_owned(), name)
    });
    let rejects_path = plan.rejects.as_ref().and_then(|rejects| {
        let written = rejects.always || tally.rejects() > 0;
        rejects.table.path.as_deref().filter(|_| written).map(name)
    });
    let told = tell(
        &plan,
        &tally,
        start,
        output.as_deref(),
        rejects_path.as_deref(),
    );
    let summary = Summary::new(
        plan.command,
        plan.stages.grade.as_ref(),
        &tally,
        resources,
        vec![info],
        output,
        rejects_path,
    );
    write_summary(&plan, &summary)?;
    let seconds = start.elapsed().as_secs_f64();
    tracing::info!(
        command = plan.command,
        rows = tally.rows(),
        written = tally.written(),
        rejects = tally.rejects(),
        filtered = tally.filtered(),
        wall_seconds = seconds,
        rows_per_second = tally.rows() as f64 / seconds.max(1e-9),
        "{told}"
    );
    if tally.rejects() > SHOWN_REJECTS && !keeps_rejects {
        tracing::warn!(
            rejects = tally.rejects(),
            "only the first {SHOWN_REJECTS} rejects are shown: give --rejects FILE to keep all {}",
            thousands(tally.rejects())
        );
    }
    if plan.strict {
        strictly(&tally)
    } else {
        Ok(())
    }
}

/// SIGINT and SIGTERM set the flag to their number; a second one ends the process at once.
pub(super) fn stop_on_signals() -> Result<Arc<AtomicUsize>, Error> {
    let stop = Arc::new(AtomicUsize::new(0));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_usize(signal, stop.clone(), signal as usize)
            .map_err(|error| Error::Usage(format!("cannot watch for signal {signal}: {error}")))?;
    }
    Ok(stop)
}

fn target_options(plan: &Plan) -> TargetOptions {
    TargetOptions {
        overwrite: plan.overwrite,
    }
}

fn write_summary(plan: &Plan, summary: &Summary) -> Result<(), Error> {
    let text = summary.to_json() + "\n";
    match &plan.summary {
        None => Ok(()),
        Some(Destination::Stdout) => super::print(text.as_bytes()),
        Some(Destination::File(path)) => {
            let mut target = Target::file(path, target_options(plan))?;
            target.write(text.as_bytes())?;
            target.commit()
        }
    }
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

/// One line for a person.
fn tell(
    plan: &Plan,
    tally: &Tally,
    start: Instant,
    output: Option<&str>,
    rejects: Option<&str>,
) -> String {
    let seconds = start.elapsed().as_secs_f64();
    let mut text = format!(
        "{}: {} rows in {seconds:.2} s ({} rows/s)",
        plan.command,
        thousands(tally.rows()),
        thousands((tally.rows() as f64 / seconds.max(1e-9)) as u64)
    );
    if let Some(output) = output {
        text += &format!(", {} written to {output}", thousands(tally.written()));
    }
    for status in Status::ALL {
        if tally.status(status) > 0 {
            text += &format!(", {} {}", thousands(tally.status(status)), status.id());
        }
    }
    if tally.filtered() > 0 {
        text += &format!(", {} filtered out", thousands(tally.filtered()));
    }
    text += &format!(", {} rejected", thousands(tally.rejects()));
    if let Some(rejects) = rejects {
        text += &format!(" (see {rejects})");
    }
    text
}

/// What `validate` demands.
fn strictly(tally: &Tally) -> Result<(), Error> {
    let mut problems = Vec::new();
    let mut count = |number: u64, what: &str| {
        if number > 0 {
            problems.push(format!("{} {what}", thousands(number)));
        }
    };
    for kind in RejectKind::ALL {
        count(tally.rejects_of(kind), kind.id());
    }
    count(tally.status(Status::None), "without a solution");
    count(tally.status(Status::Multiple), "with several solutions");
    count(tally.status(Status::GaveUp), "given up");
    count(
        tally.given(GivenVerdict::Wrong),
        "with a wrong solution given",
    );
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Error::BadData(format!(
            "not valid: of {} rows {}",
            thousands(tally.rows()),
            problems.join(", ")
        )))
    }
}
