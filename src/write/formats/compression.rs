//! The compression of text formats. Each group of rows is compressed separately, as a member (gzip) or frame
//! (zstd) of the file.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use flate2::{Compress, Crc, FlushCompress, Status};

sudoku_core::enum_with_ids! {
    /// The compression of a text format. Other formats compress their contents themselves.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
    pub enum Compression {
        /// The file is not compressed.
        #[default]
        None = "none",
        /// gzip, with one member for each group of rows.
        Gzip = "gzip",
        /// zstd, with one frame for each group of rows.
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

    /// Compresses a group of rows to a complete member (gzip) or frame (zstd). Concatenated members or frames are a
    /// valid file.
    pub(crate) fn compress(self, bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
        match self {
            Compression::None => Ok(bytes),
            Compression::Gzip => gzip_member(&bytes),
            Compression::Zstd => zstd::encode_all(bytes.as_slice(), 0),
        }
    }
}

/// The header of a gzip member without file name, time and operating system (RFC 1952, 2.3).
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

thread_local! {
    // A thread reuses its compressor, whose state takes about 270 KB. A new state for each group would fragment the
    // heap: with one table per row, the memory grew from 128 MiB to 172 MiB.
    static DEFLATE_STATE: RefCell<Compress> =
        RefCell::new(Compress::new(flate2::Compression::default(), false));
}

/// Compresses the bytes as a gzip member.
fn gzip_member(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut member = GZIP_HEADER.to_vec();
    DEFLATE_STATE.with_borrow_mut(|state| deflate(state, bytes, &mut member))?;
    let mut crc = Crc::new();
    crc.update(bytes);
    member.extend(crc.sum().to_le_bytes());
    member.extend(crc.amount().to_le_bytes());
    member.shrink_to_fit();
    Ok(member)
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

    #[test]
    fn a_reused_encoder_writes_the_bytes_of_a_new_one() {
        let rows = "530070000600195000098000060800060003,17\n".repeat(30_000);
        for length in [0, 1, 63, 64, 1000, 70_000, rows.len()] {
            let text = &rows.as_bytes()[..length];
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(text).unwrap();
            let member = Compression::Gzip.compress(text.to_vec()).unwrap();
            assert!(member == encoder.finish().unwrap(), "{length} bytes");
            let mut decompressed = Vec::new();
            let mut decoder = flate2::read::GzDecoder::new(&member[..]);
            decoder.read_to_end(&mut decompressed).unwrap();
            assert!(decompressed == text, "{length} bytes");
        }
    }

    #[test]
    fn bytes_that_cannot_be_compressed_are_kept() {
        let mut rng = sudoku_core::random::Rng::new(5);
        let noise: Vec<u8> = (0..300_000).map(|_| rng.below(256) as u8).collect();
        let member = Compression::Gzip.compress(noise.clone()).unwrap();
        let mut decompressed = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&member[..]);
        decoder.read_to_end(&mut decompressed).unwrap();
        assert!(decompressed == noise);
    }
}
