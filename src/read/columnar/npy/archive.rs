//! Archives of several NumPy arrays: `.npz`, as `numpy.savez` and `savez_compressed` write them.
//!
//! ```text
//! puzzles.npy (n, 81) ─┐
//! solutions.npy (n, 81)├─▶ n rows of four columns
//! rating.npy (n,) ─────┤
//! moves.npy (n, 5) ────┘
//! version.npy () ────────▶ left out, and the log says so
//! ```
//!
//! Each array is read separately in the archive, a batch of rows at a time.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::datatypes::{DataType, Field, FieldRef, Schema};

use super::archive_source::{ArchiveSource, ArrayReader, ArrayValues};
use super::header::{ArrayHead, ItemType, NpyHeader, RecordForm};
use super::hint;
use super::values::NpyColumn;
use crate::error::Error;
use crate::options::{KEEP, PUZZLE_COLUMN, SOLUTION_COLUMN};
use crate::read::bytes::stored::InputBytes;
use crate::read::bytes::zip::{DirectoryEntry, NamedEntry};
use crate::read::columnar::parser::ColumnParser;
use crate::read::columns::{Columns, PUZZLE_NAMES, SOLUTION_NAMES, choose, find_known};
use crate::read::{Detection, Input, InputFormat, InputInfo, ReadOptions};
use crate::store::RandomAccess;

/// The maximum number of arrays in an archive. It is limited because each array has its own buffers.
const MOST_ARRAYS: usize = 1000;

/// The maximum number of arrays that a message lists.
const MOST_NAMES: usize = 8;

/// The minimum length of a text that is recognised as a puzzle. An array of shorter texts counts as puzzles only if its
/// name says so.
const FEWEST_CELLS: usize = 16;

/// Opens an archive with several NumPy arrays as an input. Each array is a column.
pub(crate) fn open_archive(
    path: &str,
    source_name: &str,
    file: &RandomAccess,
    entries: &[DirectoryEntry],
    options: &ReadOptions,
) -> Result<Input, Error> {
    let archive = Archive {
        source_name,
        file,
        entries,
    };
    let unknown_format = |what: String| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what,
    };
    let mut arrays = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let (mut input_bytes, _) = archive.open(at)?;
        let array_head = ArrayHead::read(&archive.name_of(at), &mut input_bytes)?;
        arrays.push(NamedArray {
            name: entry.array_name().unwrap_or_default().to_owned(),
            grids: NpyHeader::from_grids(array_head.clone()),
            head: array_head,
        });
    }
    let ChosenArrays { columns, rows } = choose_arrays(source_name, &arrays, options)?;

    let mut readers = Vec::new();
    let mut fields: Vec<FieldRef> = Vec::new();
    let mut has_solutions = columns.solution.is_some();
    for at in [columns.puzzle, columns.solution].into_iter().flatten() {
        let array = &arrays[at];
        let grids = array.grids.clone().map_err(|why| {
            unknown_format(format!("the array {:?} has no puzzles: {why}", array.name))
        })?;
        if grids.rows != rows {
            let (name, count) = (&array.name, grids.rows);
            return Err(unknown_format(format!(
                "the array {name:?} has {count} grids, and the one of the puzzles {rows}"
            )));
        }
        fields.push(Arc::new(Field::new(&array.name, DataType::Utf8, true)));
        let is_pair = grids.form == RecordForm::Pair;
        if is_pair {
            has_solutions = true;
            fields.push(Arc::new(Field::new("solution", DataType::Utf8, true)));
        }
        let values = match Some(at) == columns.puzzle {
            true => ArrayValues::Puzzles(grids, options.token_offset),
            false => ArrayValues::Solutions(grids, options.token_offset),
        };
        readers.push(archive.reader(at, values)?);
    }
    let grids = fields.len();
    for (at, name) in &columns.carried {
        let array = &arrays[*at];
        let column = NpyColumn::new(&array.head).map_err(|why| {
            unknown_format(format!(
                "the array {:?} cannot be carried: {why}; {KEEP} leaves it out",
                array.name
            ))
        })?;
        fields.push(Arc::new(Field::new(name, column.data_type(), true)));
        readers.push(archive.reader(*at, ArrayValues::Carried(column))?);
    }
    if readers.len() > MOST_ARRAYS {
        return Err(unknown_format(format!(
            "it holds {} arrays, and at most {MOST_ARRAYS} can be read at once: choose with {KEEP}",
            readers.len()
        )));
    }

    let names: Vec<&str> = arrays.iter().map(|array| array.name.as_str()).collect();
    let bytes_read = Arc::new(AtomicU64::new(0));
    let info = InputInfo {
        source: path.to_owned(),
        bytes: Some(file.bytes()),
        compression: "zip",
        format: InputFormat::Npz.id(),
        has_solutions,
        row_groups: None,
    };
    let detection = Detection {
        why: format!("it is a zip archive of NumPy arrays: {}", listed(&arrays)),
        columns: columns.roles(&names),
        hint: hint(),
        ..Detection::default()
    };
    let parser = ColumnParser {
        has_puzzles: columns.puzzle.is_some(),
        has_solutions,
    };
    let carried = fields[grids..].to_vec();
    let schema = Arc::new(Schema::new(fields));
    let source = ArchiveSource::new(readers, schema, rows, Arc::clone(&bytes_read));
    let (source, parser) = (Box::new(source), Arc::new(parser));
    Ok(Input::new(
        info, detection, carried, source, parser, bytes_read,
    ))
}

/// An array in the archive, with its name and its parsed header.
struct NamedArray {
    name: String,
    head: ArrayHead,
    /// The header, if the array can hold grids; otherwise the reason why it cannot.
    grids: Result<NpyHeader, String>,
}

