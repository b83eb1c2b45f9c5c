//! Reads one file of a zip archive with several files. The archive's directory states where the file is.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::directory::DirectoryEntry;
use super::{ENTRY_SIGNATURE, damaged_archive, refused_entry, u16_at};
use crate::store::{RandomAccess, RandomReader};

/// The number of bytes that are read at a time. It is small because many files of one archive may be open together.
const READ_SIZE: usize = 32 * 1024;

/// Decompresses one file (member) of an archive. At the end of the file, its size and checksum are verified.
pub(crate) struct NamedEntry {
    data: MemberData,
    entry: DirectoryEntry,
    crc: Crc,
    bytes: u64,
    is_done: bool,
}

enum MemberData {
    Stored(Take<BufReader<RandomReader>>),
    Deflated(DeflateDecoder<Take<BufReader<RandomReader>>>),
}

impl NamedEntry {
    /// Opens one file of an archive. Also returns the offset in the archive of the file's data.
    pub(crate) fn open(
        archive: &RandomAccess,
        entry: &DirectoryEntry,
    ) -> io::Result<(NamedEntry, u64)> {
        let name = &entry.name;
        let cannot_read =
            |what: &str| refused_entry(format!("{name:?} in the zip archive {what}: unpack it"));
        if entry.is_encrypted {
            return Err(cannot_read("is encrypted"));
        }
        let mut reader = archive.reader();
        reader.seek(SeekFrom::Start(entry.offset))?;
        let mut entry_header = [0; 30];
        reader.read_exact(&mut entry_header)?;
        if !entry_header.starts_with(ENTRY_SIGNATURE) {
            return Err(damaged_archive(
                "its directory names a file that is not there",
            ));
        }
        // The lengths of the name and of the extra fields in the local header can differ from those in the
        // directory.
        let name_and_extra_bytes =
            u64::from(u16_at(&entry_header, 26)) + u64::from(u16_at(&entry_header, 28));
        let data_start = entry.offset.saturating_add(30 + name_and_extra_bytes);
        reader.seek(SeekFrom::Start(data_start))?;
        let stored = BufReader::with_capacity(READ_SIZE, reader).take(entry.stored_size);
        let data = match entry.method {
            0 => MemberData::Stored(stored),
            8 => MemberData::Deflated(DeflateDecoder::new(stored)),
            _ => {
                return Err(cannot_read(
                    "is compressed with a method that is not deflate",
                ));
            }
        };
        let member = NamedEntry {
            data,
            entry: entry.clone(),
            crc: Crc::new(),
            bytes: 0,
            is_done: false,
        };
        Ok((member, data_start))
    }

    /// The number of bytes of the archive that have been decompressed for this file.
    pub(crate) fn stored_bytes_read(&self) -> u64 {
        match &self.data {
            MemberData::Stored(_) => self.bytes,
            MemberData::Deflated(data) => data.total_in(),
        }
    }
}

impl Read for NamedEntry {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || self.is_done {
            return Ok(0);
        }
        let read_bytes = match &mut self.data {
            MemberData::Stored(data) => data.read(buffer)?,
            MemberData::Deflated(data) => data.read(buffer)?,
        };
        self.crc.update(&buffer[..read_bytes]);
        self.bytes += read_bytes as u64;
        if read_bytes == 0 {
            self.is_done = true;
            if let Some(what) = self.entry.difference(&self.crc, self.bytes) {
                return Err(damaged_archive(what));
            }
        }
        Ok(read_bytes)
    }
}
