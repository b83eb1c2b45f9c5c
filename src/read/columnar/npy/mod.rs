//! NumPy arrays of grids: `.npy`.
//!
//! ```text
//! 93 "NUMPY", version, length │ {'descr': '<i8', 'fortran_order': False, 'shape': (1000, 81), } │ numbers
//! ```
//!
//! The array holds integers, or floats without fractions, in the shape (n, 81) or (n, 9, 9); for other sizes,
//! the shapes are similar. 0 is an empty cell, unless all numbers are shifted by 1, or -1 occurs. An array of text has
//! the shape (n,), or one text for each cell. Pairs of a puzzle and its solution have a second axis of length 2.
//! One-hot digits have a first or last axis of length 9 or 10. Arrays in Fortran order are read in C order.
//!
//! An archive of several arrays (`.npz`) is a table: its arrays are the columns.

mod archive;
mod archive_arrays;
mod archive_roles;
mod archive_source;
mod cells;
mod companion;
mod format;
mod fortran;
mod grid_array;
mod header;
mod layouts;
mod one_hot;
mod piece;
mod values;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow::array::{ArrayRef, RecordBatch, StringBuilder};

use super::BATCH_ROWS;
use super::parser::ColumnParser;
use crate::error::Error;
use crate::numbers::noun_for;
use crate::options::TOKEN_OFFSET;
use crate::read::bytes::stored::InputBytes;
use crate::read::columns::choose_fixed;
use crate::read::grids::NumberSymbols;
use crate::read::{
    Batch, BatchSource, ColumnChunk, ColumnInfo, ColumnRole, Detection, Input, InputFormat,
    InputInfo, Part, PieceLimits, ReadOptions, Workers,
};
use crate::store::RandomAccess;
use crate::table::reject::RejectReason;
pub(crate) use companion::companions;
use companion::{LabelRows, Labels};
pub(crate) use format::{ARCHIVE_FORMAT, FORMAT};
use grid_array::GridArray;
use header::{ArrayHead, read_most, shape_text};
use layouts::RecordForm;
use piece::{ConvertRows, ReadRows};

/// The maximum size of a batch in bytes. Only a batch with a single record may be larger.
const BATCH_BYTES: usize = 8 << 20;

/// The number of bytes at the start of an array's data from which its layout and its numbers are learned.
const SAMPLE_BYTES: usize = 1 << 20;

/// The advice for the user if no record of the array is a puzzle.
fn hint() -> String {
    format!(
        "0 is an empty cell; {} says that N is, and that the digits follow it; pipeline inspect shows how its first records are read",
        TOKEN_OFFSET.taking("N")
    )
}

/// Opens a `.npy` file as an input.
pub(crate) fn open(
    path: &str,
    source_name: &str,
    bytes: Option<u64>,
    input_bytes: InputBytes,
    file: Option<RandomAccess>,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let kept_columns = choose_fixed(source_name, &[], options)?;
    debug_assert!(kept_columns.is_empty(), "there is no column to keep");
    let compression = input_bytes.compression().id();
    let (mut array, mut input_bytes) = open_grids(source_name, input_bytes, file)?;
    learn(
        source_name,
        &mut array,
        &mut input_bytes,
        options.token_offset,
    )?;
    if options.puzzle_as_json && array.form == RecordForm::Steps {
        array.form = RecordForm::StepNumbers;
    }
    let labels = if array.has_solutions() {
        None
    } else {
        companion::labels(path, &array)?
    };
    let has_labels = labels.is_some();
    let has_solutions = array.has_solutions() || has_labels;
    if has_labels && options.token_offset.is_none() {
        // If the solutions are in a separate array, as in training data, 0 is padding and 1 is an empty cell.
        array.symbols = 1.into();
    }
    let column = |name: &str, role| ColumnInfo {
        name: name.to_owned(),
        role,
    };
    let mut columns = vec![column("puzzle", ColumnRole::Puzzle)];
    if has_solutions {
        columns.push(column("solution", ColumnRole::Solution));
    }
    let info = InputInfo {
        source: path.to_owned(),
        bytes,
        compression,
        format: InputFormat::NPY,
        has_solutions,
        row_groups: None,
    };
    let detection = Detection {
        why: format!(
            "it starts with 93 NUMPY, and holds {} of the shape {}{}{}",
            array.descr,
            shape_text(&array.shape),
            array.meaning(),
            if has_labels {
                "; the file of labels beside it has the solutions"
            } else {
                ""
            }
        ),
        columns,
        hint: hint(),
        notes: array.notes(options),
        ..Detection::default()
    };
    let parser = ColumnParser::new(true, has_solutions);
    let bytes_read = input_bytes.bytes_read();
    let source = NpySource {
        input_bytes,
        next: 0,
        dropped_bytes: 0,
        labels,
        array: Arc::new(array),
    };
    let (source, parser) = (Box::new(source), Arc::new(parser));
    Ok(Input::new(
        info,
        detection,
        Vec::new(),
        source,
        parser,
        bytes_read,
    ))
}

