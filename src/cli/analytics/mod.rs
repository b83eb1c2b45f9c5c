//! `stats` and `report`: the commands that analyse whole tables.

mod page;
mod stats;
mod tables;

use std::path::{Path, PathBuf};

use sudoku_pipeline::error::Error;
use sudoku_pipeline::report::page::{Page, Side};
use sudoku_pipeline::report::statistics::Statistics;
use sudoku_pipeline::write::{Target, TargetOptions};

use super::destination::TextDestination;
use super::error::{CommandError, UsageError};

pub(super) use page::{EXAMPLES as REPORT_EXAMPLES, ReportArgs, run as report};
pub(super) use stats::{EXAMPLES as STATS_EXAMPLES, StatsArgs, run as stats};

/// The page of these statistics.
pub(super) fn page(statistics: &Statistics, path: &Path) -> Result<String, CommandError> {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let side = Side {
        name,
        statistics: statistics.clone(),
    };
    Ok(Page::of(side).html()?)
}

/// Returns an error if the output is one of the inputs.
fn refuse_input(output: &Path, inputs: &[String]) -> Result<(), CommandError> {
    let real = |path: &Path| path.canonicalize().ok();
    let output_is = real(output);
    let is_same = |input: &String| output_is.is_some() && real(Path::new(input)) == output_is;
    match inputs.iter().any(is_same) {
        true => Err(UsageError::IsInput(output.to_owned()).into()),
        false => Ok(()),
    }
}

/// Opens the file of a text before the work starts, to report early if it cannot be written.
fn text_target(output: Option<PathBuf>, overwrite: bool) -> Result<Option<Target>, Error> {
    match output.map(TextDestination::of) {
        Some(TextDestination::File(path)) => {
            Target::file(&path, TargetOptions { overwrite }).map(Some)
        }
        Some(TextDestination::Stdout) | None => Ok(None),
    }
}

/// Writes a text to its file, or to standard output.
fn write_text(target: Option<Target>, text: &[u8]) -> Result<(), CommandError> {
    match target {
        None => super::print(text),
        Some(mut target) => {
            target.write(text)?;
            Ok(target.commit()?)
        }
    }
}

/// The width of the terminal; `None` if standard output is not a terminal.
pub(super) fn width() -> Option<u16> {
    use std::io::IsTerminal;
    let is_terminal = std::io::stdout().is_terminal();
    let size = is_terminal.then(terminal_size::terminal_size).flatten();
    size.map(|(width, _)| width.0)
}
