//! Writes the arrays that the training scripts of HRM, TRM and their forks read: a folder with six files.
//!
//! ```text
//! all__inputs.npy              uint8 (rows, cells)   1 for an empty cell, then 2 to 10; 0 is padding
//! all__labels.npy              uint8 (rows, cells)   the solutions, in the same way
//! all__puzzle_indices.npy      int32 (rows + 1,)     the first example of each puzzle: 0, 1, 2, …
//! all__group_indices.npy       int32 (groups + 1,)   the first puzzle of each group
//! all__puzzle_identifiers.npy  int32 (rows,)         zeros
//! dataset.json                 the sizes
//! ```
//!
//! In each epoch, training draws one puzzle from every group. Consecutive rows with the same value in the
//! column `group`, which `augment` writes, are one group. Without this column, each row is a group of its
//! own.

use std::io::{BufReader, Read};
use std::sync::Arc;

use arrow::array::{Array, AsArray, StringArray};
use serde_json::json;

use super::format::{FolderFiles, FormatWriter, TableStart, WriteFormat, stored_unchanged};
use super::lines::grid_column;
use super::npy::{
    BUFFER_BYTES, CELLS_OF_9X9, GROUP_LIMITS, digit_of, header_bytes, pencil_marks_error,
    two_sizes_error,
};
use crate::error::{Error, FormatError, OutputError};
use crate::options::{SOLUTION_COLUMN, WHERE};
use crate::table::class_key::ClassKey;
use crate::table::layout::Holds;
use crate::temporary::{TempFile, temp_error};
use crate::write::{Encode, Encoded, RowGroup, Sink, Target};

pub(crate) static FORMAT: WriteFormat = WriteFormat {
    id: "hrm",
    endings: &[],
    doc: "A folder of NumPy arrays as the training scripts of HRM and TRM read it: all__inputs.npy, \
          all__labels.npy, dataset.json",
    holds: Holds::Grids,
    folder: Some(&FolderFiles {
        main: ("all__inputs", "npy"),
        other_files: &[
            LABELS_FILE,
            PUZZLES_FILE,
            GROUPS_FILE,
            IDENTIFIERS_FILE,
            SIZES_FILE,
        ],
        file_above: ("identifiers.json", "[\"<blank>\"]"),
    }),
    is_text: false,
    has_types: true,
    has_logical_types: false,
    store: stored_unchanged,
    start,
};

const LABELS_FILE: &str = "all__labels.npy";
const PUZZLES_FILE: &str = "all__puzzle_indices.npy";
const GROUPS_FILE: &str = "all__group_indices.npy";
const IDENTIFIERS_FILE: &str = "all__puzzle_identifiers.npy";
const SIZES_FILE: &str = "dataset.json";

/// The token for an empty cell. The token for a digit is the digit plus 1.
const BLANK_TOKEN: u8 = 1;

/// The numbers of an array are passed to the target in blocks of this many bytes.
const BLOCK_BYTES: usize = 1 << 20;

fn start(start: TableStart<'_>) -> Result<FormatWriter, Error> {
    if start.schema.index_of("solution").is_err() {
        return Err(FormatError::new(
            FORMAT.id,
            format!(
                "needs solutions, and no input has a column of them: pipeline solve adds the column solution, \
                 or name it with {SOLUTION_COLUMN}"
            ),
        )
        .into());
    }
    Ok(FormatWriter {
        limits: GROUP_LIMITS,
        encoder: Arc::new(TokenEncoder),
        open_sink: Arc::new(|target| Ok(Box::new(HrmSink::new(target)?))),
    })
}

/// Rows of puzzles and solutions as tokens: one number for each cell.
pub struct TokenRows {
    inputs: Vec<u8>,
    labels: Vec<u8>,
    cells: usize,
    first_row: u64,
    /// The groups of rows: the key of each group, and its number of rows. A row without a key (`None`) is a group of
    /// its own.
    groups: Vec<(Option<ClassKey>, u64)>,
}

/// Converts puzzles and solutions to tokens.
struct TokenEncoder;