struct NpySource {
    input_bytes: InputBytes,
    array: Arc<GridArray>,
    /// The number of the record that is read next.
    next: u64,
    dropped_bytes: u64,
    /// The array of solutions, if it is in a separate file.
    labels: Option<Labels>,
}

impl NpySource {
    /// Reads the rows of the next batch; `None` at the end.
    fn read_rows(&mut self, mut buffer: Vec<u8>) -> Result<Option<ReadRows<NpyRows>>, Error> {
        let row_bytes = self.array.row_bytes();
        let rows_left = usize::try_from(self.array.rows - self.next).unwrap_or(usize::MAX);
        let rows = rows_left
            .min(BATCH_ROWS)
            .min((BATCH_BYTES / row_bytes.max(1)).max(1));
        if rows == 0 {
            let mut next_byte = [0];
            return match read_most(&mut self.input_bytes, &mut next_byte)? {
                0 => Ok(None),
                _ => Err(self
                    .input_bytes
                    .damaged("more follows the NumPy array: save each array in a file of its own")),
            };
        }
        buffer.resize(rows * row_bytes, 0);
        let filled_bytes = read_most(&mut self.input_bytes, &mut buffer)?;
        let whole_rows = filled_bytes / row_bytes.max(1);
        if whole_rows == 0 {
            self.dropped_bytes += filled_bytes as u64;
            let rows_after = self.array.rows - self.next;
            // Sets the position to the end, so that the error is reported only once.
            self.next = self.array.rows;
            return Err(self.input_bytes.damaged(&format!(
                "the NumPy array is cut short: {rows_after} of its {} {} {} missing",
                self.array.rows,
                noun_for(self.array.rows, "record"),
                if rows_after == 1 { "is" } else { "are" },
            )));
        }
        buffer.truncate(whole_rows * row_bytes);
        let solutions = (self.labels.as_mut())
            .map(|labels| labels.next(whole_rows))
            .transpose()?;
        let first_row = self.next;
        self.next += whole_rows as u64;
        if whole_rows < rows {
            self.dropped_bytes = (filled_bytes - whole_rows * row_bytes) as u64;
        }
        Ok(Some(ReadRows {
            first_row,
            rows: whole_rows,
            columns: NpyRows {
                array: Arc::clone(&self.array),
                bytes: buffer,
                solutions,
            },
        }))
    }
}

impl BatchSource for NpySource {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let rows = self.read_rows(buffer)?;
        rows.map(ReadRows::into_batch).transpose()
    }

    fn next_part(&mut self, buffer: Vec<u8>, _: &PieceLimits) -> Result<Option<Part>, Error> {
        let rows = self.read_rows(buffer)?;
        let bytes_read = self.input_bytes.bytes_read().load(Ordering::Relaxed);
        Ok(rows.map(|rows| rows.into_part(bytes_read)))
    }

    fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        self.input_bytes.use_workers(workers);
    }

    fn dropped(&self) -> u64 {
        self.dropped_bytes
    }
}

/// The bytes of some rows of an array.
struct NpyRows {
    array: Arc<GridArray>,
    bytes: Vec<u8>,
    /// The solutions of the rows, if they are in a separate file.
    solutions: Option<LabelRows>,
}

