//! Decompresses zstd files, which may consist of several compressed parts (frames).
//!
//! ```text
//! 28 b5 2f fd │ header: window, size of the text │ 3 bytes, block │ 3 bytes, block │ … │ checksum
//! 5x 2a 4d 18 │ length │ bytes of other programs
//! ```
//!
//! Every block states its size, so that the end of a frame is found without decompressing it.

use std::cell::RefCell;
use std::io::{self, BufRead, Read};

use zstd::zstd_safe::{DCtx, InBuffer, OutBuffer, ResetDirective, get_error_name};

use super::members::{MOST_MEMBER_BYTES, MemberFormat, MemberSize};
use super::stored_bytes::StoredBytes;

/// The maximum size of the text of a block.
const BLOCK_BYTES: usize = 128 * 1024;

/// The size of a frame's start and of the header of a block in bytes.
const MAGIC_BYTES: usize = 4;
const BLOCK_HEADER_BYTES: usize = 3;

thread_local! {
    static WHOLE_FRAMES: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// The zstd format.
#[derive(Default)]
pub(super) struct Zstd {
    /// The context of the frames that are decompressed as streams.
    context: Option<DCtx<'static>>,
}

impl MemberFormat for Zstd {
    type Decoder = FrameDecoder;

    fn measure(&self, bytes: &[u8]) -> MemberSize {
        match bytes {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => measure_frame(bytes),
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, size @ ..] => match size.first_chunk() {
                Some(size) => {
                    let size = u32::from_le_bytes(*size) as usize;
                    let stored = size.saturating_add(2 * MAGIC_BYTES);
                    known_if_there(bytes, stored, 0)
                }
                None => MemberSize::Needs(2 * MAGIC_BYTES),
            },
            _ if bytes.len() < MAGIC_BYTES => MemberSize::Needs(MAGIC_BYTES),
            _ => MemberSize::Unknown,
        }
    }

    fn decompress(frame: &[u8], text: &mut [u8]) -> Option<usize> {
        WHOLE_FRAMES.with_borrow_mut(|context| context.decompress(text, frame).ok())
    }

    fn has_more(&self, stored: &mut StoredBytes) -> io::Result<bool> {
        Ok(!stored.fill_buf()?.is_empty())
    }

    fn open(&mut self, stored: StoredBytes) -> FrameDecoder {
        let mut context = self.context.take().unwrap_or_else(DCtx::create);
        // Only a reset of parameters can fail.
        let _ = context.reset(ResetDirective::SessionOnly);
        FrameDecoder {
            stored,
            context,
            is_at_end: false,
        }
    }

    fn close(&mut self, decoder: FrameDecoder) -> StoredBytes {
        self.context = Some(decoder.context);
        decoder.stored
    }
}

fn known_if_there(bytes: &[u8], stored: usize, text: usize) -> MemberSize {
    if stored <= bytes.len() {
        MemberSize::Known { stored, text }
    } else {
        MemberSize::Needs(stored)
    }
}

/// Finds the end of the frame at the start of the bytes. A frame that needs a dictionary, or that cannot be valid, has an
/// unknown size: the stream decoder has the error for it.
fn measure_frame(bytes: &[u8]) -> MemberSize {
    let Some(header) = FrameHeader::parse(bytes) else {
        // The longest header has 18 bytes.
        return MemberSize::Needs(bytes.len() + 1);
    };
    let is_too_large = header.text.is_some_and(|text| text > MOST_MEMBER_BYTES);
    if is_too_large || header.needs_dictionary || header.window > MOST_WINDOW {
        return MemberSize::Unknown;
    }
    let mut at = header.size;
    let mut blocks_text = 0usize;
    loop {
        let Some([a, b, c]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
            return MemberSize::Needs(at + BLOCK_HEADER_BYTES);
        };
        let block = u32::from_le_bytes([*a, *b, *c, 0]);
        let (is_last, kind, size) = (block & 1 == 1, block >> 1 & 3, (block >> 3) as usize);
        at += BLOCK_HEADER_BYTES;
        // Raw bytes, one repeated byte, and a compressed block.
        let (stored, text) = match kind {
            0 => (size, size),
            1 => (1, size),
            2 => (size, BLOCK_BYTES),
            _ => return MemberSize::Unknown,
        };
        at = at.saturating_add(stored);
        blocks_text = blocks_text.saturating_add(text);
        if is_last {
            break;
        }
    }
    let text = header.text.unwrap_or(blocks_text);
    let checksum_bytes = if header.has_checksum { 4 } else { 0 };
    known_if_there(bytes, at.saturating_add(checksum_bytes), text)
}

/// The largest window of a frame in bytes for which the stream decoder has memory, as a limit.
const MOST_WINDOW: u64 = 128 << 20;

/// The header of a frame (RFC 8878, 3.1.1.1).
struct FrameHeader {
    size: usize,
    window: u64,
    needs_dictionary: bool,
    has_checksum: bool,
    /// The size of the text in bytes; `None` if the header does not state it.
    text: Option<usize>,
}

impl FrameHeader {
    /// The header at the start of the bytes; `None` if more bytes are needed.
    fn parse(bytes: &[u8]) -> Option<FrameHeader> {
        let descriptor = *bytes.get(MAGIC_BYTES)?;
        let is_single_segment = descriptor & 0x20 != 0;
        let mut at = MAGIC_BYTES + 1;
        let mut number = |size: usize| {
            let field = bytes.get(at..at + size)?;
            at += size;
            let digits = field.iter().rev();
            Some(digits.fold(0u64, |number, byte| number << 8 | u64::from(*byte)))
        };
        let window = if is_single_segment {
            None
        } else {
            let window = number(1)?;
            let base = 1u64 << (10 + (window >> 3));
            Some(base + base / 8 * (window & 7))
        };
        let dictionary = number([0, 1, 2, 4][usize::from(descriptor & 3)])?;
        let text_bytes = match descriptor >> 6 {
            0 => usize::from(is_single_segment),
            power => 1 << power,
        };
        let text = match (text_bytes, number(text_bytes)?) {
            (0, _) => None,
            (2, size) => Some(size + 256),
            (_, size) => Some(size),
        };
        Some(FrameHeader {
            size: at,
            window: window.or(text).unwrap_or(u64::MAX),
            needs_dictionary: dictionary != 0,
            has_checksum: descriptor & 4 != 0,
            text: text.map(|size| usize::try_from(size).unwrap_or(usize::MAX)),
        })
    }
}

/// Decompresses one frame as a stream.
pub(super) struct FrameDecoder {
    stored: StoredBytes,
    context: DCtx<'static>,
    is_at_end: bool,
}

impl Read for FrameDecoder {
    /// Returns 0 at the end of the frame.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The decoder may have text that had no room in the last buffer, so it is first called without new bytes.
        let mut has_bytes = false;
        while !self.is_at_end && !buffer.is_empty() {
            let bytes = if has_bytes {
                self.stored.fill_buf()?
            } else {
                &[]
            };
            if has_bytes && bytes.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let mut input = InBuffer::around(bytes);
            let mut output = OutBuffer::around(&mut *buffer);
            let hint = self.context.decompress_stream(&mut output, &mut input);
            let hint = hint.map_err(|code| io::Error::other(get_error_name(code)))?;
            let (read_bytes, written_bytes) = (input.pos(), output.pos());
            self.stored.consume(read_bytes);
            self.is_at_end = hint == 0;
            if written_bytes > 0 {
                return Ok(written_bytes);
            }
            has_bytes = true;
        }
        Ok(0)
    }
}
