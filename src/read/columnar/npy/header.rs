//! The header of a `.npy` file: the type of its items and the shape of the array.

use super::layouts::{self, Layout, RecordForm};
use crate::error::Error;
use crate::read::bytes::stored::InputBytes;
use crate::read::grids::NumberSymbols;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The maximum length of a header in bytes.
const LONGEST_HEAD: usize = 64 * 1024;

/// The maximum size of one record of an array in bytes.
pub(super) const LONGEST_ROW: usize = 1 << 20;

/// Whether a file with these first bytes is a `.npy` file.
pub(super) fn is_npy(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The type of the items in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemType {
    Signed,
    Unsigned,
    Float,
    /// Text with one byte per character.
    Bytes,
    /// Text with four bytes per character (UTF-32).
    Unicode,
}

/// The parsed header of an array that can hold grids.
#[derive(Clone)]
pub(super) struct NpyHeader {
    pub(super) descr: String,
    pub(super) item: ItemType,
    /// The size of an item in bytes.
    pub(super) size: usize,
    pub(super) big_endian: bool,
    pub(super) shape: Vec<u64>,
    /// The number of records, each of which is a grid or a pair of grids.
    pub(super) rows: u64,
    /// The number of items in a record.
    pub(super) item_count: usize,
    pub(super) form: RecordForm,
    /// The layouts that the shape allows. The first bytes of the data decide.
    pub(super) layouts: Vec<Layout>,
    /// The numbers that stand for empty cells and for digits.
    pub(super) symbols: NumberSymbols,
}

/// The parsed header of any array, even one that cannot hold grids.
#[derive(Clone)]
pub(super) struct ArrayHead {
    /// The type code of the items, such as `<i8`. For a structured type, the list of its fields.
    pub(super) descr: String,
    /// Whether the array is in Fortran order, where the first index varies fastest.
    pub(super) is_fortran: bool,
    pub(super) shape: Vec<u64>,
    /// The number of bytes before the data.
    pub(super) bytes: u64,
}

impl ArrayHead {
    pub(super) fn read(
        source_name: &str,
        input_bytes: &mut InputBytes,
    ) -> Result<ArrayHead, Error> {
        let unknown_format = |what: String| Error::UnknownFormat {
            source_name: source_name.to_owned(),
            what,
        };
        let cut_short =
            || unknown_format("the description of the NumPy array is cut short".to_owned());
        let mut magic_and_version = [0; 8];
        read_whole(input_bytes, &mut magic_and_version)?.ok_or_else(cut_short)?;
        if !is_npy(&magic_and_version) {
            return Err(unknown_format(
                "this is not a NumPy array: it does not start with 93 NUMPY".to_owned(),
            ));
        }
        let (length, bytes_before) = match magic_and_version[6] {
            1 => {
                let mut length = [0; 2];
                read_whole(input_bytes, &mut length)?.ok_or_else(cut_short)?;
                (usize::from(u16::from_le_bytes(length)), 10)
            }
            _ => {
                let mut length = [0; 4];
                read_whole(input_bytes, &mut length)?.ok_or_else(cut_short)?;
                (u32::from_le_bytes(length) as usize, 12)
            }
        };
        if length > LONGEST_HEAD {
            return Err(unknown_format(format!(
                "the description of the NumPy array has {length} bytes"
            )));
        }
        let mut description = vec![0; length];
        read_whole(input_bytes, &mut description)?.ok_or_else(cut_short)?;
        let head = ArrayHead::parse(&String::from_utf8_lossy(&description));
        Ok(ArrayHead {
            bytes: (bytes_before + length) as u64,
            ..head.map_err(unknown_format)?
        })
    }

    /// Parses the header, which is a Python dictionary. The error is a message.
    pub(super) fn parse(head: &str) -> Result<ArrayHead, String> {
        // Python allows single and double quotes. Single quotes replace the double ones, so that only one kind is left
        // to parse.
        let description = &head.replace('"', "'");
        let value_of = |key: &str| {
            let (_, rest) = description.split_once(&format!("'{key}'"))?;
            Some(rest.trim_start().strip_prefix(':')?.trim_start())
        };
        let missing_entry = || "the description of the NumPy array is damaged".to_owned();
        let descr = value_of("descr").ok_or_else(missing_entry)?;
        let descr = match descr.strip_prefix('\'') {
            Some(code) => code.split_once('\'').ok_or_else(missing_entry)?.0,
            None if descr.starts_with('[') => "[…]",
            None => return Err(missing_entry()),
        };
        let is_fortran = value_of("fortran_order")
            .ok_or_else(missing_entry)?
            .starts_with("True");
        let shape = value_of("shape").and_then(|rest| rest.strip_prefix('('));
        let (shape, _) = shape
            .and_then(|rest| rest.split_once(')'))
            .ok_or_else(missing_entry)?;
        let axes = shape
            .split(',')
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let shape: Vec<u64> = axes
            .map(|number| {
                number
                    .trim_end_matches('L')
                    .parse()
                    .map_err(|_| missing_entry())
            })
            .collect::<Result<_, _>>()?;
        Ok(ArrayHead {
            descr: descr.to_owned(),
            is_fortran,
            shape,
            bytes: 0,
        })
    }

    /// The type of the items, and their size in bytes. The error is the reason why the items cannot be read one after
    /// the other.
    pub(super) fn items(&self) -> Result<(ItemType, usize), String> {
        if self.descr.starts_with('[') {
            return Err("the NumPy array has several fields: save one of them alone".to_owned());
        }
        if self.descr.ends_with('O') {
            return Err(
                "the NumPy array holds Python objects, which are a pickle and never executed: save it as \
                 numpy.array(array.tolist(), dtype=numpy.int8)"
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

    /// The shape in Python's notation.
    pub(super) fn shape_text(&self) -> String {
        shape_text(&self.shape)
    }
}

/// A shape in Python's notation.
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
    /// Parses the header of an array of grids. The error is the reason why the array cannot hold grids.
    #[cfg(test)]
    pub(super) fn parse(head: &str) -> Result<NpyHeader, String> {
        NpyHeader::from_grids(ArrayHead::parse(head)?)
    }

    /// Checks that an array can hold grids. The error is the reason why it cannot.
    pub(super) fn from_grids(head: ArrayHead) -> Result<NpyHeader, String> {
        let (item, size) = head.items()?;
        let is_text = matches!(item, ItemType::Bytes | ItemType::Unicode);
        let is_boolean = head.descr.ends_with("b1");
        let mut layouts = layouts::layouts(&head.shape, is_text);
        if is_boolean {
            let is_one_hot = |layout: &Layout| matches!(layout.form, RecordForm::OneHot(_));
            if !layouts.is_empty() && !layouts.iter().any(is_one_hot) {
                return Err("a NumPy array of booleans holds no digits: save it as int8".to_owned());
            }
            layouts.retain(is_one_hot);
        }
        let Some(&Layout { rows, items, form }) = layouts.first() else {
            if layouts::may_count_last(&head.shape) {
                return Err(format!(
                    "the NumPy array has the shape {}, whose last axis may count the grids: save \
                     numpy.moveaxis(array, -1, 0)",
                    head.shape_text()
                ));
            }
            return Err(format!(
                "the NumPy array has the shape {}; grids are read from (n, 81) and (n, 9, 9), one-hot digits from \
                 (n, 9, 9, 9), (n, 9, 9, 10), (n, 10, 9, 9), (n, 81, 9), (n, 729) and the like, pairs of a puzzle and \
                 its solution from (n, 2, 81), steps of solutions from (n, 325), and likewise of the other sizes",
                head.shape_text()
            ));
        };
        let items = layouts
            .iter()
            .map(|layout| layout.items)
            .max()
            .unwrap_or(items);
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
            item_count: layouts[0].items,
            form,
            layouts,
            symbols: 0.into(),
        })
    }

    /// Learns from the first bytes of the array's data how records form grids, and which numbers stand for empty cells
    /// and for digits, unless `offset` says it. The error is the reason why that is ambiguous.
    pub(super) fn learn(&mut self, bytes: &[u8], offset: Option<i16>) -> Result<(), String> {
        self.choose_layout(bytes)?;
        let whole = bytes.len() / self.row_bytes().max(1) * self.row_bytes();
        let inferred = || self.inferred_symbols(&bytes[..whole]);
        self.symbols = offset.map_or_else(inferred, NumberSymbols::from);
        Ok(())
    }

    pub(super) fn set_layout(&mut self, layout: Layout) {
        (self.rows, self.item_count, self.form) = (layout.rows, layout.items, layout.form);
    }

    /// Whether the first axis counts the records. If not, the whole array is a single grid.
    pub(super) fn is_list(&self) -> bool {
        self.shape.first() == Some(&self.rows)
    }

    /// The size of a record in bytes.
    pub(super) fn row_bytes(&self) -> usize {
        self.item_count * self.size
    }
}

/// The type of the items, and their size in bytes, for a type code such as `<i8`; `None` for an unsupported code.
fn item(descr: &str) -> Option<(ItemType, usize)> {
    let type_code = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let kind = type_code.chars().next()?;
    let size: usize = type_code.get(1..)?.parse().ok()?;
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

/// Fills the buffer; `None` if the input ends before the buffer is full.
fn read_whole(input_bytes: &mut InputBytes, buffer: &mut [u8]) -> Result<Option<()>, Error> {
    let filled_bytes = read_most(input_bytes, buffer)?;
    Ok((filled_bytes == buffer.len()).then_some(()))
}

/// Fills the buffer, or only its start if the input ends. Returns the number of bytes that were read.
pub(super) fn read_most(input_bytes: &mut InputBytes, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut filled_bytes = 0;
    while filled_bytes < buffer.len() {
        match input_bytes.read(&mut buffer[filled_bytes..])? {
            0 => break,
            read => filled_bytes += read,
        }
    }
    Ok(filled_bytes)
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
            ("<f4", "(3, 10, 9, 9)", Some((3, 810))),
            ("<f4", "(3, 1, 9, 9)", Some((3, 81))),
            ("<f4", "(3, 729)", Some((3, 729))),
            ("|b1", "(9, 9, 9)", Some((1, 729))),
            ("<i8", "(3, 325)", Some((3, 325))),
            ("<i8", "(3, 243)", None),
            ("<U9999999999", "(3,)", None),
            ("|i1", "(16, 16)", Some((1, 256))),
            ("|i1", "(4, 16)", Some((4, 16))),
        ] {
            let parsed = NpyHeader::parse(&head(descr, shape));
            let parsed = parsed.ok().map(|array| (array.rows, array.item_count));
            assert_eq!(parsed, expected, "{descr} {shape}");
        }
        let objects = NpyHeader::parse(&head("|O", "(3, 81)"));
        assert!(objects.err().unwrap().contains("never executed"));
        assert!(NpyHeader::parse("").is_err());
        let quoted = head("<i8", "(3, 81)")
            .replace('\'', "\"")
            .replace(':', " : ");
        assert_eq!(NpyHeader::parse(&quoted).unwrap().rows, 3);
    }
}
