//! A layout of training data for models: the puzzles and the solutions are two arrays in the same folder, and a third
//! file states the sizes of the arrays.
//!
//! ```text
//! all__inputs.npy │ all__labels.npy │ dataset.json
//! ```

use std::io::Read;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};

use super::grid_array::GridArray;
use super::header::read_most;
use super::{learn, open_grids};
use crate::error::Error;
use crate::numbers::noun_for;
use crate::read::bytes::stored::{InputBytes, InputCompression};
use crate::read::grids::NumberSymbols;
use crate::store::{self, Location};

/// The end of a puzzle array's file name. The array of solutions has the same name, but ends with `__labels.npy`.
pub(crate) const INPUTS_SUFFIX: &str = "__inputs.npy";
const LABELS_SUFFIX: &str = "__labels.npy";

/// The name of the file that states the sizes of the arrays.
const SIZES_FILE: &str = "dataset.json";

/// The ends of the file names of arrays in this layout that are never read.
const OTHER_ARRAY_ENDS: [&str; 3] = [
    "__puzzle_indices.npy",
    "__group_indices.npy",
    "__puzzle_identifiers.npy",
];

/// The paths of the files that belong to the puzzle array at the path `inputs`. They are not inputs of their own.
pub(crate) fn companions(inputs: &str) -> Vec<String> {
    let Some(set) = inputs.strip_suffix(INPUTS_SUFFIX) else {
        return Vec::new();
    };
    let (folder, _) = split(inputs);
    let mut names = vec![
        format!("{set}{LABELS_SUFFIX}"),
        format!("{folder}{SIZES_FILE}"),
    ];
    names.extend(OTHER_ARRAY_ENDS.iter().map(|end| format!("{set}{end}")));
    names.push(format!("{folder}identifiers.json"));
    let (above, _) = split(folder.trim_end_matches('/'));
    names.push(format!("{above}identifiers.json"));
    names
}

/// Splits a path into its folder, including the slash, and its file name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |at| at + 1))
}

/// The array of solutions, in the same order as the puzzles.
pub(super) struct Labels {
    input_bytes: InputBytes,
    array: Arc<GridArray>,
}

/// The bytes of some rows of the array of solutions.
pub(super) struct LabelRows {
    array: Arc<GridArray>,
    bytes: Vec<u8>,
}

/// Opens the array of solutions that belongs to the puzzle array at `path`; `None` if the file name has another form.
pub(super) fn labels(path: &str, inputs: &GridArray) -> Result<Option<Labels>, Error> {
    let Some(set) = path.strip_suffix(INPUTS_SUFFIX) else {
        return Ok(None);
    };
    let (folder, _) = split(path);
    let name = format!("{set}{LABELS_SUFFIX}");
    let location = Location::parse(&name)?;
    let sizes = Location::parse(&format!("{folder}{SIZES_FILE}"))?;
    if !store::exists(&sizes)? || !store::exists(&location)? {
        return Ok(None);
    }
    let mut opened_file = store::open(&location)?;
    let read_error = |error| Error::Read {
        source_name: name.clone(),
        error,
    };
    let mut magic = Vec::new();
    (&mut opened_file.reader)
        .take(8)
        .read_to_end(&mut magic)
        .map_err(read_error)?;
    let input_bytes = InputBytes::new(&name, &magic, opened_file.reader)?;
    let file = opened_file
        .random
        .filter(|_| input_bytes.compression() == InputCompression::None);
    let (mut array, mut input_bytes) = open_grids(&name, input_bytes, file)?;
    learn(&name, &mut array, &mut input_bytes, None)?;
    if array.rows != inputs.rows || array.has_solutions() {
        let message = format!(
            "it has the solutions of {path}, but {} {}, and not {}",
            array.rows,
            noun_for(array.rows, "record"),
            inputs.rows
        );
        return Err(input_bytes.damaged(&message));
    }
    let array = Arc::new(array);
    Ok(Some(Labels { input_bytes, array }))
}

impl Labels {
    /// Reads the next rows.
    pub(super) fn next(&mut self, rows: usize) -> Result<LabelRows, Error> {
        let mut bytes = vec![0; rows * self.array.row_bytes()];
        if read_most(&mut self.input_bytes, &mut bytes)? < bytes.len() {
            return Err(self
                .input_bytes
                .damaged("the array of solutions is cut short"));
        }
        Ok(LabelRows {
            array: Arc::clone(&self.array),
            bytes,
        })
    }
}

impl LabelRows {
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The solutions of the rows, as text.
    pub(super) fn texts(&self, symbols: NumberSymbols) -> ArrayRef {
        let mut solutions = StringBuilder::new();
        for record in self.bytes.chunks_exact(self.array.row_bytes()) {
            solutions.append_option(self.array.solution(record, symbols));
        }
        Arc::new(solutions.finish())
    }
}
