//! The texts that a run writes beside its tables: the summary, the metrics, and the statistics of the rows.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use sudoku_pipeline::error::Error;
use sudoku_pipeline::options::METRICS;
use sudoku_pipeline::store::{self, Location, is_scratch};
use sudoku_pipeline::write::{OutputSet, Target, is_device, names_stdout};

use crate::cli::error::{CommandError, UsageError};

/// The kinds of texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    Summary,
    Metrics,
    /// Statistics as JSON.
    Statistics,
    /// Statistics as a page.
    Page,
    /// The forms of the answers of a language model as JSON.
    Answers,
}

impl TextKind {
    /// The kind of statistics that the extension of a path selects.
    pub(crate) fn of_statistics(path: &Path) -> Result<TextKind, UsageError> {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "json" => Ok(TextKind::Statistics),
            "html" => Ok(TextKind::Page),
            _ => Err(UsageError::ReportName(path.to_owned())),
        }
    }

    /// The bytes with which every text of this kind starts.
    fn first_bytes(self) -> &'static [u8] {
        match self {
            TextKind::Summary => b"{\"command\":",
            TextKind::Metrics => b"# HELP ",
            TextKind::Statistics => b"{\n  \"statistics\":",
            TextKind::Answers => b"{\n  \"answers\":",
            TextKind::Page => b"<!DOCTYPE html>\n<!-- pipeline report",
        }
    }
}

/// The destination of a text.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum TextDestination {
    Stdout,
    File(PathBuf),
}

impl TextDestination {
    pub(crate) fn from_path(path: PathBuf) -> TextDestination {
        if names_stdout(&path) {
            TextDestination::Stdout
        } else {
            TextDestination::File(path)
        }
    }
}

/// A text of a run, and where it is written.
pub(crate) struct TextOutput {
    /// `None` for standard output.
    pub(crate) path: Option<PathBuf>,
    pub(crate) kind: TextKind,
    /// Whether the text may replace any existing file. Otherwise it only replaces a file with a text of its kind.
    overwrite: bool,
}

impl TextOutput {
    /// For a summary, the path `-` is standard output. Metrics only replace a metrics file, even with `overwrite`.
    pub(crate) fn new(kind: TextKind, path: PathBuf, overwrite: bool) -> TextOutput {
        let is_stdout = kind == TextKind::Summary && names_stdout(&path);
        TextOutput {
            path: (!is_stdout).then_some(path),
            kind,
            overwrite: overwrite && kind != TextKind::Metrics,
        }
    }

    /// Fails if the path cannot be written, or if its existing file must not be replaced.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        if self.is_of_call() {
            return Ok(());
        }
        self.check_replaceable()?;
        if let Some(path) = &self.path {
            Target::shared(path)?;
        }
        Ok(())
    }

    /// Adds the text to the outputs of a run.
    pub(crate) fn add(&self, text: &str, set: &mut OutputSet) -> Result<(), CommandError> {
        self.check_replaceable()?;
        match &self.path {
            Some(path) => Ok(set.add_text(path, text.as_bytes())?),
            None => Ok(set.print(text.as_bytes())?),
        }
    }

    /// Whether the text is a file of a single call, which may replace others.
    fn is_of_call(&self) -> bool {
        self.path.as_deref().is_some_and(is_scratch)
    }

    fn check_replaceable(&self) -> Result<(), CommandError> {
        match &self.path {
            Some(path) if !self.overwrite && !self.is_this_kind()? => Err(match self.kind {
                TextKind::Metrics => {
                    let problem =
                        format!("exists and is not a metrics file: give {METRICS} another name");
                    UsageError::argument(path.display(), problem).into()
                }
                _ => Error::OutputExists(path.clone()).into(),
            }),
            _ => Ok(()),
        }
    }

    /// Whether the existing file or object is a text of this kind. Also true if it is empty, does not exist, or is a
    /// device.
    pub(crate) fn is_this_kind(&self) -> Result<bool, CommandError> {
        let Some(path) = &self.path else {
            return Ok(true);
        };
        if self.is_of_call() {
            return Ok(true);
        }
        let location = Location::from_path(path)?;
        if location == Location::Standard || is_device(path) {
            return Ok(true);
        }
        let opened = match store::open(&location) {
            Err(error) if error.is_not_found() => return Ok(true),
            opened => opened?,
        };
        let start = self.kind.first_bytes();
        let mut first = Vec::new();
        let read = opened
            .reader
            .take(start.len() as u64)
            .read_to_end(&mut first);
        Ok(read.is_ok() && (first.is_empty() || first == start))
    }
}
