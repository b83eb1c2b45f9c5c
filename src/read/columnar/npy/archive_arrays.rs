//! The arrays of an archive: their names, their headers, and how they are opened.

use super::fortran::in_c_order;
use super::grid_array::GridArray;
use super::header::ArrayHead;
use crate::error::Error;
use crate::read::bytes::stored::InputBytes;
use crate::read::bytes::zip::{DirectoryEntry, NamedEntry};
use crate::store::RandomAccess;

/// The maximum number of arrays that a message lists.
const MOST_NAMES: usize = 8;

/// An array in the archive, with its name and its parsed header.
pub(super) struct NamedArray {
    pub(super) name: String,
    pub(super) head: ArrayHead,
    /// The header, if the array can hold grids; otherwise the reason why it cannot.
    pub(super) grids: Result<GridArray, String>,
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
    pub(super) file: &'a RandomAccess,
    pub(super) entries: &'a [DirectoryEntry],
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
    pub(super) fn open(&self, at: usize) -> Result<(InputBytes, u64), Error> {
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
}
