//! NumPy arrays of grids: `.npy`.
//!
//! ```text
//! 93 "NUMPY", version, length │ {'descr': '<i8', 'fortran_order': False, 'shape': (1000, 81), } │ numbers
//! ```
//!
//! Integers (or floats without fractions) of the shapes (n, 81) and (n, 9, 9), and those of the other
//! sizes; 0 is an empty cell. Texts are of the shape (n,), or a text a cell.

use std::fmt::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::error::ArrowError;

use super::BATCH_ROWS;
use super::parser::Parser;
use crate::error::Error;
use crate::read::columns::choose_fixed;
use crate::read::input::stored::Stored;
use crate::read::{
    Batch, BatchSource, ColumnChunk, ColumnInfo, ColumnRole, Detection, Input, InputFormat,
    InputInfo, Payload, ReadOptions,
};
use sudoku_core::text::{RejectKind, RejectReason};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Sides of grids, and with them the numbers of their cells.
const SIDES: [usize; 5] = [4, 6, 9, 16, 25];

/// The longest description of an array.
const LONGEST_HEAD: usize = 64 * 1024;

/// The longest record.
const LONGEST_ROW: usize = 1 << 20;

/// Bytes of a batch, unless one record is longer.
const BATCH_BYTES: usize = 8 << 20;

/// How many numbers of a list that is no grid are shown.
const SHOWN: usize = 1000;

/// Whether these are the first bytes of such a file.
pub(crate) fn is_npy(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Opens an array.
pub(crate) fn open(
    path: &str,
    source_name: &str,
    bytes: Option<u64>,
    mut stored: Stored,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let kept = choose_fixed(source_name, &[], options)?;
    debug_assert!(kept.is_empty(), "there is no column to keep");
    let array = Described::read(source_name, &mut stored)?;
    let shape: Vec<String> = array.shape.iter().map(ToString::to_string).collect();
    Ok(Input {
        about: InputInfo {
            source: path.to_owned(),
            bytes,
            compression: stored.compression().id(),
            format: InputFormat::Npy.id(),
            has_solutions: false,
        },
        detection: Detection {
            why: format!(
                "it starts with 93 NUMPY, and holds {} of the shape ({})",
                array.descr,
                shape.join(", ")
            ),
            columns: vec![ColumnInfo {
                name: "puzzle".to_owned(),
                role: ColumnRole::Puzzle,
            }],
            ..Detection::default()
        },
        carried: Vec::new(),
        bytes_read: stored.bytes_read(),
        source: Box::new(Source {
            stored,
            next: 0,
            dropped: 0,
            array,
        }),
        parser: Arc::new(Parser {
            has_solutions: false,
        }),
    })
}

/// What one item of an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Signed,
    Unsigned,
    Float,
    /// Texts of bytes.
    Bytes,
    /// Texts of characters of four bytes.
    Unicode,
}

/// What the start of the file says.
struct Described {
    descr: String,
    item: Item,
    /// Bytes of an item.
    size: usize,
    big_endian: bool,
    shape: Vec<u64>,
    /// Records.
    rows: u64,
    /// Items of a record.
    items: usize,
}

impl Described {
    fn read(source_name: &str, stored: &mut Stored) -> Result<Described, Error> {
        let unknown = |what: String| Error::UnknownFormat {
            source_name: source_name.to_owned(),
            what,
        };
        let short = || unknown("the description of the NumPy array is cut short".to_owned());
        let mut start = [0; 8];
        read_whole(stored, &mut start)?.ok_or_else(short)?;
        if !is_npy(&start) {
            return Err(unknown(
                "this is no NumPy array: it does not start with 93 NUMPY".to_owned(),
            ));
        }
        let length = match start[6] {
            1 => {
                let mut length = [0; 2];
                read_whole(stored, &mut length)?.ok_or_else(short)?;
                usize::from(u16::from_le_bytes(length))
            }
            _ => {
                let mut length = [0; 4];
                read_whole(stored, &mut length)?.ok_or_else(short)?;
                u32::from_le_bytes(length) as usize
            }
        };
        if length > LONGEST_HEAD {
            return Err(unknown(format!(
                "the description of the NumPy array has {length} bytes"
            )));
        }
        let mut head = vec![0; length];
        read_whole(stored, &mut head)?.ok_or_else(short)?;
        Described::of(&String::from_utf8_lossy(&head)).map_err(unknown)
    }

