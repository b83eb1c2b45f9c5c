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

use super::archive_roles::{self, ChosenArrays, NamedArray};
use super::archive_source::{ArchiveSource, ArrayReader, ArrayValues};
use super::fortran::in_c_order;
use super::header::{ArrayHead, NpyHeader};
use super::hint;
use super::values::NpyColumn;
use crate::error::Error;
use crate::options::KEEP;
use crate::read::bytes::stored::InputBytes;
use crate::read::bytes::zip::{DirectoryEntry, NamedEntry};
use crate::read::columnar::parser::ColumnParser;
use crate::read::{Detection, Input, InputFormat, InputInfo, ReadOptions};
use crate::store::RandomAccess;

/// The maximum number of arrays in an archive. It is limited because each array has its own buffers.
const MOST_ARRAYS: usize = 1000;

/// The maximum number of arrays that a message lists.
const MOST_NAMES: usize = 8;

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
            grids: NpyHeader::from_grids(array_head.clone()),
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

/// The names and the shapes of arrays, for messages.
pub(super) fn listed<'a>(arrays: impl IntoIterator<Item = &'a NamedArray>) -> String {
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
pub(super) struct Archive<'a> {
    pub(super) source_name: &'a str,
    file: &'a RandomAccess,
    entries: &'a [DirectoryEntry],
}

impl Archive<'_> {
    /// The name of the array with this index, for messages about its content.
    pub(super) fn name_of(&self, at: usize) -> String {
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

    /// Opens the data of the array with this index, in C order. Also returns its offset in the archive.
    pub(super) fn open_data(&self, at: usize) -> Result<(InputBytes, u64), Error> {
        let (mut input_bytes, start) = self.open(at)?;
        let name = self.name_of(at);
        let head = ArrayHead::read(&name, &mut input_bytes)?;
        Ok((in_c_order(&name, input_bytes, &head, None)?, start))
    }

    /// Creates a reader for the rows of an array, whose header has already been parsed.
    fn reader(&self, at: usize, values: ArrayValues) -> Result<ArrayReader, Error> {
        let (input_bytes, start) = self.open_data(at)?;
        Ok(ArrayReader::new(input_bytes, start, values))
    }
}
