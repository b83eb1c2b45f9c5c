//! Reads the bytes of an input, and decompresses them if they are gzip, zstd or zip.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::read::bytes::gzip::Gzip;
use crate::read::bytes::members::Members;
use crate::read::bytes::stored_bytes::{READ_SIZE, StoredBytes};
use crate::read::bytes::zip;
use crate::read::bytes::zstd::Zstd;
use crate::read::workers::Workers;

/// Messages of the zstd decoder for streams that are intact but cannot be read. Each has advice for the user.
const ZSTD_ADVICE: [(&str, &str); 2] = [
    (
        "Dictionary mismatch",
        "the zstd stream needs the dictionary that it was compressed with: decompress it first, with \
         zstd -d -D DICTIONARY",
    ),
    (
        "Frame requires too much memory",
        "the zstd stream has a window of more than 128 MiB, which would take as much memory: decompress \
         it first, with zstd -d --long=31",
    ),
];

/// The compression of an input, recognised by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputCompression {
    None,
    Gzip,
    Zstd,
    /// Zip. The archive must contain exactly one file.
    Zip,
}

impl InputCompression {
    pub(crate) fn from_magic(magic: &[u8]) -> InputCompression {
        match magic {
            [0x1f, 0x8b, ..] => InputCompression::Gzip,
            // The second pattern is a skippable frame. Some writers, whose files can be read in parallel or at any
            // position, begin a zstd file with it.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                InputCompression::Zstd
            }
            _ if zip::is_archive(magic) => InputCompression::Zip,
            _ => InputCompression::None,
        }
    }

    /// The compression with this id; `None` for an unknown id.
    pub(crate) fn from_id(id: &str) -> Option<InputCompression> {
        let all = [
            InputCompression::None,
            InputCompression::Gzip,
            InputCompression::Zstd,
            InputCompression::Zip,
        ];
        all.into_iter().find(|compression| compression.id() == id)
    }

    pub(crate) const fn id(self) -> &'static str {
        match self {
            InputCompression::None => "none",
            InputCompression::Gzip => "gzip",
            InputCompression::Zstd => "zstd",
            InputCompression::Zip => "zip",
        }
    }
}

/// The decompressed bytes of an input. They can be peeked at before they are read.
pub(crate) struct InputBytes {
    reader: Decompressor,
    source_name: String,
    compression: InputCompression,
    bytes_read: Arc<AtomicU64>,
    /// Bytes that were peeked at, but not read yet. They start at the index `head_at`.
    head: Vec<u8>,
    head_at: usize,
    /// An error that occurred during a peek. It is returned after the bytes in `head` have been read.
    peek_error: Option<Error>,
}

impl InputBytes {
    /// Opens a stream. `magic` are its first bytes, which have already been read, and `rest` reads the bytes
    /// after them.
    pub(crate) fn new(
        source_name: &str,
        magic: &[u8],
        rest: impl Read + Send + 'static,
    ) -> Result<InputBytes, Error> {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let compression = InputCompression::from_magic(magic);
        let (first_bytes, count) = (magic.to_vec(), Arc::clone(&bytes_read));
        let reader = match compression {
            InputCompression::Gzip => {
                let stored = StoredBytes::new(first_bytes, rest, count);
                Decompressor::Gzip(Members::new(Gzip, stored))
            }
            InputCompression::Zstd => {
                let stored = StoredBytes::new(first_bytes, rest, count);
                Decompressor::Zstd(Members::new(Zstd::default(), stored))
            }
            InputCompression::None | InputCompression::Zip => {
                // Larger reads of uncompressed data bypass the buffer.
                let rest = BufReader::with_capacity(READ_SIZE, rest);
                let counted_bytes = CountingReader {
                    inner: Cursor::new(first_bytes).chain(rest),
                    bytes_read: count,
                };
                Decompressor::Other(match compression {
                    InputCompression::Zip => Box::new(zip::EntryReader::new(counted_bytes)),
                    _ => Box::new(counted_bytes),
                })
            }
        };
        Ok(InputBytes {
            reader,
            source_name: source_name.to_owned(),
            compression,
            bytes_read,
            head: Vec::new(),
            head_at: 0,
            peek_error: None,
        })
    }

    /// Opens one file (member) of a zip archive with several files. Its data starts at the byte `start` of the archive.
    pub(crate) fn from_member(
        source_name: &str,
        member: zip::NamedEntry,
        start: u64,
    ) -> InputBytes {
        let bytes_read = Arc::new(AtomicU64::new(start));
        InputBytes {
            reader: Decompressor::Other(Box::new(CountingMember {
                member,
                start,
                bytes_read: Arc::clone(&bytes_read),
            })),
            source_name: source_name.to_owned(),
            compression: InputCompression::Zip,
            bytes_read,
            head: Vec::new(),
            head_at: 0,
            peek_error: None,
        }
    }

    /// Opens a compressed input that this reader decompresses.
    #[cfg(test)]
    pub(crate) fn decompressed_by(
        reader: impl Read + Send + 'static,
        compression: InputCompression,
        bytes_read: Arc<AtomicU64>,
    ) -> InputBytes {
        InputBytes {
            reader: Decompressor::Other(Box::new(reader)),
            source_name: "in".to_owned(),
            compression,
            bytes_read,
            head: Vec::new(),
            head_at: 0,
            peek_error: None,
        }
    }

    pub(crate) fn compression(&self) -> InputCompression {
        self.compression
    }

