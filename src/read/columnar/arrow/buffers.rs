//! Checks the buffer sizes that a record batch states against the size of its message.

use arrow::ipc::{CompressionType, RecordBatch};

/// The size in bytes of the prefix of a compressed buffer. The prefix states the decompressed length, or -1 if the
/// bytes after it are not compressed.
const PREFIX_BYTES: usize = 8;

/// The maximum total size in bytes of a record batch's buffers after decompression.
///
/// # Errors
/// A buffer lies outside of the message body, or its stated size is impossible.
pub(super) fn decompressed_size(batch: RecordBatch<'_>, body: &[u8]) -> Result<u64, &'static str> {
    let codec = batch.compression().map(|compression| compression.codec());
    let mut total: u64 = 0;
    for buffer in batch.buffers().into_iter().flatten() {
        let bytes = buffer_bytes(body, buffer.offset(), buffer.length())
            .ok_or("a buffer lies outside of its message")?;
        let size = match codec {
            None => bytes.len() as u64,
            Some(codec) => decompressed_buffer_size(codec, bytes)?,
        };
        total = total.saturating_add(size);
    }
    Ok(total)
}

fn buffer_bytes(body: &[u8], start: i64, length: i64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    let length = usize::try_from(length).ok()?;
    body.get(start..start.checked_add(length)?)
}

fn decompressed_buffer_size(codec: CompressionType, bytes: &[u8]) -> Result<u64, &'static str> {
    if bytes.is_empty() {
        return Ok(0);
    }
    let (prefix, data) = bytes
        .split_first_chunk::<PREFIX_BYTES>()
        .ok_or("a compressed buffer has no length")?;
    let stated_length = match i64::from_le_bytes(*prefix) {
        -1 => return Ok(data.len() as u64),
        0 => return Ok(0),
        stated => u64::try_from(stated).map_err(|_| "a compressed buffer has no length")?,
    };
    match codec {
        // The zstd decoder stops at the stated length, so it cannot produce more bytes.
        CompressionType::ZSTD => Ok(stated_length),
        CompressionType::LZ4_FRAME => {
            let most_bytes = lz4_max_size(data).ok_or("a compressed buffer is not an LZ4 frame")?;
            Ok(stated_length.max(most_bytes))
        }
        _ => Err("the buffers are compressed in an unknown way"),
    }
}

/// The maximum number of bytes to which an LZ4 frame can decompress. The decoder does not stop at the stated
/// length.
///
/// ```text
/// 04 22 4d 18 │ flags │ block size │ [content size] │ [dictionary] │ checksum │ block … │ 0
/// block:  length, the highest bit set where it is not compressed │ data │ [checksum]
/// ```
fn lz4_max_size(frame: &[u8]) -> Option<u64> {
    let frame_bytes = frame.strip_prefix(&[0x04, 0x22, 0x4d, 0x18])?;
    let (flags, block_size) = (*frame_bytes.first()?, *frame_bytes.get(1)?);
    let has_flag = |bit: u8| flags & bit != 0;
    let block_limit = match block_size >> 4 & 7 {
        4 => 64 << 10,
        5 => 256 << 10,
        6 => 1 << 20,
        7 => 4 << 20,
        _ => return None,
    };
    let mut rest = frame_bytes
        .get(2 + if has_flag(8) { 8 } else { 0 } + if has_flag(1) { 4 } else { 0 } + 1..)?;
    let mut max_bytes: u64 = 0;
    while let Some((length, data)) = rest.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length);
        let is_plain = length >> 31 == 1;
        let length = (length & 0x7fff_ffff) as usize;
        if length == 0 {
            break;
        }
        max_bytes += if is_plain {
            length as u64
        } else {
            // Each byte of compressed data can expand to at most 255 bytes.
            u64::min(block_limit, length as u64 * 255)
        };
        let checksum = if has_flag(16) { 4 } else { 0 };
        rest = data
            .get(length.checked_add(checksum)?..)
            .unwrap_or_default();
    }
    Some(max_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_lz4_frame_never_exceeds_its_estimated_size() {
        // Two blocks of at most 64 KiB each. 300 bytes of the first are compressed, and 10 of the second are not.
        let mut frame = vec![0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
        frame.extend_from_slice(&300u32.to_le_bytes());
        frame.extend_from_slice(&[0; 300]);
        frame.extend_from_slice(&(10u32 | 1 << 31).to_le_bytes());
        frame.extend_from_slice(&[0; 10]);
        frame.extend_from_slice(&[0; 4]);
        assert_eq!(lz4_max_size(&frame), Some(65_536 + 10));
        assert_eq!(lz4_max_size(&frame[..100]), Some(65_536));
        assert_eq!(lz4_max_size(b"what is this?"), None);
    }

    #[test]
    fn a_buffer_must_lie_in_its_body() {
        let body = [0; 10];
        assert_eq!(buffer_bytes(&body, 2, 8).map(<[u8]>::len), Some(8));
        for (start, length) in [(2, 9), (-1, 2), (0, -1), (i64::MAX, i64::MAX), (11, 0)] {
            assert_eq!(buffer_bytes(&body, start, length), None);
        }
    }
}