impl ConvertRows for NpyRows {
    fn bytes(&self) -> usize {
        let solutions = self.solutions.as_ref().map_or(0, LabelRows::bytes);
        self.bytes.len() + solutions
    }

    fn convert(self, _rows: usize) -> Result<ColumnChunk, Error> {
        let (mut grids, unreadable) = self.array.grids(&self.bytes);
        let solutions = self.solutions.as_ref();
        grids.extend(solutions.map(|solutions| solutions.texts(self.array.symbols)));
        let names = ["puzzle", "solution"].into_iter();
        let columns = names.zip(grids).map(|(name, grids)| (name, grids, true));
        Ok(ColumnChunk {
            columns: RecordBatch::try_from_iter_with_nullable(columns)?,
            unreadable,
            empty: self.array.empty_cell(&self.bytes),
        })
    }
}

/// Reads the description of an array that can hold grids. Its data is then read in C order. `file` is the array's file, if
/// it can be read at any position.
fn open_grids(
    source_name: &str,
    mut input_bytes: InputBytes,
    file: Option<RandomAccess>,
) -> Result<(GridArray, InputBytes), Error> {
    let head = ArrayHead::read(source_name, &mut input_bytes)?;
    let file = file.map(|file| (file, head.bytes));
    let array = GridArray::from_grids(head.clone()).map_err(|what| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what,
    })?;
    let input_bytes = fortran::in_c_order(source_name, input_bytes, &head, file)?;
    Ok((array, input_bytes))
}

/// Learns from the first bytes of an array how its records form grids.
fn learn(
    source_name: &str,
    array: &mut GridArray,
    input_bytes: &mut InputBytes,
    offset: Option<i16>,
) -> Result<(), Error> {
    let first_bytes = input_bytes.peek(SAMPLE_BYTES)?;
    let learned = array.learn(first_bytes, offset);
    learned.map_err(|what| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what,
    })
}

impl GridArray {
    /// Whether each record has a puzzle and its solution.
    fn has_solutions(&self) -> bool {
        matches!(
            self.form,
            RecordForm::Pair | RecordForm::Steps | RecordForm::StepNumbers
        )
    }

    /// Converts records to text columns: the puzzles and, if the records have them, the solutions. The second list has
    /// the rows whose puzzle is not a grid, with the reasons.
    fn grids(&self, bytes: &[u8]) -> (Vec<ArrayRef>, Vec<(usize, RejectReason)>) {
        let mut unreadable = Vec::new();
        let mut puzzles = StringBuilder::new();
        let mut solutions = StringBuilder::new();
        for (row, record) in bytes.chunks_exact(self.row_bytes()).enumerate() {
            let (puzzle, solution) = match self.form {
                RecordForm::Pair => {
                    let (puzzle, solution) = record.split_at(record.len() / 2);
                    (
                        self.text(puzzle, self.symbols),
                        self.solution(solution, self.symbols),
                    )
                }
                RecordForm::Steps => match self.steps(record) {
                    Ok((puzzle, solution)) => (Ok(puzzle), Some(solution)),
                    Err(rejected) => (Err(rejected), None),
                },
                RecordForm::StepNumbers => {
                    let (puzzle, numbers) = self.step_numbers(record);
                    (Ok(puzzle), Some(numbers))
                }
                RecordForm::Grid | RecordForm::OneHot(_) => (self.text(record, self.symbols), None),
            };
            match puzzle {
                Ok(text) => puzzles.append_value(text),
                Err((raw, reason)) => {
                    unreadable.push((row, reason));
                    puzzles.append_value(raw);
                }
            }
            solutions.append_option(solution);
        }
        let mut grids = vec![Arc::new(puzzles.finish()) as ArrayRef];
        if self.has_solutions() {
            grids.push(Arc::new(solutions.finish()));
        }
        (grids, unreadable)
    }

    /// The solution in a record, as text; `None` if all its cells are empty.
    fn solution(&self, record: &[u8], symbols: NumberSymbols) -> Option<String> {
        let text = self.text(record, symbols);
        let text = text.unwrap_or_else(|(raw, _)| raw);
        text.bytes().any(|byte| byte != b'.').then_some(text)
    }
}
