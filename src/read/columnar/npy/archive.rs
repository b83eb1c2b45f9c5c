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

use super::archive_arrays::{Archive, NamedArray, listed};
use super::archive_roles::{self, ChosenArrays};
use super::archive_source::{ArchiveSource, ArrayReader, ArrayValues};
use super::grid_array::GridArray;
use super::header::ArrayHead;
use super::hint;
use super::values::NpyColumn;
use crate::error::Error;
use crate::options::KEEP;
use crate::read::bytes::zip::DirectoryEntry;
use crate::read::columnar::parser::ColumnParser;
use crate::read::{Detection, Input, InputFormat, InputInfo, ReadOptions};
use crate::store::RandomAccess;

/// The maximum number of arrays in an archive. It is limited because each array has its own buffers.
const MOST_ARRAYS: usize = 1000;

/// Opens an archive with several NumPy arrays as an input. Each array is a column.
pub(super) fn open_archive(
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
            grids: GridArray::from_grids(array_head.clone()),
            head: array_head,
        });
    }
    let ChosenArrays { columns, rows } =
        archive_roles::choose_arrays(&archive, &mut arrays, options)?;

    let mut readers = Vec::new();
    let mut fields: Vec<FieldRef> = Vec::new();
    let mut has_solutions = columns.solution.is_some();
    let mut notes = Vec::new();
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
        if grids.has_solutions() && Some(at) == columns.puzzle {
            has_solutions = true;
            fields.push(Arc::new(Field::new("solution", DataType::Utf8, true)));
        }
        let values = if Some(at) == columns.puzzle {
            notes = grids.notes(options);
            ArrayValues::Puzzles(grids)
        } else {
            ArrayValues::Solutions(grids)
        };
        readers.push(array_reader(&archive, at, values)?);
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
        readers.push(array_reader(&archive, *at, ArrayValues::Carried(column))?);
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
        format: InputFormat::NPZ,
        has_solutions,
        row_groups: None,
    };
    let detection = Detection {
        why: format!("it is a zip archive of NumPy arrays: {}", listed(&arrays)),
        columns: columns.roles(&names),
        hint: hint(),
        notes,
        ..Detection::default()
    };
    let parser = ColumnParser::new(columns.puzzle.is_some(), has_solutions);
    let carried = fields[grids..].to_vec();
    let schema = Arc::new(Schema::new(fields));
    let source = ArchiveSource::new(readers, schema, rows, Arc::clone(&bytes_read));
    let (source, parser) = (Box::new(source), Arc::new(parser));
    Ok(Input::new(
        info, detection, carried, source, parser, bytes_read,
    ))
}

/// Creates a reader for the rows of an array, whose header has already been parsed.
fn array_reader(
    archive: &Archive<'_>,
    at: usize,
    values: ArrayValues,
) -> Result<ArrayReader, Error> {
    let (input_bytes, start) = archive.open_data(at)?;
    Ok(ArrayReader::new(input_bytes, start, values))
}
