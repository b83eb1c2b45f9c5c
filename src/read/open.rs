use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::GzDecoder;

use super::sniff::TextFormat;
use super::{Input, InputFormat, InputInfo, ReadOptions, csv, lines, parquet, sniff};
use crate::error::Error;

/// How much of the start is looked at to tell compression and format.
const SNIFFED: u64 = 64 << 10;

/// Opens an input, `-` for standard input, and finds out what it is.
pub fn open(path: &str, options: &ReadOptions) -> Result<Input, Error> {
    let name = path.to_owned();
    let read_error = |error| Error::Read {
        source_name: path.to_owned(),
        error,
    };
    let bytes_read = Arc::new(AtomicU64::new(0));
    let (file, size): (Box<dyn Read + Send>, _) = if path == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path).map_err(read_error)?;
        let about = file.metadata().map_err(read_error)?;
        if about.is_dir() {
            return Err(read_error(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a directory",
            )));
        }
        let size = about.is_file().then_some(about.len());
        (Box::new(file), size)
    };
    let mut stored = Counting {
        inner: file,
        count: bytes_read.clone(),
    };
    let head = peek(&mut stored).map_err(read_error)?;
    let compression = Compression::of(&head);
    let stored = BufReader::with_capacity(128 << 10, Cursor::new(head).chain(stored));

    let about = InputInfo {
        source: name.clone(),
        bytes: size,
        compression: compression.id(),
        format: InputFormat::Parquet.id(),
        has_solutions: false,
    };
    let mut text = TextReader {
        name,
        inner: match compression {
            Compression::None => Box::new(stored),
            Compression::Gzip => Box::new(MultiGzip::new(stored)),
            Compression::Zstd => {
                let decoder = zstd::Decoder::with_buffer(stored).map_err(read_error)?;
                Box::new(decoder)
            }
        },
        bytes_read: bytes_read.clone(),
    };
    let mut head = Vec::new();
    text.fill(&mut head, SNIFFED)?;

    let named_parquet = path.ends_with(".parquet") || path.ends_with(".pq");
    let asks_parquet = options.format == Some(InputFormat::Parquet)
        || options.format.is_none() && (named_parquet || head.starts_with(b"PAR1"));
    if asks_parquet {
        if path == "-" || compression != Compression::None {
            return Err(Error::UnknownFormat {
                source_name: path.to_owned(),
                what: "Parquet is read from its end: give an uncompressed file, not a stream"
                    .into(),
            });
        }
        drop(text);
        return parquet::open(about, bytes_read, options);
    }

    let start = sniff::byte_order_mark(path, &head)?;
    match sniff::sniff(&head[start..], options) {
        TextFormat::Csv { delimiter } => csv::open(about, text, &head, start, delimiter, options),
        TextFormat::Lines => Ok(lines::open(about, text, &head, start, options)),
    }
}

/// Reads the start of a stream, until there is enough of it or it ends.
fn peek(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    stream.take(SNIFFED).read_to_end(&mut head)?;
    Ok(head)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    /// By the first bytes.
    fn of(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            _ => Compression::None,
        }
    }

    const fn id(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }
}

/// Counts the bytes that go through.
struct Counting<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The decompressed bytes of an input; its errors say where they are.
pub(super) struct TextReader {
    pub(super) name: String,
    inner: Box<dyn Read + Send>,
    pub(super) bytes_read: Arc<AtomicU64>,
}

impl TextReader {
    /// Appends up to `count` bytes; fewer only at the end.
    pub(super) fn fill(&mut self, buffer: &mut Vec<u8>, count: u64) -> Result<(), Error> {
        let read = (&mut self.inner).take(count).read_to_end(buffer);
        read.map(drop).map_err(|error| self.locate(error))
    }

    fn locate(&self, error: io::Error) -> Error {
        // An error of the system has a number; one of the decompressor has not.
        if error.raw_os_error().is_some() {
            return Error::Read {
                source_name: self.name.clone(),
                error,
            };
        }
        let what = match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                "the compressed stream ends early: the file is truncated".to_owned()
            }
            _ => format!("the compressed stream is damaged: {error}"),
        };
        Error::Corrupt {
            source_name: self.name.clone(),
            byte_offset: self.bytes_read.load(Ordering::Relaxed),
            what,
        }
    }

    /// A reader over bytes in memory.
    #[cfg(test)]
    pub(super) fn of(inner: impl Read + Send + 'static) -> TextReader {
        TextReader {
            name: "test".into(),
            inner: Box::new(inner),
            bytes_read: Arc::default(),
        }
    }
}

/// All members of a gzip file, one after the other; zeros behind the last are padding.
struct MultiGzip<R> {
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> MultiGzip<R> {
    fn new(stored: R) -> MultiGzip<R> {
        MultiGzip {
            member: Some(GzDecoder::new(stored)),
        }
    }
}

impl<R: BufRead> Read for MultiGzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(member) = self.member.take() else {
                break;
            };
            let mut stored = member.into_inner();
            let mut padded = false;
            self.member = loop {
                let rest = stored.fill_buf()?;
                let zeros = rest.iter().take_while(|byte| **byte == 0).count();
                match rest.first() {
                    None => break None,
                    Some(0) => padded = true,
                    Some(0x1f) if !padded => break Some(GzDecoder::new(stored)),
                    Some(_) => {
                        let what = "bytes that are no gzip follow the gzip stream";
                        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
                    }
                }
                stored.consume(zeros);
            };
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn all_members_are_read_and_padding_is_not() {
        let mut stored = gzip(b"one ");
        stored.extend(gzip(b"two"));
        stored.extend([0; 700]);
        let mut text = String::new();
        MultiGzip::new(stored.as_slice())
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "one two");
        stored.push(7);
        assert!(
            MultiGzip::new(stored.as_slice())
                .read_to_string(&mut text)
                .is_err()
        );
    }

    #[test]
    fn a_cut_stream_is_an_error_at_every_length() {
        let stored = gzip(&b"123456789.".repeat(50));
        for length in 1..stored.len() {
            let mut reader = TextReader::of(MultiGzip::new(Cursor::new(stored[..length].to_vec())));
            let error = reader.fill(&mut Vec::new(), u64::MAX).unwrap_err();
            assert!(error.to_string().contains("truncated"), "{length}: {error}");
        }
    }
}
