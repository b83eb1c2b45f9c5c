//! Corrects Arrow messages in which a buffer does not end at the end of an item.
//!
//! The format does not forbid excess bytes after the last item, and other readers ignore them. The decoder
//! splits the whole buffer into items, and panics if the last item is incomplete. Each buffer is therefore
//! extended into the padding or the next buffer of the message, which does not change its items.

use arrow::ipc::root_as_message;

use super::messages::IpcMessage;

/// A buffer is extended to a multiple of 16 bytes, or only of 8 bytes if the message is too short for that.
const ALIGNMENTS: [usize; 2] = [16, 8];

/// A message states the position and the length of each buffer. Both together have this size in bytes.
const ENTRY_BYTES: usize = 16;

/// Whether this panic of the decoder was caused by a buffer that ends within an item.
pub(super) fn is_partial_item_panic(panic: &str) -> bool {
    panic.contains("prefix.is_empty() && suffix.is_empty()")
}

/// The message with extended buffers; `None` if no buffer has to be extended.
pub(super) fn with_whole_items(message: &IpcMessage) -> Option<IpcMessage> {
    let parsed = root_as_message(&message.head).ok()?;
    let batch = parsed.header_as_record_batch().or_else(|| {
        let dictionary = parsed.header_as_dictionary_batch()?;
        dictionary.data()
    })?;
    // A compressed buffer states its decompressed size, which does not depend on the length of the buffer.
    if batch.compression().is_some() {
        return None;
    }
    let entries = batch.buffers()?.bytes();
    let entries_offset = (entries.as_ptr() as usize).checked_sub(message.head.as_ptr() as usize)?;
    let mut fixed_head = message.head.clone();
    let mut is_changed = false;
    for entry in fixed_head
        .get_mut(entries_offset..entries_offset + entries.len())?
        .chunks_exact_mut(ENTRY_BYTES)
    {
        let read_number = |at: usize| {
            let bytes = entry.get(at..)?.first_chunk()?;
            usize::try_from(i64::from_le_bytes(*bytes)).ok()
        };
        let (position, length) = (read_number(0)?, read_number(8)?);
        let longer_sizes = ALIGNMENTS
            .iter()
            .map(|size| length.checked_next_multiple_of(*size));
        let mut fitting_size = longer_sizes
            .flatten()
            .filter(|longer| position.saturating_add(*longer) <= message.body.len());
        if let Some(longer) = fitting_size.next().filter(|longer| *longer > length) {
            entry[8..].copy_from_slice(&i64::try_from(longer).ok()?.to_le_bytes());
            is_changed = true;
        }
    }
    is_changed.then(|| IpcMessage {
        head: fixed_head,
        byte_offset: message.byte_offset,
        body: message.body.clone(),
        footer_kind: message.footer_kind,
    })
}
