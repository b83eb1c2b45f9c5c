//! Writes puzzles as NumPy arrays of digits (`uint8`). 0 is an empty cell, and the digits are 1 to 25.
//!
//! ```text
//! (rows, cells)      puzzles
//! (rows, 2, cells)   puzzles and solutions, of a table that has solutions
//! ```
//!
//! A table of `trace --format steps-npy` has one column of lists of numbers, which are written as they are: (rows, 325).
//!
//! All grids of an array must have the size of the first grid. The shape of the array precedes its rows, but is
//! known only at the end. In a local file it is written then. For other outputs, the rows are first written to an unnamed
//! temporary file.

use std::sync::Arc;

use arrow::array::{Array, AsArray, StringArray};
use arrow::datatypes::UInt8Type;

use crate::error::{Error, OutputError};
use crate::table::columns::step_arrays::{STEP_ARRAY, STEP_ITEMS};
use crate::table::layout::Holds;
use crate::temporary::TempFile;
use crate::write::formats::format::{FormatWriter, TableStart, WriteFormat, stored_unchanged};
use crate::write::formats::lines::grid_column;
use crate::write::{DictionaryPacking, Encode, Encoded, GroupLimits, RowGroup, Sink, Target};

pub(crate) static FORMAT: WriteFormat = WriteFormat {
    id: "npy",
    endings: &["npy"],
    doc: "A NumPy array of digits (uint8, 0 for an empty cell): (rows, 81), or (rows, 2, 81) with solutions",
    holds: Holds::Grids,
    folder: None,
    is_text: false,
    has_types: true,
    has_logical_types: false,
    store: stored_unchanged,
    start,
};

/// The size limits of a group. They are lower than for other formats, because the bytes of an array are only a
/// third of the texts from which they are made.
pub(super) const GROUP_LIMITS: GroupLimits = GroupLimits {
    rows: 65_536,
    bytes: 8 << 20,
    packing: DictionaryPacking::Written,
};

/// The number of cells to write into the header of an array that has no rows: the size of its grids is unknown.
pub(super) const CELLS_OF_9X9: usize = 81;

/// The size in bytes of the buffer for writing a temporary file.
pub(super) const BUFFER_BYTES: usize = 1 << 16;

fn start(start: TableStart<'_>) -> Result<FormatWriter, Error> {
    if start.schema.index_of(STEP_ARRAY).is_ok() {
        return Ok(FormatWriter {
            limits: GROUP_LIMITS,
            encoder: Arc::new(StepEncoder),
            open_sink: Arc::new(|target| Ok(Box::new(NpySink::new(target, false, STEP_ITEMS)?))),
        });
    }
    let has_solutions = start.schema.index_of("solution").is_ok();
    Ok(FormatWriter {
        limits: GROUP_LIMITS,
        encoder: Arc::new(DigitEncoder { has_solutions }),
        open_sink: Arc::new(move |target| {
            Ok(Box::new(NpySink::new(target, has_solutions, CELLS_OF_9X9)?))
        }),
    })
}

/// Takes the numbers of the column of steps as they are.
struct StepEncoder;

impl Encode for StepEncoder {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let mut digits = Vec::new();
        for batch in &group.batches {
            let column = batch.column_by_name(STEP_ARRAY);
            let lists = column.and_then(|column| column.as_fixed_size_list_opt());
            let numbers =
                lists.and_then(|lists| lists.values().as_primitive_opt::<UInt8Type>().cloned());
            let numbers =
                numbers.ok_or_else(|| Error::Internal("there is no column of steps".into()))?;
            digits.extend_from_slice(numbers.values());
        }
        Ok(Encoded::Digits {
            digits,
            cells: STEP_ITEMS,
            first_row: group.first_row,
        })
    }
}

/// Converts puzzles and solutions to digits.
struct DigitEncoder {
    has_solutions: bool,
}

impl Encode for DigitEncoder {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let mut digits = Vec::new();
        let mut cells = None;
        let mut row = group.first_row;
        for batch in &group.batches {
            let puzzles = grid_column(batch, "puzzle")
                .ok_or_else(|| Error::Internal("there is no column of puzzles".into()))?;
            let solutions = grid_column(batch, "solution").filter(|_| self.has_solutions);
            for (at, puzzle) in puzzles.iter().enumerate() {
                let puzzle = puzzle.unwrap_or_default();
                if puzzle.len() == 729 {
                    return Err(pencil_marks_error(row));
                }
                let cells = *cells.get_or_insert(puzzle.len());
                if puzzle.len() != cells {
                    return Err(two_sizes_error(row, puzzle.len(), cells));
                }
                digits.extend(puzzle.bytes().map(digit_of));
                if self.has_solutions {
                    push_solution(solutions, at, cells, &mut digits);
                }
                row += 1;
            }
        }
        Ok(Encoded::Digits {
            digits,
            cells: cells.unwrap_or(CELLS_OF_9X9),
            first_row: group.first_row,
        })
    }
}

/// Appends the digits of a solution; zeros if the row has no solution.
fn push_solution(solutions: Option<&StringArray>, row: usize, cells: usize, digits: &mut Vec<u8>) {
    let end = digits.len() + cells;
    // A given solution that is shorter or longer than the puzzle is not a valid grid.
    let is_grid =
        |solutions: &&StringArray| solutions.is_valid(row) && solutions.value(row).len() == cells;
    if let Some(solutions) = solutions.filter(is_grid) {
        digits.extend(solutions.value(row).bytes().map(digit_of));
    }
    digits.resize(end, 0);
}

