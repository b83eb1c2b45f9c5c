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
    let opened_file = match store::open(&location) {
        Err(error) if error.is_not_found() => return Ok(true),
        opened_file => opened_file?,
    };
    let mut first_bytes = Vec::new();
    let read = opened_file
        .reader
        .take(start.len() as u64)
        .read_to_end(&mut first_bytes);
    Ok(read.is_ok() && (first_bytes.is_empty() || first_bytes == start))
}