    /// Decompresses the next bytes on these workers, if the input consists of parts that are compressed separately.
    pub(crate) fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        match &mut self.reader {
            Decompressor::Gzip(members) => members.use_workers(workers),
            Decompressor::Zstd(frames) => frames.use_workers(workers),
            Decompressor::Other(_) => {}
        }
    }

    pub(crate) fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes_read)
    }

    /// Returns the first `size` bytes, or all if there are fewer, without consuming them.
    pub(crate) fn peek(&mut self, size: usize) -> Result<&[u8], Error> {
        let mut head_bytes = vec![0; size];
        let mut filled_bytes = 0;
        while filled_bytes < size {
            match self.read(&mut head_bytes[filled_bytes..]) {
                Ok(0) => break,
                Ok(read) => filled_bytes += read,
                Err(error) if filled_bytes == 0 => return Err(error),
                Err(error) => {
                    self.peek_error = Some(error);
                    break;
                }
            }
        }
        head_bytes.truncate(filled_bytes);
        // If an earlier peek read more bytes, these bytes are kept.
        head_bytes.extend_from_slice(self.head.get(self.head_at..).unwrap_or_default());
        self.head = head_bytes;
        self.head_at = 0;
        Ok(&self.head[..filled_bytes])
    }

    /// The input with these bytes before its next ones.
    pub(crate) fn with_bytes_before(mut self, mut bytes: Vec<u8>) -> InputBytes {
        bytes.extend_from_slice(self.head.get(self.head_at..).unwrap_or_default());
        (self.head, self.head_at) = (bytes, 0);
        self
    }

    /// Consumes `count` bytes that have been peeked at.
    pub(crate) fn skip(&mut self, count: usize) {
        self.head_at = (self.head_at + count).min(self.head.len());
    }

    /// Reads some of the next bytes. Returns 0 only at the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut unread_head = self.head.get(self.head_at..).unwrap_or_default();
        if !unread_head.is_empty() {
            let read_bytes = unread_head.read(buffer).unwrap_or(0);
            self.head_at += read_bytes;
            return Ok(read_bytes);
        }
        if let Some(error) = self.peek_error.take() {
            return Err(error);
        }
        loop {
            match self.reader.read(buffer) {
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.explain(error)),
            }
        }
    }

    /// The error for damage at the current position of the input.
    pub(crate) fn damaged(&self, what: &str) -> Error {
        self.damage_here()(what)
    }

    /// A function that makes the error for damage at the current position, even if the input has been read further.
    pub(crate) fn damage_here(&self) -> Box<dyn Fn(&str) -> Error + Send> {
        let source_name = self.source_name.clone();
        let byte_offset = self.bytes_read.load(Ordering::Relaxed);
        Box::new(move |what| Error::Corrupt {
            source_name: source_name.clone(),
            byte_offset,
            what: what.to_owned(),
        })
    }

    /// Converts the error of a decompressor to an error about damage. If a failed read has caused it, the `InputWatch`
    /// of the input later replaces this error by the error of the read.
    fn explain(&self, error: io::Error) -> Error {
        let source_name = self.source_name.clone();
        if self.compression == InputCompression::None {
            return Error::Read { source_name, error };
        }
        if error.kind() == io::ErrorKind::Unsupported {
            return Error::UnknownFormat {
                source_name,
                what: error.to_string(),
            };
        }
        let name = self.compression.id();
        let text = error.to_string();
        let missing_feature = ZSTD_ADVICE.iter().find(|(said, _)| text.contains(said));
        if let (InputCompression::Zstd, Some((_, what))) = (self.compression, missing_feature) {
            return Error::UnknownFormat {
                source_name,
                what: (*what).to_owned(),
            };
        }
        let problem = if error.kind() == io::ErrorKind::UnexpectedEof {
            format!("the {name} stream ends early: the file is truncated")
        } else if text.contains("checksum") {
            format!("the {name} checksum does not match: the file is damaged")
        } else {
            format!("the {name} stream is damaged ({text})")
        };
        Error::Corrupt {
            source_name,
            byte_offset: self.bytes_read.load(Ordering::Relaxed),
            what: problem,
        }
    }
}

/// Decompresses an input.
enum Decompressor {
    Gzip(Members<Gzip>),
    Zstd(Members<Zstd>),
    Other(Box<dyn Read + Send>),
}

impl Read for Decompressor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Decompressor::Gzip(members) => members.read(buffer),
            Decompressor::Zstd(frames) => frames.read(buffer),
            Decompressor::Other(reader) => reader.read(buffer),
        }
    }
}

/// A reader that counts bytes when they leave its buffer, not when they enter it. The position of an error in a
/// compressed stream is then exact to a few bytes.
pub(super) struct CountingReader<R> {
    pub(super) inner: R,
    pub(super) bytes_read: Arc<AtomicU64>,
}

impl<R> CountingReader<R> {
    fn count(&self, bytes: usize) {
        self.bytes_read.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl<R: BufRead> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read_bytes = self.inner.read(buffer)?;
        self.count(read_bytes);
        Ok(read_bytes)
    }
}

impl<R: BufRead> BufRead for CountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // Decompressors would return an `Interrupted` error, so the read is repeated here.
        while let Err(error) = self.inner.fill_buf() {
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.count(amount);
    }
}

/// Reads one file (member) of an archive, and keeps count of the position in the archive.
struct CountingMember {
    member: zip::NamedEntry,
    start: u64,
    bytes_read: Arc<AtomicU64>,
}

impl Read for CountingMember {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read_result = self.member.read(buffer);
        let position = self.start.saturating_add(self.member.stored_bytes_read());
        self.bytes_read.store(position, Ordering::Relaxed);
        read_result
    }
}

#[cfg(test)]
mod tests;
