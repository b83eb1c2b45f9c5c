//! The header of a `.npy` file: the type of its items and the shape of the array.

use crate::error::Error;
use crate::read::bytes::stored::Stored;
use sudoku_core::sizes::Size;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header in bytes.
const LONGEST_HEAD: usize = 64 * 1024;

/// The longest record in bytes.
pub(super) const LONGEST_ROW: usize = 1 << 20;

/// Whether these are the first bytes of a `.npy` file.
pub(crate) fn is_npy(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The type of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemType {
    Signed,
    Unsigned,
    Float,
    /// Text of one byte a character.
    Bytes,
    /// Text of four bytes a character.
    Unicode,
}

/// How the items of a record are a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordForm {
    /// An item for each cell, or one text.
    Grid,
    /// A puzzle, and its solution.
    Pair,
    /// For each cell as many items as there are digits, or one more for an empty cell, which comes
    /// first: 1 for the digit of the cell, and 0 for the others.
    OneHot(usize),
}

/// The parsed header.
#[derive(Clone)]
pub(super) struct NpyHeader {
    pub(super) descr: String,
    pub(super) item: ItemType,
    /// The size of an item in bytes.
    pub(super) size: usize,
    pub(super) big_endian: bool,
    pub(super) shape: Vec<u64>,
    /// The number of records.
    pub(super) rows: u64,
    /// The number of items of a record.
    pub(super) items: usize,
    pub(super) form: RecordForm,
}

/// The header of any array, also of one that cannot hold grids.
#[derive(Clone)]
pub(super) struct ArrayHead {
    /// The code of the type, or the list of the fields.
    pub(super) descr: String,
    /// Whether the first index varies fastest.
    pub(super) is_fortran: bool,
    pub(super) shape: Vec<u64>,
}

