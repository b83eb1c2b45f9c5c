//! Reads the bytes of an input, and decompresses them if they are gzip, zstd or zip.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::read::bytes::gzip::GzipMembers;
use crate::read::bytes::zip;

/// The number of bytes that are read at a time. Larger reads of uncompressed data bypass the buffer.
const READ_SIZE: usize = 128 * 1024;

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
    reader: Box<dyn Read + Send>,
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
        let counted_bytes = CountingReader {
            inner: Cursor::new(magic.to_vec()).chain(BufReader::with_capacity(READ_SIZE, rest)),
            bytes_read: Arc::clone(&bytes_read),
        };
        let compression = InputCompression::from_magic(magic);
        let reader: Box<dyn Read + Send> = match compression {
            InputCompression::None => Box::new(counted_bytes),
            InputCompression::Gzip => Box::new(GzipMembers::new(counted_bytes)),
            InputCompression::Zip => Box::new(zip::EntryReader::new(counted_bytes)),
            InputCompression::Zstd => Box::new(
                zstd::stream::read::Decoder::with_buffer(counted_bytes).map_err(|error| {
                    Error::Read {
                        source_name: source_name.to_owned(),
                        error,
                    }
                })?,
            ),
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
            reader: Box::new(CountingMember {
                member,
                start,
                bytes_read: Arc::clone(&bytes_read),
            }),
            source_name: source_name.to_owned(),
            compression: InputCompression::Zip,
            bytes_read,
            head: Vec::new(),
            head_at: 0,
            peek_error: None,
        }
    }

    pub(crate) fn compression(&self) -> InputCompression {
        self.compression
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

/// A reader that counts bytes when they leave its buffer, not when they enter it. The position of an error in a
/// compressed stream is then exact to a few bytes.
struct CountingReader<R> {
    inner: R,
    bytes_read: Arc<AtomicU64>,
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
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read_all(bytes: &[u8]) -> (Vec<u8>, Result<u64, String>) {
        let mut stored = InputBytes::new("in", bytes, io::empty()).unwrap();
        let mut text = Vec::new();
        let mut buffer = [0; 1000];
        loop {
            match stored.read(&mut buffer) {
                Ok(0) => return (text, Ok(stored.bytes_read.load(Ordering::Relaxed))),
                Ok(read) => text.extend_from_slice(&buffer[..read]),
                Err(error) => return (text, Err(error.to_string())),
            }
        }
    }

    #[test]
    fn every_container_gives_the_same_text() {
        let text = b"a line\n".repeat(5000);
        let (one, two) = text.split_at(12_345);
        let three_members = [gzip(one), gzip(b""), gzip(two)].concat();
        let padded_members = [three_members.clone(), vec![0; 3000]].concat();
        let frames = [
            zstd::encode_all(one, 1).unwrap(),
            zstd::encode_all(two, 1).unwrap(),
        ];
        for stored in [
            text.clone(),
            gzip(&text),
            three_members,
            padded_members,
            frames.concat(),
        ] {
            let (read, end) = read_all(&stored);
            assert!(read == text);
            assert_eq!(end, Ok(stored.len() as u64), "every stored byte is counted");
        }
    }

    #[test]
    fn a_damaged_stream_is_an_error_with_its_byte_and_reason() {
        let text: Vec<u8> = (0..50_000u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let compressed = gzip(&text);
        let cut_at = compressed.len() / 2;
        let (read, end) = read_all(&compressed[..cut_at]);
        assert!(!read.is_empty() && text.starts_with(&read));
        let error_start = format!("in: at byte {cut_at}: ");
        assert_eq!(
            end,
            Err(error_start.clone() + "the gzip stream ends early: the file is truncated")
        );

        let mut bad_sum = compressed.clone();
        bad_sum[compressed.len() - 6] ^= 1;
        let (_, end) = read_all(&bad_sum);
        assert!(
            end.unwrap_err()
                .ends_with("the gzip checksum does not match: the file is damaged")
        );

        let garbage = [compressed.as_slice(), b"what is this doing here?"].concat();
        let (read, end) = read_all(&garbage);
        assert!(read == text);
        let end_offset = compressed.len();
        let problem = "the gzip stream is damaged (bytes that are not gzip follow its last member)";
        assert_eq!(end, Err(format!("in: at byte {end_offset}: {problem}")));

        let zstd_bytes = zstd::encode_all(&text[..], 1).unwrap();
        let (_, end) = read_all(&zstd_bytes[..zstd_bytes.len() / 2]);
        assert!(
            end.unwrap_err()
                .ends_with("the zstd stream ends early: the file is truncated")
        );
    }

    /// Regression test: whole streams that need a dictionary or a large window were reported as damaged.
    #[test]
    fn a_zstd_stream_with_a_dictionary_or_a_large_window_is_named() {
        let stream = |head: &[u8]| {
            let last_block_of_7_bytes = [7 << 3 | 1, 0, 0];
            [
                &[0x28, 0xb5, 0x2f, 0xfd],
                head,
                &last_block_of_7_bytes,
                b"a line\n",
            ]
            .concat()
        };
        let (read, end) = read_all(&stream(&[0, 0x40]));
        assert_eq!((&*read, end.is_ok()), (&b"a line\n"[..], true));
        let (_, end) = read_all(&stream(&[1, 0x40, 7]));
        assert!(end.unwrap_err().contains("needs the dictionary"));
        let (_, end) = read_all(&stream(&[0, 0x90]));
        assert!(end.unwrap_err().contains("zstd -d --long=31"));
    }

    #[test]
    fn looking_does_not_lose_bytes() {
        let mut stored = InputBytes::new("in", b"abcdef", io::empty()).unwrap();
        assert_eq!(stored.peek(4).unwrap(), b"abcd");
        assert_eq!(stored.peek(2).unwrap(), b"ab");
        assert_eq!(stored.peek(5).unwrap(), b"abcde");
        assert_eq!(stored.peek(4).unwrap(), b"abcd");
        stored.skip(1);
        let mut buffer = [0; 10];
        let mut decompressed = Vec::new();
        while let Ok(count @ 1..) = stored.read(&mut buffer) {
            decompressed.extend_from_slice(&buffer[..count]);
        }
        assert_eq!(decompressed, b"bcdef");
    }
}
