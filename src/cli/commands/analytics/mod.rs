//! `stats` and `report`: the commands that analyse whole tables.

mod page;
mod stats;
mod tables;

use std::path::{Path, PathBuf};

use sudoku_pipeline::error::Error;
use sudoku_pipeline::write::{OutputSet, Target, TargetOptions};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::run::destination::output_name;
use crate::cli::run::text_output::TextDestination;

pub(crate) use page::{EXAMPLES as REPORT_EXAMPLES, ReportArgs, run as report};
pub(crate) use stats::{EXAMPLES as STATS_EXAMPLES, StatsArgs, run as stats};

/// Fails if the output is one of the inputs.
fn refuse_input(output: &Path, inputs: &[String]) -> Result<(), CommandError> {
    let canonical_path = |path: &Path| path.canonicalize().ok();
    let canonical_output = canonical_path(output);
    let matches_output = |input: &String| {
        canonical_output.is_some() && canonical_path(Path::new(input)) == canonical_output
    };
    if inputs.iter().any(matches_output) {
        Err(UsageError::output_is_input(output).into())
    } else {
        Ok(())
    }
}

/// Opens the file for a text, such as a page of charts or a dataset card, before the tables are read, so that an
/// unwritable path is reported early.
fn text_target(output: Option<PathBuf>, overwrite: bool) -> Result<Option<Target>, Error> {
    match output.map(TextDestination::from_path) {
        Some(TextDestination::File(path)) => {
            Target::file(&path, TargetOptions { overwrite }).map(Some)
        }
        Some(TextDestination::Stdout) | None => Ok(None),
    }
}

/// Writes a text to its output file, or to standard output if it has none.
fn write_text(target: Option<Target>, text: &[u8]) -> Result<(), CommandError> {
    match target {
        None => crate::cli::print(text),
        target => write_texts(vec![(target, text.to_vec())]),
    }
}

/// Writes texts to their output files, or to standard output. The files are published together. The last file
/// is the marker, whose presence says that the set of files is complete.
fn write_texts(texts: Vec<(Option<Target>, Vec<u8>)>) -> Result<(), CommandError> {
    let mut set = OutputSet::default();
    let last_target = texts.iter().rposition(|(target, _)| target.is_some());
    let mut names = Vec::new();
    for (at, (target, text)) in texts.into_iter().enumerate() {
        let Some(mut target) = target else {
            set.print(&text)?;
            continue;
        };
        names.push(output_name(target.path()));
        target.write(&text)?;
        if Some(at) == last_target {
            set.add_marker(target)?;
        } else {
            set.add(target)?;
        }
    }
    set.publish()?;
    if !names.is_empty() {
        tracing::info!("written to {}", names.join(", "));
    }
    Ok(())
}