impl ArrayHead {
    pub(super) fn read(source_name: &str, stored: &mut Stored) -> Result<ArrayHead, Error> {
        let unknown = |what: String| Error::UnknownFormat {
            source_name: source_name.to_owned(),
            what,
        };
        let short = || unknown("the description of the NumPy array is cut short".to_owned());
        let mut start = [0; 8];
        read_whole(stored, &mut start)?.ok_or_else(short)?;
        if !is_npy(&start) {
            return Err(unknown(
                "this is not a NumPy array: it does not start with 93 NUMPY".to_owned(),
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
        ArrayHead::parse(&String::from_utf8_lossy(&head)).map_err(unknown)
    }

    /// The array that this Python dictionary describes.
    pub(super) fn parse(head: &str) -> Result<ArrayHead, String> {
        // Python reads both quotes.
        let head = &head.replace('"', "'");
        let value = |key: &str| {
            let (_, rest) = head.split_once(&format!("'{key}'"))?;
            Some(rest.trim_start().strip_prefix(':')?.trim_start())
        };
        let missing = || "the description of the NumPy array is damaged".to_owned();
        let descr = value("descr").ok_or_else(missing)?;
        let descr = match descr.strip_prefix('\'') {
            Some(code) => code.split_once('\'').ok_or_else(missing)?.0,
            None if descr.starts_with('[') => "[…]",
            None => return Err(missing()),
        };
        let is_fortran = value("fortran_order")
            .ok_or_else(missing)?
            .starts_with("True");
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
        Ok(ArrayHead {
            descr: descr.to_owned(),
            is_fortran,
            shape,
        })
    }

    /// The type and the size of its items, or the reason why its items cannot be read one after
    /// the other.
    pub(super) fn items(&self) -> Result<(ItemType, usize), String> {
        if self.descr.starts_with('[') {
            return Err("the NumPy array has several fields: save one of them alone".to_owned());
        }
        // An array of one axis is in both orders.
        if self.is_fortran && self.shape.len() > 1 {
            return Err(
                "the NumPy array is in Fortran order: save numpy.ascontiguousarray of it"
                    .to_owned(),
            );
        }
        item(&self.descr).ok_or_else(|| {
            format!(
                "a NumPy array of {:?} is not read: save it as int8 or another integer type, or as \
                 text",
                self.descr
            )
        })
    }

    /// The shape, as Python writes it.
    pub(super) fn shape_text(&self) -> String {
        shape_text(&self.shape)
    }
}

/// A shape, as Python writes it.
pub(super) fn shape_text(shape: &[u64]) -> String {
    match shape {
        [count] => format!("({count},)"),
        axes => {
            let axes: Vec<String> = axes.iter().map(ToString::to_string).collect();
            format!("({})", axes.join(", "))
        }
    }
}

impl NpyHeader {
    pub(super) fn read(source_name: &str, stored: &mut Stored) -> Result<NpyHeader, Error> {
        let head = ArrayHead::read(source_name, stored)?;
        NpyHeader::from_grids(head).map_err(|what| Error::UnknownFormat {
            source_name: source_name.to_owned(),
            what,
        })
    }

    /// The array of grids that this Python dictionary describes, or the reason why it is none.
    #[cfg(test)]
    pub(super) fn parse(head: &str) -> Result<NpyHeader, String> {
        NpyHeader::from_grids(ArrayHead::parse(head)?)
    }

    /// The header of an array of grids, or the reason why the array has no grids.
    pub(super) fn from_grids(head: ArrayHead) -> Result<NpyHeader, String> {
        let (item, size) = head.items()?;
        let is_text = matches!(item, ItemType::Bytes | ItemType::Unicode);
        let (rows, items, form) = records(&head.shape, is_text).ok_or_else(|| {
            format!(
                "the NumPy array has the shape {}; grids are read from (n, 81) and (n, 9, 9), with a \
                 last axis of 9 or 10 for one-hot digits, pairs of a puzzle and its solution from (n, 2, \
                 81), and likewise of the other sizes",
                head.shape_text()
            )
        })?;
        let is_boolean = head.descr.ends_with("b1");
        if is_boolean && !matches!(form, RecordForm::OneHot(_)) {
            return Err("a NumPy array of booleans holds no digits: save it as int8".to_owned());
        }
        if items.saturating_mul(size) > LONGEST_ROW {
            return Err(format!(
                "a record of the NumPy array has {} bytes, and none may have more than {LONGEST_ROW}",
                items.saturating_mul(size)
            ));
        }
        Ok(NpyHeader {
            item,
            size,
            big_endian: head.descr.starts_with('>'),
            descr: head.descr,
            shape: head.shape,
            rows,
            items,
            form,
        })
    }

    /// Whether its records are along the first axis, and not all of it is a single grid.
    pub(super) fn is_list(&self) -> bool {
        self.shape.first() == Some(&self.rows)
    }

    /// Bytes of a record.
    pub(super) fn row_bytes(&self) -> usize {
        self.items * self.size
    }
}

/// The item type and size that a code such as `<i8` stands for.
fn item(descr: &str) -> Option<(ItemType, usize)> {
    let rest = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let kind = rest.chars().next()?;
    let size: usize = rest.get(1..)?.parse().ok()?;
    match (kind, size) {
        ('i', 1 | 2 | 4 | 8) => Some((ItemType::Signed, size)),
        ('b', 1) => Some((ItemType::Unsigned, 1)),
        ('u', 1 | 2 | 4 | 8) => Some((ItemType::Unsigned, size)),
        ('f', 2 | 4 | 8) => Some((ItemType::Float, size)),
        ('S' | 'a', 1..) => Some((ItemType::Bytes, size)),
        ('U', 1..) => Some((ItemType::Unicode, size.checked_mul(4)?)),
        _ => None,
    }
}

/// The number of records in an array of this shape, the number of items in each, and how they are a
/// grid.
fn records(shape: &[u64], is_text: bool) -> Option<(u64, usize, RecordForm)> {
    let size = |number: u64| usize::try_from(number).ok();
    let is_side = |number: u64| size(number).is_some_and(|number| Size::ORDERS.contains(&number));
    let cells = |number: u64| {
        let number = size(number)?;
        Size::ORDERS
            .iter()
            .any(|side| side * side == number)
            .then_some(number)
    };
    let classes = |side: u64, count: u64| count == side || count == side + 1;
    let side_of = |number: u64| cells(number).map(|number| number.isqrt() as u64);
    let grid = |rows, items| Some((rows, items, RecordForm::Grid));
    let pair = |rows, items| Some((rows, 2 * items, RecordForm::Pair));
    let one_hot = |rows, items: usize, count| {
        let count = size(count)?;
        Some((rows, items * count, RecordForm::OneHot(count)))
    };
    match *shape {
        [rows] if is_text => grid(rows, 1),
        [rows, 2] if is_text => pair(rows, 1),
        // Also a single grid: (16, 16) could be 16 grids of 4 × 4 too, which nobody stores.
        [side, other] if side == other && is_side(side) => grid(1, size(side * side)?),
        [rows, count] if cells(count).is_some() => grid(rows, cells(count)?),
        [rows, side, other] if side == other && is_side(side) => grid(rows, size(side * side)?),
        [rows, 2, count] if cells(count).is_some() => pair(rows, cells(count)?),
        // Channels of one number, as for neural networks.
        [rows, count, 1] if cells(count).is_some() => grid(rows, cells(count)?),
        [rows, side, other, 1] if side == other && is_side(side) => grid(rows, size(side * side)?),
        _ if is_text => None,
        [rows, 2, side, other] if side == other && is_side(side) => pair(rows, size(side * side)?),
        [rows, count, last] if side_of(count).is_some_and(|side| classes(side, last)) => {
            one_hot(rows, cells(count)?, last)
        }
        [rows, side, other, last] if side == other && is_side(side) && classes(side, last) => {
            one_hot(rows, size(side * side)?, last)
        }
        // A single grid.
        [side, other, last] if side == other && is_side(side) && classes(side, last) => {
            one_hot(1, size(side * side)?, last)
        }
        [count] => grid(1, cells(count)?),
        _ => None,
    }
}

/// Fills the buffer; `None` if the input ends before.
fn read_whole(stored: &mut Stored, buffer: &mut [u8]) -> Result<Option<()>, Error> {
    let filled = read_most(stored, buffer)?;
    Ok((filled == buffer.len()).then_some(()))
}

/// Fills the buffer, or as much of it as the input has bytes for. Returns the number of bytes.
pub(super) fn read_most(stored: &mut Stored, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut filled = 0;
    while filled < buffer.len() {
        match stored.read(&mut buffer[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
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
            ("|b1", "(3, 81, 9)", Some((3, 729))),
            ("<f4", "(3, 9, 9, 10)", Some((3, 810))),
            ("<f4", "(3, 9, 9, 9)", Some((3, 729))),
            ("<f4", "(9, 9, 10)", Some((1, 810))),
            ("<f4", "(3, 9, 9, 1)", Some((3, 81))),
            ("|i1", "(5, 2, 81)", Some((5, 162))),
            ("|i1", "(5, 2, 9, 9)", Some((5, 162))),
            ("<U81", "(5, 2)", Some((5, 2))),
            ("|i1", "(5, 3, 81)", None),
            ("<U9999999999", "(3,)", None),
            ("|i1", "(16, 16)", Some((1, 256))),
            ("|i1", "(4, 16)", Some((4, 16))),
        ] {
            let reported = NpyHeader::parse(&head(descr, shape));
            let reported = reported.ok().map(|array| (array.rows, array.items));
            assert_eq!(reported, expected, "{descr} {shape}");
        }
        let fortran = head("<i8", "(3, 81)").replace("False", "True");
        assert!(
            NpyHeader::parse(&fortran)
                .err()
                .unwrap()
                .contains("ascontiguousarray")
        );
        assert!(NpyHeader::parse("").is_err());
        let quoted = head("<i8", "(3, 81)")
            .replace('\'', "\"")
            .replace(':', " : ");
        assert_eq!(NpyHeader::parse(&quoted).unwrap().rows, 3);
    }
}
