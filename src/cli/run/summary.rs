//! `--summary`: writes the summary of a run as one JSON object, even if the run fails.

use std::path::Path;

use serde_json::Map;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::report::{Resources, RunEnding, RunFiles, Summary};
use sudoku_pipeline::store::{display_name, is_scratch};
use sudoku_pipeline::write::OutputSet;

use crate::cli::error::CommandError;
use crate::cli::host;
use crate::cli::run::destination::{Destination, output_name};
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;
use crate::cli::run::text_output::TextKind;

/// Adds the summary of a run to its outputs.
pub(crate) fn add(
    plan: &Plan,
    report: &Report,
    result: &Result<(), CommandError>,
    set: &mut OutputSet,
) -> Result<(), CommandError> {
    let output = plan.text(&[TextKind::Summary]);
    if output.is_none() && !host::is_called() {
        return Ok(());
    }
    // The path of the summary may be that of an input by mistake, and the run may have failed for this reason. Until
    // the path has been checked, the summary only replaces a file that is a summary.
    if let Some(output) = output
        && !report.outputs_checked
        && !output.is_this_kind()?
    {
        return Ok(());
    }
    let is_folder = matches!(plan.destination, Destination::Folder(_));
    let rejects_output = match result {
        Err(CommandError::Run(
            Error::TooManyRejects { kept_in, .. } | Error::NoPuzzle { kept_in, .. },
        )) => kept_in.as_deref().map(output_name),
        _ if report.is_complete => report.rejects_output(plan),
        _ => None,
    };
    let ending = RunEnding {
        exit_code: result.as_ref().map_or_else(CommandError::exit_code, |()| 0),
        error: (result.as_ref().err())
            .filter(|error| !error.is_broken_pipe())
            .map(ToString::to_string),
        is_complete: report.is_complete,
        reader_closed: (result.as_ref().err()).is_some_and(CommandError::is_broken_pipe),
    };
    let mut inputs = report.inputs.clone();
    for input in inputs
        .iter_mut()
        .filter(|input| is_scratch(Path::new(&input.source)))
    {
        input.source = display_name(&input.source);
    }
    let summary = Summary::new(
        plan.command,
        ending,
        plan.stages.grade.as_ref(),
        &report.tally(),
        report.done.tally.rows(),
        Resources::since(report.start, plan.run.memory.threads),
        RunFiles {
            inputs,
            skipped_names: report.skipped_names,
            inputs_kept: report.kept.inputs(),
            damaged: report.damages(),
            // If the output is a single table, its file exists only if the run is complete. If it is a folder, it can
            // contain some parts.
            output: plan.output().filter(|_| report.is_complete || is_folder),
            rejects_output,
        },
    );
    let findings = report.findings.as_ref();
    let mut counts = findings.map_or_else(Map::new, |found| found.get().counts.clone());
    if let Some((records, made, short)) = report.tally().copies() {
        let has_originals = (plan.stages.copies).is_some_and(|copies| copies.with_original);
        let uncopied = report.tally().uncopied();
        let originals = if has_originals { records } else { uncopied };
        counts.insert("copies".into(), (made - originals).into());
        if has_originals {
            counts.insert("originals".into(), originals.into());
        }
        counts.insert("with_fewer_copies".into(), short.into());
        counts.insert("without_copies".into(), uncopied.into());
    }
    if let Some(compared) = &report.compared {
        compared.with_tables(|tables| {
            counts.insert("puzzles".into(), tables.puzzles().into());
            counts.insert("other_sizes".into(), tables.other_sizes.into());
            counts.insert("runs".into(), tables.runs().into());
            counts.insert("disagreements".into(), tables.disagreements.len().into());
        });
    }
    if let Some(evaluation) = &report.done.evaluation {
        counts.insert("evaluation".into(), evaluation.to_json());
    }
    let summary = summary.with_findings(counts).to_json() + "\n";
    if let Some(output) = output {
        output.add(&summary, set)?;
    }
    host::keep_summary(summary);
    Ok(())
}