impl NamedArray {
    /// Whether the values of the array look like puzzles. Its name is not considered.
    fn looks_like_grids(&self) -> bool {
        self.grids.as_ref().is_ok_and(|grids| {
            let characters = match grids.item {
                ItemType::Bytes => grids.size,
                ItemType::Unicode => grids.size / 4,
                _ => usize::MAX,
            };
            characters >= FEWEST_CELLS || grids.item_count > 1
        })
    }
}

/// The arrays that are chosen as columns, and the number of rows that they all have.
struct ChosenArrays {
    columns: Columns,
    rows: u64,
}

fn choose_arrays(
    source_name: &str,
    arrays: &[NamedArray],
    options: &ReadOptions,
) -> Result<ChosenArrays, Error> {
    let unknown_format = |what: String| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what,
    };
    let names: Vec<String> = arrays.iter().map(|array| array.name.clone()).collect();
    let has_grids = |at: usize| arrays[at].grids.is_ok();
    let mut options = options.clone();
    if options.puzzle_column.is_none() && find_known(&names, &PUZZLE_NAMES, &has_grids).is_none() {
        let solution = options.solution_column.clone();
        let may_be_puzzles = |array: &&NamedArray| {
            Some(&array.name) != solution.as_ref()
                && !SOLUTION_NAMES.contains(&array.name.to_ascii_lowercase().as_str())
                && array.looks_like_grids()
        };
        let mut candidates: Vec<&NamedArray> = arrays.iter().filter(may_be_puzzles).collect();
        // An array of 81 ratings looks like a single grid. Single grids are therefore ignored if another array is a
        // list of grids.
        let is_list = |array: &NamedArray| array.grids.as_ref().is_ok_and(NpyHeader::is_list);
        if candidates.iter().any(|array| is_list(array)) {
            candidates.retain(|array| is_list(array));
        }
        match candidates.as_slice() {
            [array] => options.puzzle_column = Some(array.name.clone()),
            [] => {}
            _ if options.any_table => {}
            several => {
                return Err(unknown_format(format!(
                    "several of its arrays could be the puzzles: {}; name the one with \
                     {PUZZLE_COLUMN}, and that of the solutions with {SOLUTION_COLUMN}",
                    listed(several.iter().copied())
                )));
            }
        }
    }
    let mut columns = choose(source_name, &names, &options, &has_grids)?;
    let puzzle = columns.puzzle.and_then(|at| arrays[at].grids.as_ref().ok());
    if puzzle.is_some_and(|puzzle| puzzle.form == RecordForm::Pair) && columns.solution.is_some() {
        if options.solution_column.is_some() {
            return Err(unknown_format(format!(
                "the array of the puzzles is one of pairs, which have their solutions: leave \
                 {SOLUTION_COLUMN} out"
            )));
        }
        options.carry_solutions = true;
        columns = choose(source_name, &names, &options, &has_grids)?;
    }
    let row_count = |at: usize| arrays[at].head.shape.first().copied();
    let first_length = columns.carried.first().and_then(|(at, _)| row_count(*at));
    let rows = puzzle
        .map_or(first_length, |puzzle| Some(puzzle.rows))
        .unwrap_or(0);
    let mut left_out_names = Vec::new();
    columns.carried.retain(|(at, _)| {
        let has_rows = row_count(*at) == Some(rows);
        if !has_rows {
            left_out_names.push(&arrays[*at]);
        }
        has_rows
    });
    if !left_out_names.is_empty() {
        tracing::warn!(
            "{source_name}: arrays that do not have a row for each of the {rows} puzzles are left out: {}",
            listed(left_out_names)
        );
    }
    Ok(ChosenArrays { columns, rows })
}

/// The names and the shapes of arrays, for messages.
fn listed<'a>(arrays: impl IntoIterator<Item = &'a NamedArray>) -> String {
    let mut arrays = arrays.into_iter();
    let mut names: Vec<String> = (arrays.by_ref().take(MOST_NAMES))
        .map(|array| format!("{} {}", array.name.escape_debug(), array.head.shape_text()))
        .collect();
    match arrays.count() {
        0 => {}
        more => names.push(format!("{more} more")),
    }
    names.join(", ")
}

/// The archive and its directory entries, from which the arrays are opened.
struct Archive<'a> {
    source_name: &'a str,
    file: &'a RandomAccess,
    entries: &'a [DirectoryEntry],
}

impl Archive<'_> {
    /// The name of the array with this index, for messages about its content.
    fn name_of(&self, at: usize) -> String {
        format!(
            "{}: {}",
            self.source_name,
            self.entries[at].name.escape_debug()
        )
    }

    /// Opens the array with this index. Also returns the offset in the archive of its data.
    fn open(&self, at: usize) -> Result<(InputBytes, u64), Error> {
        let name = self.name_of(at);
        let entry = &self.entries[at];
        let opened_entry = NamedEntry::open(self.file, entry);
        let (member, start) = opened_entry.map_err(|error| match error.kind() {
            std::io::ErrorKind::Unsupported => Error::UnknownFormat {
                source_name: self.source_name.to_owned(),
                what: error.to_string(),
            },
            _ => Error::Corrupt {
                source_name: name.clone(),
                byte_offset: self.file.bytes(),
                what: format!("the zip archive is damaged or cut short ({error})"),
            },
        })?;
        Ok((InputBytes::from_member(&name, member, start), start))
    }

    /// Creates a reader for the rows of an array, whose header has already been parsed.
    fn reader(&self, at: usize, values: ArrayValues) -> Result<ArrayReader, Error> {
        let (mut input_bytes, start) = self.open(at)?;
        ArrayHead::read(&self.name_of(at), &mut input_bytes)?;
        Ok(ArrayReader::new(
            self.source_name,
            input_bytes,
            start,
            values,
        ))
    }
}
