//! Reads buffers whose length is not a multiple of their items' size.
//!
//! The format only requires the bytes of the items, and other readers ignore excess bytes. The decoder splits
//! the whole buffer into items, and panics if the last one is incomplete. Each buffer is therefore extended
//! into the padding or the next buffer of the message, which leaves its items unchanged.

use arrow::ipc::root_as_message;

use super::messages::IpcMessage;

/// Buffers are lengthened to a multiple of the first of these sizes for which the message has enough bytes.
const SIZES: [usize; 2] = [16, 8];

/// A buffer in a message: its position and its length.
const ENTRY: usize = 16;

/// Whether a decoder has panicked because of the length of a buffer.
pub(super) fn is_cause(panic: &str) -> bool {
    panic.contains("prefix.is_empty() && suffix.is_empty()")
}

/// The message with longer buffers; `None` if there is nothing to change.
pub(super) fn with_whole_items(message: &IpcMessage) -> Option<IpcMessage> {
    let parsed = root_as_message(&message.head).ok()?;
    let batch = parsed.header_as_record_batch().or_else(|| {
        let dictionary = parsed.header_as_dictionary_batch()?;
        dictionary.data()
    })?;
    // The first byte of a compressed buffer says its size, which its length does not.
    if batch.compression().is_some() {
        return None;
    }
    let entries = batch.buffers()?.bytes();
    let entries_offset = (entries.as_ptr() as usize).checked_sub(message.head.as_ptr() as usize)?;
    let mut fixed_head = message.head.clone();
    let mut is_changed = false;
    for entry in fixed_head
        .get_mut(entries_offset..entries_offset + entries.len())?
        .chunks_exact_mut(ENTRY)
    {
        let number = |at: usize| {
            let bytes = entry.get(at..)?.first_chunk()?;
            usize::try_from(i64::from_le_bytes(*bytes)).ok()
        };
        let (position, length) = (number(0)?, number(8)?);
        let longer_sizes = SIZES
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
        named_as: message.named_as,
    })
}