    /// The array that this Python dictionary describes, or why it cannot be read.
    fn of(head: &str) -> Result<Described, String> {
        let value = |key: &str| {
            let (_, rest) = head.split_once(&format!("'{key}':"))?;
            Some(rest.trim_start())
        };
        let missing = || "the description of the NumPy array is damaged".to_owned();
        let descr = value("descr").ok_or_else(missing)?;
        let Some((descr, _)) = descr
            .strip_prefix('\'')
            .and_then(|rest| rest.split_once('\''))
        else {
            return Err("the NumPy array has several fields: save one of them alone".to_owned());
        };
        if value("fortran_order")
            .ok_or_else(missing)?
            .starts_with("True")
        {
            return Err(
                "the NumPy array is in Fortran order: save numpy.ascontiguousarray of it"
                    .to_owned(),
            );
        }
        let shape = value("shape").and_then(|rest| rest.strip_prefix('('));
        let (shape, _) = shape
            .and_then(|rest| rest.split_once(')'))
            .ok_or_else(missing)?;
        let numbers = shape
            .split(',')
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let shape: Vec<u64> = numbers
            .map(|number| number.trim_end_matches('L').parse().map_err(|_| missing()))
            .collect::<Result<_, _>>()?;

        let (item, size) = item(descr).ok_or_else(|| {
            format!(
                "a NumPy array of {descr:?} is not read: save it as int8 or another integer type, \
                 or as text"
            )
        })?;
        let is_text = matches!(item, Item::Bytes | Item::Unicode);
        let (rows, items) = records(&shape, is_text).ok_or_else(|| {
            let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!(
                "the NumPy array has the shape ({}); grids are read from (n, 81) and (n, 9, 9), and \
                 likewise of the other sizes",
                shape.join(", ")
            )
        })?;
        if items.saturating_mul(size) > LONGEST_ROW {
            return Err(format!(
                "a record of the NumPy array has {} bytes, and none may have more than {LONGEST_ROW}",
                items.saturating_mul(size)
            ));
        }
        Ok(Described {
            descr: descr.to_owned(),
            item,
            size,
            big_endian: descr.starts_with('>'),
            shape,
            rows,
            items,
        })
    }

    /// Bytes of a record.
    fn row_bytes(&self) -> usize {
        self.items * self.size
    }

    /// The text of a record, or what is shown of it and why it is none.
    fn text(&self, record: &[u8]) -> Result<String, (String, RejectReason)> {
        // Texts without characters have no bytes.
        let items = record.chunks_exact(self.size.max(1));
        match self.item {
            Item::Bytes | Item::Unicode => {
                let mut text = String::new();
                for item in items {
                    let cell = self.characters(item);
                    match cell.is_empty() && self.items > 1 {
                        true => text.push('.'),
                        false => text.push_str(&cell),
                    }
                }
                Ok(text)
            }
            _ => {
                let numbers: Vec<f64> = items.map(|item| self.number(item)).collect();
                grid(&numbers).map_err(|message| {
                    let reason = RejectReason::new(RejectKind::BadCharacter, message);
                    (shown(&numbers), reason)
                })
            }
        }
    }

    /// NumPy fills texts up with zeros.
    fn characters(&self, item: &[u8]) -> String {
        let text = match self.item {
            Item::Bytes => String::from_utf8_lossy(item).into_owned(),
            _ => {
                let characters = item.chunks_exact(4).map(|bytes| {
                    let mut code = [0; 4];
                    code.copy_from_slice(bytes);
                    let code = match self.big_endian {
                        true => u32::from_be_bytes(code),
                        false => u32::from_le_bytes(code),
                    };
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                });
                characters.collect()
            }
        };
        text.trim_end_matches('\0').to_owned()
    }