impl Encode for TokenEncoder {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let mut rows = TokenRows {
            inputs: Vec::new(),
            labels: Vec::new(),
            cells: 0,
            first_row: group.first_row,
            groups: Vec::new(),
        };
        let mut row = group.first_row;
        for batch in &group.batches {
            let column = |name| {
                let missing = || Error::Internal(format!("there is no column {name}"));
                grid_column(batch, name).ok_or_else(missing)
            };
            let (puzzles, solutions) = (column("puzzle")?, column("solution")?);
            let keys: Option<&StringArray> =
                (batch.column_by_name("group")).and_then(|keys| keys.as_string_opt());
            for at in 0..batch.num_rows() {
                let puzzle = puzzles.value(at);
                if puzzle.len() == 729 {
                    return Err(pencil_marks_error(row));
                }
                if rows.cells == 0 {
                    rows.cells = puzzle.len();
                }
                if puzzle.len() != rows.cells {
                    return Err(two_sizes_error(row, puzzle.len(), rows.cells));
                }
                let solution = solutions.is_valid(at).then(|| solutions.value(at));
                let solution = solution.filter(|solution| {
                    solution.len() == puzzle.len()
                        && solution.bytes().all(|cell| digit_of(cell) > 0)
                });
                let Some(solution) = solution else {
                    return Err(OutputError::row(
                        row,
                        format!(
                            "has no solution that is a full grid, and every label of this format is one: {} leaves \
                             such rows out, pipeline solve adds the solutions",
                            WHERE.set_to("solution is not null")
                        ),
                    )
                    .into());
                };
                rows.inputs.extend(puzzle.bytes().map(token_of));
                rows.labels.extend(solution.bytes().map(token_of));
                let key = keys.filter(|keys| keys.is_valid(at));
                let key = key.map(|keys| ClassKey::from_text(keys.value(at).as_bytes()));
                add_row(&mut rows.groups, key);
                row += 1;
            }
        }
        Ok(Encoded::Tokens(Box::new(rows)))
    }
}

/// Adds a row to the last group if it has the same key; otherwise starts a new group.
fn add_row(groups: &mut Vec<(Option<ClassKey>, u64)>, key: Option<ClassKey>) {
    match groups.last_mut() {
        Some((last, count)) if key.is_some() && *last == key => *count += 1,
        _ => groups.push((key, 1)),
    }
}

fn token_of(character: u8) -> u8 {
    digit_of(character) + BLANK_TOKEN
}

/// Writes the arrays. The shape of an array precedes its values, but is known only at the end, so the values are
/// first written to temporary files.
struct HrmSink {
    target: Target,
    inputs_file: TempFile,
    labels_file: TempFile,
    /// A temporary file with the number of rows in each complete group.
    groups_file: TempFile,
    group_count: u64,
    last_group: Option<(Option<ClassKey>, u64)>,
    row_count: u64,
    cells: usize,
}

impl HrmSink {
    fn new(target: Target) -> Result<HrmSink, Error> {
        let folder = target.temporary_folder()?;
        let temp_file = || TempFile::new_in(&folder, BUFFER_BYTES);
        Ok(HrmSink {
            inputs_file: temp_file()?,
            labels_file: temp_file()?,
            groups_file: temp_file()?,
            target,
            group_count: 0,
            last_group: None,
            row_count: 0,
            cells: 0,
        })
    }

    fn end_group(&mut self) -> Result<(), Error> {
        let Some((_, rows)) = self.last_group.take() else {
            return Ok(());
        };
        self.group_count += 1;
        self.groups_file.write(&rows.to_le_bytes())
    }
}

/// Writes a one-dimensional NumPy array with `count` numbers. The function argument returns the numbers in order.
fn write_numbers(
    target: &mut Target,
    count: u64,
    mut next_number: impl FnMut() -> Result<i32, Error>,
) -> Result<(), Error> {
    target.write(&header_bytes("<i4", &format!("({count},)")))?;
    let mut bytes = Vec::with_capacity(BLOCK_BYTES);
    for _ in 0..count {
        bytes.extend(next_number()?.to_le_bytes());
        if bytes.len() >= BLOCK_BYTES {
            target.write(&bytes)?;
            bytes.clear();
        }
    }
    target.write(&bytes)
}

