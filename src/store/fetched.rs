//! A small object whose bytes are all in memory.

use std::io::{self, Cursor, Read};

use bytes::Bytes;

use super::random::ReadAt;
use super::{FileMetadata, OpenedInput, RandomAccess, ReadWatch};

/// An object that was fetched whole. It can be opened several times without a request.
#[derive(Clone, Debug)]
pub struct FetchedObject {
    bytes: Bytes,
    metadata: FileMetadata,
}

impl FetchedObject {
    /// An object with these bytes.
    pub(crate) fn new(bytes: Bytes, metadata: FileMetadata) -> FetchedObject {
        FetchedObject { bytes, metadata }
    }

    /// The size and version of the object when it was fetched.
    pub(crate) fn metadata(&self) -> &FileMetadata {
        &self.metadata
    }

    /// The size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Opens the object.
    pub(crate) fn open(&self) -> OpenedInput {
        let opened_input = OpenedInput {
            reader: Box::new(Cursor::new(self.bytes.clone())),
            random: Some(RandomAccess::new(self.bytes.clone(), self.size())),
            metadata: self.metadata.clone(),
            watch: ReadWatch::default(),
        };
        opened_input.with_watched_reader()
    }
}

impl ReadAt for Bytes {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        self.get(start..).unwrap_or_default().read(buffer)
    }

    fn get_bytes_at(&self, offset: u64, length: usize) -> io::Result<Bytes> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        match start.checked_add(length) {
            Some(end) if end <= self.len() => Ok(self.slice(start..end)),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