    /// Cells are small: a double holds them, and shows the others well enough.
    fn number(&self, item: &[u8]) -> f64 {
        let mut bytes = [0; 8];
        let size = self.size;
        for (to, from) in bytes.iter_mut().zip(item) {
            *to = *from;
        }
        if self.big_endian {
            bytes[..size].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        match self.item {
            Item::Float if size == 4 => f64::from(f32::from_bits(bits as u32)),
            Item::Float => f64::from_bits(bits),
            Item::Signed => {
                let unused = 64 - 8 * size as u32;
                (((bits << unused) as i64) >> unused) as f64
            }
            _ => bits as f64,
        }
    }
}

/// What `<i8` and its like stand for, and the bytes of it.
fn item(descr: &str) -> Option<(Item, usize)> {
    let rest = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let kind = rest.chars().next()?;
    let size: usize = rest.get(1..)?.parse().ok()?;
    match (kind, size) {
        ('i', 1 | 2 | 4 | 8) => Some((Item::Signed, size)),
        ('u', 1 | 2 | 4 | 8) => Some((Item::Unsigned, size)),
        ('f', 4 | 8) => Some((Item::Float, size)),
        ('S' | 'a', 1..) => Some((Item::Bytes, size)),
        ('U', 1..) => Some((Item::Unicode, size.checked_mul(4)?)),
        _ => None,
    }
}

/// How many records an array of this shape has, and how many items each.
fn records(shape: &[u64], is_text: bool) -> Option<(u64, usize)> {
    let size = |number: u64| usize::try_from(number).ok();
    let is_side = |number: u64| size(number).is_some_and(|number| SIDES.contains(&number));
    let cells = |number: u64| {
        let number = size(number)?;
        SIDES
            .iter()
            .any(|side| side * side == number)
            .then_some(number)
    };
    match *shape {
        [rows] if is_text => Some((rows, 1)),
        [rows, count] if cells(count).is_some() => Some((rows, cells(count)?)),
        [rows, side, other] if side == other && is_side(side) => Some((rows, size(side * side)?)),
        // One grid.
        [count] => Some((1, cells(count)?)),
        [side, other] if side == other && is_side(side) => Some((1, size(side * side)?)),
        _ => None,
    }
}

/// The grid of these numbers.
fn grid(numbers: &[f64]) -> Result<String, String> {
    let side = numbers.len().isqrt();
    let mut text = String::with_capacity(numbers.len());
    for number in numbers {
        let is_cell = number.fract() == 0.0 && (0.0..=side as f64).contains(number);
        if !is_cell {
            let position = text.len() + 1;
            return Err(format!(
                "{number} at position {position} is not between 0 and {side}"
            ));
        }
        let digit = char::from_digit(*number as u32, 36).filter(|_| *number > 0.0);
        text.push(digit.map_or('.', |digit| digit.to_ascii_uppercase()));
    }
    Ok(text)
}

fn shown(numbers: &[f64]) -> String {
    let mut text = String::from("[");
    for (at, number) in numbers.iter().take(SHOWN).enumerate() {
        let comma = if at > 0 { "," } else { "" };
        // Writing into memory does not fail.
        let _ = write!(text, "{comma}{number}");
    }
    text + "]"
}

/// Fills the buffer; `None` where the input ends before.
fn read_whole(stored: &mut Stored, buffer: &mut [u8]) -> Result<Option<()>, Error> {
    let filled = read_most(stored, buffer)?;
    Ok((filled == buffer.len()).then_some(()))
}

/// Fills the buffer as far as the input goes.
fn read_most(stored: &mut Stored, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut filled = 0;
    while filled < buffer.len() {
        match stored.read(&mut buffer[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

struct Source {
    stored: Stored,
    array: Described,
    /// The number of the next record.
    next: u64,
    dropped: u64,
}

impl BatchSource for Source {
    fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let row_bytes = self.array.row_bytes();
        let left = usize::try_from(self.array.rows - self.next).unwrap_or(usize::MAX);
        let rows = left
            .min(BATCH_ROWS)
            .min((BATCH_BYTES / row_bytes.max(1)).max(1));
        if rows == 0 {
            let mut more = [0];
            return match read_most(&mut self.stored, &mut more)? {
                0 => Ok(None),
                _ => Err(self
                    .stored
                    .damaged("more follows the NumPy array: save each array in a file of its own")),
            };
        }
        buffer.resize(rows * row_bytes, 0);
        let filled = read_most(&mut self.stored, &mut buffer)?;
        let whole = filled / row_bytes.max(1);
        if whole == 0 {
            self.dropped += filled as u64;
            let left = self.array.rows - self.next;
            // Reported once: the next call finds the end.
            self.next = self.array.rows;
            return Err(self.stored.damaged(&format!(
                "the NumPy array is cut short: {left} of its {} records are missing",
                self.array.rows
            )));
        }
        let chunk = self.chunk(&buffer[..whole * row_bytes])?;
        let first_row = self.next;
        self.next += whole as u64;
        if whole < rows {
            self.dropped = (filled - whole * row_bytes) as u64;
        }
        Ok(Some(Batch {
            first_row,
            rows: whole,
            payload: Payload::Columns(chunk),
        }))
    }

    fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl Source {
    fn chunk(&self, bytes: &[u8]) -> Result<ColumnChunk, ArrowError> {
        let mut unreadable = Vec::new();
        let records = bytes.chunks_exact(self.array.row_bytes()).enumerate();
        let texts = records.map(|(row, record)| match self.array.text(record) {
            Ok(text) => Some(text),
            Err((shown, reason)) => {
                unreadable.push((row, reason));
                Some(shown)
            }
        });
        let texts: ArrayRef = Arc::new(texts.collect::<StringArray>());
        Ok(ColumnChunk {
            columns: RecordBatch::try_from_iter_with_nullable([("puzzle", texts, true)])?,
            unreadable,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(descr: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n")
    }

    #[test]
    fn shapes_are_grids_or_refused() {
        for (descr, shape, expected) in [
            ("<i8", "(1000, 81)", Some((1000, 81))),
            ("|u1", "(3, 9, 9)", Some((3, 81))),
            (">i2", "(81,)", Some((1, 81))),
            ("<i4", "(9, 9)", Some((1, 81))),
            ("<f8", "(2, 16, 16)", Some((2, 256))),
            ("<U81", "(7,)", Some((7, 1))),
            ("|S1", "(7, 81)", Some((7, 81))),
            ("<i8", "(0, 81)", Some((0, 81))),
            ("<i8", "(3, 80)", None),
            ("<i8", "(3, 9, 8)", None),
            ("<i8", "()", None),
            ("<c16", "(3, 81)", None),
            ("|b1", "(3, 81)", None),
            ("<U9999999999", "(3,)", None),
        ] {
            let reported = Described::of(&head(descr, shape));
            let reported = reported.ok().map(|array| (array.rows, array.items));
            assert_eq!(reported, expected, "{descr} {shape}");
        }
        let fortran = head("<i8", "(3, 81)").replace("False", "True");
        assert!(
            Described::of(&fortran)
                .err()
                .unwrap()
                .contains("ascontiguousarray")
        );
        assert!(Described::of("").is_err());
    }

    #[test]
    fn items_of_every_width_are_numbers() {
        for (descr, bytes, expected) in [
            ("|i1", &[0xff][..], -1.0),
            ("|u1", &[0xff], 255.0),
            ("<i2", &[7, 0], 7.0),
            (">i2", &[0, 7], 7.0),
            ("<i4", &[0xfe, 0xff, 0xff, 0xff], -2.0),
            (">u8", &[0, 0, 0, 0, 0, 0, 0, 9], 9.0),
            ("<f4", &[0, 0, 0x80, 0x3f], 1.0),
            (">f8", &[0x40, 0, 0, 0, 0, 0, 0, 0], 2.0),
        ] {
            let array = Described::of(&head(descr, "(81,)")).unwrap();
            assert_eq!(array.number(bytes), expected, "{descr}");
        }
        let wide = Described::of(&head(">U2", "(1,)")).unwrap();
        assert_eq!(wide.characters(&[0, 0, 0, b'5', 0, 0, 0, 0]), "5");
    }

    #[test]
    fn numbers_that_are_no_cells_are_told_with_their_place() {
        let mut numbers = vec![0.0; 81];
        numbers[3] = 9.0;
        assert_eq!(grid(&numbers).unwrap(), format!("...9{}", ".".repeat(77)));
        for wrong in [10.0, -1.0, 1.5, f64::NAN] {
            numbers[5] = wrong;
            let reported = grid(&numbers).unwrap_err();
            assert_eq!(
                reported,
                format!("{wrong} at position 6 is not between 0 and 9")
            );
        }
    }
}
