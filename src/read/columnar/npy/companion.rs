//! The layout of arrays for training: puzzles and solutions are arrays of their own, in a folder with a file of
//! sizes.
//!
//! ```text
//! all__inputs.npy │ all__labels.npy │ dataset.json
//! ```

use std::io::Read;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};

use super::header::{NpyHeader, RecordForm, read_most};
use crate::error::Error;
use crate::read::bytes::stored::Stored;
use crate::store::{self, Location};

/// The end of the name of the array of puzzles, and that of the array of solutions.
pub(crate) const INPUTS: &str = "__inputs.npy";
const LABELS: &str = "__labels.npy";

/// The file of sizes.
const SIZES: &str = "dataset.json";

/// The ends of the names of the other arrays of the layout.
const OTHERS: [&str; 3] = [
    "__puzzle_indices.npy",
    "__group_indices.npy",
    "__puzzle_identifiers.npy",
];

/// The files that belong to the puzzles at this path, and are not read as data of their own.
pub(crate) fn companions(inputs: &str) -> Vec<String> {
    let Some(set) = inputs.strip_suffix(INPUTS) else {
        return Vec::new();
    };
    let (folder, _) = split(inputs);
    let mut all = vec![format!("{set}{LABELS}"), format!("{folder}{SIZES}")];
    all.extend(OTHERS.iter().map(|end| format!("{set}{end}")));
    all.push(format!("{folder}identifiers.json"));
    let (above, _) = split(folder.trim_end_matches('/'));
    all.push(format!("{above}identifiers.json"));
    all
}

/// The folder of a path, with its slash, and the name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |at| at + 1))
}

/// The solutions of the puzzles in this array.
pub(super) struct Labels {
    stored: Stored,
    array: NpyHeader,
}

/// Opens the solutions beside an array of puzzles with this path; `None` if it is not in the layout.
pub(super) fn labels(path: &str, inputs: &NpyHeader) -> Result<Option<Labels>, Error> {
    let Some(set) = path.strip_suffix(INPUTS) else {
        return Ok(None);
    };
    let (folder, _) = split(path);
    let name = format!("{set}{LABELS}");
    let location = Location::parse(&name)?;
    let sizes = Location::parse(&format!("{folder}{SIZES}"))?;
    if !store::exists(&sizes)? || !store::exists(&location)? {
        return Ok(None);
    }
    let mut opened = store::open(&location)?;
    let read = |error| Error::Read {
        source_name: name.clone(),
        error,
    };
    let mut magic = Vec::new();
    (&mut opened.reader)
        .take(8)
        .read_to_end(&mut magic)
        .map_err(read)?;
    let mut stored = Stored::new(&name, &magic, opened.reader)?;
    let array = NpyHeader::read(&name, &mut stored)?;
    if array.rows != inputs.rows || array.form == RecordForm::Pair {
        let message = format!(
            "it has the solutions of {path}, but {} records, and not {}",
            array.rows, inputs.rows
        );
        return Err(stored.damaged(&message));
    }
    Ok(Some(Labels { stored, array }))
}

impl Labels {
    /// The next solutions.
    pub(super) fn next(&mut self, rows: usize, offset: u8) -> Result<ArrayRef, Error> {
        let row_bytes = self.array.row_bytes();
        let mut bytes = vec![0; rows * row_bytes];
        if read_most(&mut self.stored, &mut bytes)? < bytes.len() {
            return Err(self.stored.damaged("the array of solutions is cut short"));
        }
        let mut solutions = StringBuilder::new();
        for record in bytes.chunks_exact(row_bytes) {
            solutions.append_option(self.array.solution(record, offset));
        }
        Ok(Arc::new(solutions.finish()))
    }
}
