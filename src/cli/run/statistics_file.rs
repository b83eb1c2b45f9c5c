//! The file of `grade --report`. Its extension selects JSON or a page.

use std::ffi::OsStr;
use std::path::PathBuf;

use sudoku_pipeline::error::Error;

use crate::cli::error::{CommandError, UsageError};
use crate::cli::run::existing::begins_with;

/// The file of the statistics of a run.
pub(crate) struct StatisticsFile {
    pub(crate) path: PathBuf,
    pub(crate) is_page: bool,
}

impl StatisticsFile {
    /// The file at this path. Fails if the extension is neither `.json` nor `.html`.
    pub(crate) fn from_path(path: PathBuf) -> Result<StatisticsFile, CommandError> {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_page = match ending.to_ascii_lowercase().as_str() {
            "json" => false,
            "html" => true,
            _ => return Err(UsageError::ReportName(path).into()),
        };
        Ok(StatisticsFile { path, is_page })
    }

    /// The bytes with which every such file starts.
    fn first_bytes(&self) -> &'static [u8] {
        match self.is_page {
            true => b"<!DOCTYPE html>\n<!-- pipeline report",
            false => b"{\n  \"statistics\":",
        }
    }

    /// Fails if the file exists and is not the report of an earlier run. With `overwrite`, any file may be
    /// replaced.
    pub(crate) fn check_replaceable(&self, overwrite: bool) -> Result<(), CommandError> {
        let is_ours = begins_with(&self.path, self.first_bytes())?;
        match overwrite || is_ours {
            true => Ok(()),
            false => Err(Error::OutputExists(self.path.clone()).into()),
        }
    }
}
