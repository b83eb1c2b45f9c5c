//! The compression of text formats. Each group of rows is compressed separately, as members (gzip) or frames (zstd) of
//! the file.
//!
//! Members and frames state their sizes, so that several threads can decompress a file, and are small enough for the
//! reader of this program. gzip has no place for the size of a member: it is in the extra field `IG`, in which pgzip, mgzip
//! and crabz look for it. BGZF files, whose members have at most 64 KiB, would be larger by 3 %.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use flate2::{Compress, Crc, FlushCompress, Status};
use zstd::bulk::Compressor;

sudoku_core::enum_with_ids! {
    /// The compression of a text format. Other formats compress their contents themselves.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
    pub enum Compression {
        /// The file is not compressed.
        #[default]
        None = "none",
        /// gzip, with a member for each group of rows.
        Gzip = "gzip",
        /// zstd, with a frame for each group of rows.
        Zstd = "zstd",
    }
}

impl Compression {
    /// The extension that is added to the names of compressed files.
    pub const fn ending(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
        }
    }

    /// The compression that the extension of a name selects, and the name without this extension.
    pub fn from_name(path: &Path) -> (PathBuf, Compression) {
        let ending = path.extension().and_then(OsStr::to_str);
        let is_named = |one: &Compression| {
            ending.is_some_and(|ending| one.ending().strip_prefix('.') == Some(ending))
        };
        match Compression::ALL.into_iter().find(is_named) {
            Some(compression) => (path.with_extension(""), compression),
            None => (path.to_owned(), Compression::None),
        }
    }

    /// Compresses a group of rows to complete members (gzip) or frames (zstd). Concatenated members or frames are a
    /// valid file.
    pub(crate) fn compress(self, bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
        let append = match self {
            Compression::None => return Ok(bytes),
            Compression::Gzip => append_gzip_member,
            Compression::Zstd => append_zstd_frame,
        };
        let mut compressed = Vec::new();
        let members = bytes.len().div_ceil(MOST_MEMBER_TEXT).max(1);
        let size = bytes.len().div_ceil(members);
        for member in 0..members {
            let end = bytes.len().min((member + 1) * size);
            append(&bytes[member * size..end], &mut compressed)?;
        }
        compressed.shrink_to_fit();
        Ok(compressed)
    }
}

/// The maximum size in bytes of the text of a member or frame. A usual group of rows is smaller.
const MOST_MEMBER_TEXT: usize = 5 << 18;

/// The header of a gzip member without file name, time and operating system (RFC 1952, 2.3), with a field for the size of
/// the member.
const GZIP_HEADER: [u8; 16] = [
    0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 8, 0, b'I', b'G', 4, 0,
];

thread_local! {
    // A thread reuses its compressors, whose states take from 270 KB to 2 MB. New states for each group would fragment the
    // heap: with one table per row, the memory grew from 128 MiB to 172 MiB.
    static DEFLATE_STATE: RefCell<Compress> =
        RefCell::new(Compress::new(flate2::Compression::default(), false));
    static ZSTD_STATE: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses the text as a gzip member, and appends it to `out`.
fn append_gzip_member(text: &[u8], out: &mut Vec<u8>) -> std::io::Result<()> {
    let start = out.len();
    out.extend(GZIP_HEADER);
    let size_at = out.len();
    out.extend([0; 4]);
    DEFLATE_STATE.with_borrow_mut(|state| deflate(state, text, out))?;
    let mut crc = Crc::new();
    crc.update(text);
    out.extend(crc.sum().to_le_bytes());
    out.extend(crc.amount().to_le_bytes());
    let size = u32::try_from(out.len() - start).map_err(std::io::Error::other)?;
    out[size_at..size_at + 4].copy_from_slice(&size.to_le_bytes());
    Ok(())
}

/// Compresses the text as a zstd frame with the size of the text and a checksum, and appends it to `out`.
fn append_zstd_frame(text: &[u8], out: &mut Vec<u8>) -> std::io::Result<()> {
    ZSTD_STATE.with_borrow_mut(|state| {
        let compressor = match state {
            Some(compressor) => compressor,
            None => {
                let mut compressor = Compressor::new(0)?;
                compressor.include_checksum(true)?;
                state.insert(compressor)
            }
        };
        out.extend(compressor.compress(text)?);
        Ok(())
    })
}

/// Compresses the bytes as a DEFLATE stream, and appends it to `out`.
fn deflate(state: &mut Compress, bytes: &[u8], out: &mut Vec<u8>) -> std::io::Result<()> {
    state.reset();
    loop {
        out.reserve(bytes.len() / 4 + 64);
        let read_bytes = usize::try_from(state.total_in()).unwrap_or(bytes.len());
        match state.compress_vec(&bytes[read_bytes..], out, FlushCompress::Finish)? {
            Status::StreamEnd => return Ok(()),
            Status::Ok | Status::BufError => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn gunzip(member: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        let mut decoder = flate2::read::MultiGzDecoder::new(member);
        decoder.read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn a_reused_encoder_writes_the_bytes_of_a_new_one() {
        let rows = "530070000600195000098000060800060003,17\n".repeat(30_000);
        for length in [0, 1, 63, 64, 1000, 70_000, rows.len()] {
            let text = &rows.as_bytes()[..length];
            let member = Compression::Gzip.compress(text.to_vec()).unwrap();
            let size = u32::try_from(member.len()).unwrap().to_le_bytes();
            let mut encoder = flate2::GzBuilder::new()
                .operating_system(0xff)
                .extra([&b"IG\x04\0"[..], &size].concat())
                .write(Vec::new(), flate2::Compression::default());
            encoder.write_all(text).unwrap();
            assert!(member == encoder.finish().unwrap(), "{length} bytes");
            assert!(gunzip(&member) == text, "{length} bytes");
        }
    }

    #[test]
    fn a_large_group_becomes_several_members_that_state_their_sizes() {
        let text = "530070000600195000098000060800060003,17\n".repeat(70_000);
        assert!(text.len() > 2 * MOST_MEMBER_TEXT);
        let members = Compression::Gzip.compress(text.clone().into_bytes());
        let members = members.unwrap();
        assert!(gunzip(&members) == text.as_bytes());
        let mut rest = members.as_slice();
        let mut sizes = Vec::new();
        while let Some((size, _)) = rest.get(16..).and_then(<[u8]>::split_first_chunk) {
            let (member, after) = rest.split_at(u32::from_le_bytes(*size) as usize);
            sizes.push(gunzip(member).len());
            rest = after;
        }
        assert_eq!((sizes.len(), sizes.iter().sum()), (3, text.len()));

        let frames = Compression::Zstd.compress(text.clone().into_bytes());
        let frames = frames.unwrap();
        let stated = zstd::zstd_safe::get_frame_content_size(&frames).unwrap();
        assert_eq!(stated, Some(text.len().div_ceil(3) as u64));
        assert!(zstd::decode_all(&frames[..]).unwrap() == text.as_bytes());
        let mut damaged = frames;
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        let error = zstd::decode_all(&damaged[..]).unwrap_err();
        assert!(error.to_string().contains("checksum"), "{error}");
    }

    #[test]
    fn bytes_that_cannot_be_compressed_are_kept() {
        let mut rng = sudoku_core::random::Rng::new(5);
        let noise: Vec<u8> = (0..300_000).map(|_| rng.below(256) as u8).collect();
        let member = Compression::Gzip.compress(noise.clone()).unwrap();
        assert!(gunzip(&member) == noise);
    }
}