/// Writes a two-dimensional NumPy array of tokens, with one row for each puzzle.
fn write_tokens(
    target: &mut Target,
    rows: u64,
    cells: usize,
    tokens: TempFile,
) -> Result<(), Error> {
    target.write(&header_bytes("|u1", &format!("({rows}, {cells})")))?;
    tokens.copy_to(|block| target.write(block))
}

impl Sink for HrmSink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        let Encoded::Tokens(rows) = encoded else {
            return Err(Error::Internal("a group of another format".into()));
        };
        if self.cells == 0 {
            self.cells = rows.cells;
        }
        if rows.cells != self.cells {
            return Err(two_sizes_error(rows.first_row, rows.cells, self.cells));
        }
        self.row_count += rows.groups.iter().map(|(_, rows)| rows).sum::<u64>();
        if self.row_count >= i32::MAX as u64 {
            return Err(OutputError::TooManyForIndices {
                rows: self.row_count,
            }
            .into());
        }
        self.inputs_file.write(&rows.inputs)?;
        self.labels_file.write(&rows.labels)?;
        for (key, count) in rows.groups {
            match &mut self.last_group {
                Some((last, rows)) if key.is_some() && *last == key => *rows += count,
                _ => {
                    self.end_group()?;
                    self.last_group = Some((key, count));
                }
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Target, Error> {
        Err(Error::Internal("a folder of arrays as one file".into()))
    }

    fn finish_files(mut self: Box<Self>) -> Result<(Target, Vec<Target>), Error> {
        self.end_group()?;
        let HrmSink {
            mut target,
            inputs_file: inputs,
            labels_file: labels,
            groups_file: groups,
            group_count,
            row_count: rows,
            cells,
            ..
        } = *self;
        let cells = if cells == 0 { CELLS_OF_9X9 } else { cells };
        let path = target.path().to_owned();
        let folder = target.temporary_folder()?;
        let target_beside = |name: &str| Target::part_of_folder(&path.with_file_name(name));
        write_tokens(&mut target, rows, cells, inputs)?;
        let mut solutions = target_beside(LABELS_FILE)?;
        write_tokens(&mut solutions, rows, cells, labels)?;
        let mut puzzles = target_beside(PUZZLES_FILE)?;
        let mut next_index = -1;
        write_numbers(&mut puzzles, rows + 1, || {
            next_index += 1;
            Ok(next_index)
        })?;
        let mut group_starts = target_beside(GROUPS_FILE)?;
        let mut groups = BufReader::new(groups.into_file()?);
        let (mut start, mut is_first) = (0_u64, true);
        write_numbers(&mut group_starts, group_count + 1, || {
            if !std::mem::take(&mut is_first) {
                let mut rows = [0; 8];
                let read_result = groups.read_exact(&mut rows);
                read_result.map_err(|error| temp_error(&folder, error))?;
                start += u64::from_le_bytes(rows);
            }
            Ok(start as i32)
        })?;
        let mut identifiers = target_beside(IDENTIFIERS_FILE)?;
        write_numbers(&mut identifiers, rows, || Ok(0))?;
        let mut sizes = target_beside(SIZES_FILE)?;
        sizes.write(dataset_json(group_count, cells).as_bytes())?;
        Ok((
            target,
            vec![solutions, puzzles, group_starts, identifiers, sizes],
        ))
    }
}

/// The content of `dataset.json`, with the fields that HRM and TRM expect. `total_puzzles` is the number of
/// groups.
fn dataset_json(groups: u64, cells: usize) -> String {
    json!({
        "pad_id": 0,
        "ignore_label_id": 0,
        "blank_identifier_id": 0,
        "vocab_size": cells.isqrt() + 2,
        "seq_len": cells,
        "num_puzzle_identifiers": 1,
        "total_groups": groups,
        "mean_puzzle_examples": 1.0,
        "total_puzzles": groups,
        "sets": ["all"],
    })
    .to_string()
}
