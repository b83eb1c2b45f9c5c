//! Decompresses gzip files, which may consist of several compressed parts (members).
//!
//! ```text
//! 1f 8b 08 │ flags │ time, … │ length │ "IG" 4 │ size │ … │ DEFLATE │ CRC-32 │ size of the text
//! 3 bytes  │ 1     │ 6       │ 2      │ 4      │ 4    │   │         │ 4      │ 4
//! ```
//!
//! The size of a member is only known if a field of its header has it: the field `IG` of this program, pgzip, mgzip and
//! crabz in 32 bits, or the field `BC` of BGZF files (bgzip, htslib) in 16 bits, as the size minus 1.

use std::cell::RefCell;
use std::io::{self, BufRead};

use flate2::bufread::GzDecoder;
use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::members::{MemberFormat, MemberSize};
use super::stored_bytes::StoredBytes;

/// The gzip format. [`flate2::read::MultiGzDecoder`] cannot be used: it fails if a tape or a block device has padded the
/// file with zeros.
pub(super) struct Gzip;

/// The bits of the flags. A member whose flags have other bits is decompressed as a stream.
const HAS_FIELDS: u8 = 4;
const HAS_NAME: u8 = 8;

/// The size of a header up to its fields.
const FIXED_BYTES: usize = 12;

/// The size of the CRC-32 and of the text's size.
const TRAILER_BYTES: usize = 8;

/// The maximum length of the file name in the header of a member that is decompressed as a whole.
const MOST_NAME_BYTES: usize = 1024;

thread_local! {
    // The state takes 40 KB. A thread uses it for all members.
    static INFLATE: RefCell<Decompress> = RefCell::new(Decompress::new(false));
}

impl MemberFormat for Gzip {
    type Decoder = GzDecoder<StoredBytes>;

    fn measure(&self, bytes: &[u8]) -> MemberSize {
        let Some(fixed) = bytes.first_chunk::<FIXED_BYTES>() else {
            return MemberSize::Needs(FIXED_BYTES);
        };
        let [0x1f, 0x8b, 8, flags, .., low, high] = *fixed else {
            return MemberSize::Unknown;
        };
        if flags & !HAS_NAME != HAS_FIELDS {
            return MemberSize::Unknown;
        }
        let fields_end = FIXED_BYTES + usize::from(u16::from_le_bytes([low, high]));
        let Some(fields) = bytes.get(FIXED_BYTES..fields_end) else {
            return MemberSize::Needs(fields_end);
        };
        match stated_size(fields) {
            Some(size) if size >= fields_end + TRAILER_BYTES => {
                let text_size = (bytes.get(..size)).and_then(<[u8]>::last_chunk::<4>);
                match text_size {
                    Some(text) => MemberSize::Known {
                        stored: size,
                        text: u32::from_le_bytes(*text) as usize,
                    },
                    None => MemberSize::Needs(size),
                }
            }
            _ => MemberSize::Unknown,
        }
    }

    fn decompress(member: &[u8], text: &mut [u8]) -> Option<usize> {
        let (compressed, trailer) = member.split_last_chunk::<TRAILER_BYTES>()?;
        let compressed = compressed.get(header_size(compressed)?..)?;
        let [c0, c1, c2, c3, s0, s1, s2, s3] = *trailer;
        let size = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
        let text = text.get_mut(..size)?;
        INFLATE.with_borrow_mut(|inflate| {
            inflate.reset(false);
            let status = inflate.decompress(compressed, text, FlushDecompress::Finish);
            let is_whole = matches!(status, Ok(Status::StreamEnd))
                && inflate.total_in() == compressed.len() as u64
                && inflate.total_out() == size as u64;
            is_whole.then_some(())
        })?;
        let mut crc = Crc::new();
        crc.update(text);
        (crc.sum() == u32::from_le_bytes([c0, c1, c2, c3])).then_some(size)
    }

    fn has_more(&self, stored: &mut StoredBytes) -> io::Result<bool> {
        loop {
            let bytes = stored.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let next_byte = bytes.get(zeros).copied();
            stored.consume(zeros);
            match next_byte {
                None => {}
                // 0x1f is the first byte of every member.
                Some(0x1f) => return Ok(true),
                Some(_) => {
                    let problem = "bytes that are not gzip follow its last member";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
                }
            }
        }
    }

    fn open(&mut self, stored: StoredBytes) -> GzDecoder<StoredBytes> {
        GzDecoder::new(stored)
    }

    fn close(&mut self, decoder: GzDecoder<StoredBytes>) -> StoredBytes {
        decoder.into_inner()
    }
}

/// The size of the member that a field of its header states.
fn stated_size(mut fields: &[u8]) -> Option<usize> {
    while let Some(([first, second, low, high], rest)) = fields.split_first_chunk::<4>() {
        let (field, next) = rest.split_at_checked(u16::from_le_bytes([*low, *high]).into())?;
        match ([*first, *second], field) {
            ([b'B', b'C'], [low, high]) => {
                return Some(usize::from(u16::from_le_bytes([*low, *high])) + 1);
            }
            ([b'I', b'G'], [a, b, c, d]) => {
                return usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).ok();
            }
            _ => fields = next,
        }
    }
    None
}

/// The size of a member's header, which has fields and perhaps a name.
fn header_size(member: &[u8]) -> Option<usize> {
    let [_, _, _, flags, .., low, high] = *member.first_chunk::<FIXED_BYTES>()?;
    let fields_end = FIXED_BYTES + usize::from(u16::from_le_bytes([low, high]));
    if flags & HAS_NAME == 0 {
        return Some(fields_end);
    }
    let rest = member.get(fields_end..)?;
    let name_end = memchr::memchr(0, &rest[..rest.len().min(MOST_NAME_BYTES)])?;
    Some(fields_end + name_end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a member without text were damaged for this function, all members after it would be decompressed by one thread.
    #[test]
    fn a_member_without_text_is_whole() {
        let mut encoder = flate2::GzBuilder::new()
            .extra(*b"IG\x04\0\0\0\0\0")
            .write(Vec::new(), flate2::Compression::default());
        io::Write::flush(&mut encoder).unwrap();
        for member in [
            encoder.finish().unwrap(),
            // The block at the end of BGZF files.
            b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0\x1b\0\x03\0\0\0\0\0\0\0\0\0".to_vec(),
        ] {
            assert_eq!(Gzip::decompress(&member, &mut []), Some(0));
        }
    }
}
