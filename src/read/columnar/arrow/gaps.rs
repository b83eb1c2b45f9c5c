//! Searches an Arrow file for record batches that its footer does not list.
//!
//! ```text
//! ARROW1 0 0 │ schema │ batch │ batch │ gap │ batch │ end mark │ footer
//! ```
//!
//! Some writers leave unused space between messages, so a gap alone is not damage. A record batch in a gap is
//! damage, because its rows would be lost silently.

use arrow::ipc::{MessageHeader, root_as_message};

use super::messages::{CONTINUATION, LONGEST_HEAD, MAGIC, SourceName};
use crate::error::Error;

/// The lowest position that a message in a file can have.
const FIRST_MESSAGE: u64 = 8;

/// The number of bytes that are read at a time.
const STEP_BYTES: u64 = 1 << 20;

/// The error about the first gap that contains data. `message_spans` are the starts and ends of the listed messages in
/// ascending order, `footer` is the position of the footer, and `read(start, length)` reads bytes of the file.
///
/// # Errors
/// The file cannot be read.
pub(super) fn find_unlisted_data(
    name: &SourceName,
    message_spans: &[(u64, u64)],
    footer: u64,
    read: impl Fn(u64, u64) -> Result<Vec<u8>, Error>,
) -> Result<Option<Error>, Error> {
    let gap_ends = message_spans
        .iter()
        .map(|(start, _)| *start)
        .chain([footer]);
    let gap_starts = [FIRST_MESSAGE]
        .into_iter()
        .chain(message_spans.iter().map(|(_, end)| *end));
    for (gap_start, gap_end) in gap_starts
        .zip(gap_ends)
        .filter(|(gap_start, gap_end)| gap_start < gap_end)
    {
        let found_data = match find_message(gap_start, gap_end, &read)? {
            Some(at) => Some((
                at,
                "a record batch or dictionary that its footer does not name",
            )),
            None => find_magic(gap_start, gap_end, &read)?.map(|at| (at, "another Arrow file")),
        };
        if let Some((at, what)) = found_data {
            return Ok(Some(name.damaged(at, format!("it holds {what}"))));
        }
    }
    Ok(None)
}

/// The position of the first record batch or dictionary in a gap between messages. Schemas are skipped.
fn find_message(
    gap_start: u64,
    gap_end: u64,
    read: impl Fn(u64, u64) -> Result<Vec<u8>, Error>,
) -> Result<Option<u64>, Error> {
    let mut offset = gap_start;
    while offset + 8 <= gap_end {
        let prefix = read(offset, 8)?;
        let (Some(first), Some(second)) = (prefix.get(..4), prefix.get(4..8)) else {
            return Ok(None);
        };
        let (prefix_length, length) = if first == CONTINUATION {
            (8, second)
        } else {
            (4, first)
        };
        let length = <[u8; 4]>::try_from(length).map_or(0, u32::from_le_bytes);
        let length = u64::from(length);
        let message_end = offset + prefix_length + length;
        if length == 0 && prefix_length == 4 {
            // A length of 0 without a continuation marker is padding.
            offset += 8;
            continue;
        }
        if length == 0 || length > LONGEST_HEAD || message_end > gap_end {
            return Ok(None);
        }
        let description = read(offset + prefix_length, length)?;
        let Ok(message) = root_as_message(&description) else {
            return Ok(None);
        };
        match message.header_type() {
            MessageHeader::RecordBatch | MessageHeader::DictionaryBatch => return Ok(Some(offset)),
            MessageHeader::Schema => offset = message_end,
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The position in a gap at which magic bytes show that another Arrow file starts; `None` if there are none.
fn find_magic(
    gap_start: u64,
    gap_end: u64,
    read: impl Fn(u64, u64) -> Result<Vec<u8>, Error>,
) -> Result<Option<u64>, Error> {
    let mut offset = gap_start;
    while offset + MAGIC.len() as u64 <= gap_end {
        let bytes = read(offset, STEP_BYTES.min(gap_end - offset))?;
        if let Some(found) = memchr::memmem::find(&bytes, MAGIC) {
            return Ok(Some(offset + found as u64));
        }
        // The steps overlap, because the magic bytes may lie across the boundary of two steps.
        offset += (bytes.len() as u64)
            .saturating_sub(MAGIC.len() as u64 - 1)
            .max(1);
    }
    Ok(None)
}
