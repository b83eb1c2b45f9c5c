//! Random access: reads a file or object at any position.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::ReadWatch;

/// A file or object that can be read at any position, as readers of Parquet and Arrow files do.
#[derive(Clone)]
pub struct RandomAccess {
    source: Arc<dyn ReadAt>,
    bytes: u64,
    watch: ReadWatch,
}

/// A source of bytes that can be read at any position.
pub(crate) trait ReadAt: Send + Sync {
    /// Reads bytes into `buffer`, starting at `offset`, and returns their number. 0 means the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Returns exactly `length` bytes, starting at `offset`. It is an error if the file has fewer.
    fn get_bytes_at(&self, offset: u64, length: usize) -> io::Result<Bytes>;

    /// Whether reading a few bytes takes no request to a store.
    fn is_near(&self) -> bool {
        true
    }
}

impl ReadAt for Arc<File> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        FileExt::read_at(&**self, buffer, offset)
    }

    fn get_bytes_at(&self, offset: u64, length: usize) -> io::Result<Bytes> {
        let mut bytes = vec![0; length];
        self.read_exact_at(&mut bytes, offset)?;
        Ok(bytes.into())
    }
}

impl RandomAccess {
    pub(crate) fn new(source: impl ReadAt + 'static, bytes: u64) -> RandomAccess {
        RandomAccess {
            source: Arc::new(source),
            bytes,
            watch: ReadWatch::default(),
        }
    }

    /// Wraps the reader, so that `watch` records its errors.
    pub(super) fn with_watch(self, watch: &ReadWatch) -> RandomAccess {
        RandomAccess {
            watch: watch.clone(),
            ..self
        }
    }

    /// Whether reading a few bytes takes no request to a store.
    pub(crate) fn is_near(&self) -> bool {
        self.source.is_near()
    }

    /// The size of the file or object in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A new reader, which starts at the first byte.
    pub fn reader(&self) -> RandomReader {
        RandomReader {
            source: self.clone(),
            offset: 0,
        }
    }
}

impl Length for RandomAccess {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for RandomAccess {
    type T = BufReader<RandomReader>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let mut reader = self.reader();
        reader.offset = start;
        Ok(BufReader::new(reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end_offset = start.checked_add(length as u64);
        if end_offset.is_none_or(|end_offset| end_offset > self.bytes) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at {start} are more than there are"
            )));
        }
        Ok(self
            .watch
            .record_failure(self.source.get_bytes_at(start, length))?)
    }
}

/// Reads a [`RandomAccess`] sequentially from a position that can be set.
pub struct RandomReader {
    source: RandomAccess,
    offset: u64,
}

impl Read for RandomReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let RandomAccess {
            source,
            watch,
            bytes,
        } = &self.source;
        // A damaged index can lead to an offset that is larger than the system accepts.
        if self.offset >= *bytes {
            return Ok(0);
        }
        let read_bytes = watch.record_failure(source.read_at(self.offset, buffer))?;
        self.offset += read_bytes as u64;
        Ok(read_bytes)
    }
}

impl Seek for RandomReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let new_offset = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.source.bytes.checked_add_signed(by),
            SeekFrom::Current(by) => self.offset.checked_add_signed(by),
        };
        self.offset = new_offset.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_read_at_any_place() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let file = RandomAccess::new(Arc::new(file), 10);
        let (mut one, mut other) = (file.reader(), file.reader());
        assert_eq!(one.seek(SeekFrom::End(-3)).unwrap(), 7);
        // Regression test, found by the fuzzer: for this offset the system returned the error EINVAL. It was reported
        // like a failing disk, and not like a damaged archive.
        assert_eq!(other.seek(SeekFrom::Start(u64::MAX)).unwrap(), u64::MAX);
        assert_eq!(other.read(&mut [0; 4]).unwrap(), 0);
        other.rewind().unwrap();
        let mut text = String::new();
        one.read_to_string(&mut text).unwrap();
        other.read_to_string(&mut text).unwrap();
        assert_eq!(text, "7890123456789");
        assert!(other.seek(SeekFrom::Current(-11)).is_err());
        assert_eq!(&file.get_bytes(2, 3).unwrap()[..], b"234");
        assert!(file.get_bytes(8, 3).is_err());
        assert!(file.get_bytes(u64::MAX, 3).is_err());
    }
}
