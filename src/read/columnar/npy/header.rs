//! The header of a `.npy` file: the type of its items and the shape of the array.

use crate::error::Error;
use crate::read::bytes::stored::InputBytes;

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