/// The digit of a character: 1 to 9 for digits, 10 and more for `A` and the following letters.
pub(super) fn digit_of(character: u8) -> u8 {
    match character {
        b'1'..=b'9' => character - b'0',
        b'A'..=b'P' => character - b'A' + 10,
        _ => 0,
    }
}

pub(super) fn two_sizes_error(row: u64, cells: usize, cells_before: usize) -> Error {
    let problem = format!(
        "has {cells} cells, and the rows before it have {cells_before}: a NumPy array holds grids of one size: choose \
         another format"
    );
    OutputError::row(row, problem).into()
}

pub(super) fn pencil_marks_error(row: u64) -> Error {
    let problem = "has pencil marks, which an array of digits cannot hold: choose another format";
    OutputError::row(row, problem).into()
}

/// The size of the header in bytes, whatever the shape is.
const HEADER_BYTES: usize = 128;

/// Writes the array. Its header states the number of rows, which is known only at the end.
struct NpySink {
    target: Target,
    has_solutions: bool,
    /// The rows; `None` if they are written to the target itself, behind the place of the header.
    rows_file: Option<TempFile>,
    byte_count: u64,
    cell_count: Option<usize>,
    /// The number of items of a record if there are no rows.
    cells_without_rows: usize,
}

impl NpySink {
    fn new(
        mut target: Target,
        has_solutions: bool,
        cells_without_rows: usize,
    ) -> Result<NpySink, Error> {
        let mut rows_file = None;
        if target.has_replaceable_start() {
            target.write(&[0; HEADER_BYTES])?;
        } else {
            let folder = target.temporary_folder()?;
            rows_file = Some(TempFile::new_in(&folder, BUFFER_BYTES)?);
        }
        Ok(NpySink {
            rows_file,
            target,
            has_solutions,
            byte_count: 0,
            cell_count: None,
            cells_without_rows,
        })
    }
}

impl Sink for NpySink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        let Encoded::Digits {
            digits,
            cells,
            first_row,
        } = encoded
        else {
            return Err(Error::Internal(
                "a group of another format for an array".into(),
            ));
        };
        let first_cell_count = *self.cell_count.get_or_insert(cells);
        if cells != first_cell_count {
            return Err(two_sizes_error(first_row, cells, first_cell_count));
        }
        self.byte_count += digits.len() as u64;
        match &mut self.rows_file {
            Some(rows_file) => rows_file.write(&digits),
            None => self.target.write(&digits),
        }
    }

    fn finish(self: Box<Self>) -> Result<Target, Error> {
        let cells = self.cell_count.unwrap_or(self.cells_without_rows);
        let grids = if self.has_solutions { 2 } else { 1 };
        let rows = self.byte_count / (cells * grids) as u64;
        let NpySink {
            mut target,
            rows_file,
            ..
        } = *self;
        let header = header_bytes("|u1", &shape_text(rows, grids, cells));
        match rows_file {
            Some(rows_file) => {
                target.write(&header)?;
                rows_file.copy_to(|digits| target.write(digits))?;
            }
            None if header.len() == HEADER_BYTES => target.replace_start(&header)?,
            None => return Err(Error::Internal("a header of another size".into())),
        }
        Ok(target)
    }
}

/// The shape of an array of digits, as Python writes a tuple.
fn shape_text(rows: u64, grids: usize, cells: usize) -> String {
    match grids {
        // A shape of (16, 16) would be read as one 16 × 16 grid, and not as 16 grids of 4 × 4.
        1 if (rows, cells) == (16, 16) => "(16, 4, 4)".to_owned(),
        1 => format!("({rows}, {cells})"),
        _ => format!("({rows}, {grids}, {cells})"),
    }
}

/// The header of a NumPy file of version 1.0: a Python dictionary, padded so that the data is aligned to 64
/// bytes.
pub(super) fn header_bytes(descr: &str, shape: &str) -> Vec<u8> {
    let mut dictionary =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    let end = (header.len() + 2 + dictionary.len() + 1).next_multiple_of(64);
    dictionary.resize(end - header.len() - 3, b' ');
    dictionary.push(b'\n');
    header.extend((dictionary.len() as u16).to_le_bytes());
    header.extend(dictionary);
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_begins_at_a_multiple_of_64_bytes() {
        for (rows, grids, cells) in [(0, 1, 81), (16, 1, 16), (1, 2, 81), (u64::MAX, 2, 625)] {
            let header = header_bytes("|u1", &shape_text(rows, grids, cells));
            assert_eq!(header.len(), HEADER_BYTES);
            let length = u16::from_le_bytes([header[8], header[9]]);
            assert_eq!(usize::from(length), header.len() - 10);
            assert_eq!(header.last(), Some(&b'\n'));
        }
        let text =
            String::from_utf8_lossy(&header_bytes("|u1", &shape_text(3, 2, 81))).into_owned();
        assert!(text.contains("'descr': '|u1', 'fortran_order': False, 'shape': (3, 2, 81), }"));
    }

    #[test]
    fn symbols_of_larger_grids_are_numbers_above_9() {
        assert_eq!(b".19AP".map(digit_of), [0, 1, 9, 10, 25]);
    }
}
