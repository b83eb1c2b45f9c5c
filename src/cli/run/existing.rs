//! Checks what an existing file contains before a run replaces it.

use std::io::Read;
use std::path::Path;

use sudoku_pipeline::store::{self, Location};
use sudoku_pipeline::write::is_device;

use crate::cli::error::CommandError;

/// Whether the file or object starts with these bytes. Also true if it is empty, does not exist, or is a
/// device.
pub(crate) fn begins_with(path: &Path, start: &[u8]) -> Result<bool, CommandError> {
    let location = Location::from_path(path)?;
    if location == Location::Standard || is_device(path) {
        return Ok(true);
    }
    let opened = match store::open(&location) {
        Err(error) if error.is_not_found() => return Ok(true),
        opened => opened?,
    };
    let mut first = Vec::new();
    let read = opened
        .reader
        .take(start.len() as u64)
        .read_to_end(&mut first);
    Ok(read.is_ok() && (first.is_empty() || first == start))
}
