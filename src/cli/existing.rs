//! Checks of existing files that a run would replace.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use sudoku_pipeline::store::{self, Location};
use sudoku_pipeline::write::is_device;
use sudoku_pipeline::write::rejects::REJECT_COLUMNS;

use super::error::CommandError;

/// Whether the file or object begins with these bytes, is empty, does not exist, or is a device.
pub(super) fn begins_with(path: &Path, start: &[u8]) -> Result<bool, CommandError> {
    let location = Location::of(path)?;
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

/// Whether a file is a rejects table. It is recognised by the names of its columns, which are at the start
/// of CSV, NDJSON and Arrow files, and at the end of Parquet files. Compressed texts are not recognised.
pub(super) fn is_rejects_table(path: &Path) -> bool {
    const LOOKED_AT: u64 = 64 << 10;
    let parts = || {
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        Read::by_ref(&mut file)
            .take(LOOKED_AT)
            .read_to_end(&mut head)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOOKED_AT)))?;
        let mut tail = Vec::new();
        file.take(LOOKED_AT).read_to_end(&mut tail)?;
        Ok::<_, std::io::Error>([head, tail])
    };
    let has_all = |part: &Vec<u8>| {
        let mut names = REJECT_COLUMNS.iter().map(|column| column.name.as_bytes());
        names.all(|name| part.windows(name.len()).any(|found| found == name))
    };
    parts().is_ok_and(|parts| parts.iter().any(has_all))
}
