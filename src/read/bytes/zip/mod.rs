//! Reads a zip archive with a single file, one file of an archive with several, or the arrays in an archive that NumPy
//! wrote.
//!
//! ```text
//! entry: 50 4b 03 04, name, data ─ … ─ directory: 50 4b 01 02, sum, sizes, name ─ … ─ end: 50 4b 05 06
//! ```
//!
//! The data is read from front to back, so that an archive may come through a pipe. The checksum, the size
//! and the number of files are in the directory after the data, and are checked at the end. If the archive
//! is a regular file, its directory is checked first, and is used to find the arrays.
//!
//! The crate `zip` does not replace this code. It needs a file in which it can seek, and its reader for
//! streams refuses files whose sizes follow their data, as programs write them to pipes, and does not compare
//! the data with the directory. Both checks would remain here, beside a dependency with a parser for
//! encryption and other methods. Inflating is flate2's work. The headers have fixed sizes and are read with
//! checked offsets, names and extra fields have at most 64 KiB, and the directory is searched in the last 1 MiB:
//! an archive cannot make this code allocate more.

mod directory;
mod named;
mod refusals;

use std::io::{self, BufRead, Read, Take};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use parquet::file::reader::{ChunkReader, Length};

pub(crate) use directory::DirectoryEntry;
use directory::{Directory, plain_path, zip64_numbers};
pub(crate) use named::NamedEntry;
use refusals::several_files_message;

const ENTRY_SIGNATURE: &[u8] = b"PK\x03\x04";
const DIRECTORY_SIGNATURE: &[u8] = b"PK\x01\x02";
const END_SIGNATURE: &[u8] = b"PK\x05\x06";
const ZIP64_END_SIGNATURE: &[u8] = b"PK\x06\x06";

/// The directory is searched in this many bytes at the end of an archive.
const TAIL_BYTES: u64 = 1 << 20;

/// Whether a file with these first bytes is a zip archive.
pub(crate) fn is_archive(magic: &[u8]) -> bool {
    magic.starts_with(ENTRY_SIGNATURE) || magic.starts_with(END_SIGNATURE)
}

/// The reason, found in its directory, why an archive cannot be read; `None` if it can be read.
pub(crate) fn refusal_reason<R: ChunkReader + Length>(file: &R) -> Option<String> {
    directory(file)?.refusal_reason()
}

/// The files of an archive, if all are NumPy arrays; otherwise `None`.
pub(crate) fn arrays<R: ChunkReader + Length>(file: &R) -> Option<Vec<DirectoryEntry>> {
    directory(file)?.arrays()
}

/// The files of an archive, if they can be inputs of their own; otherwise `None`.
pub(crate) fn members<R: ChunkReader + Length>(file: &R) -> Option<Vec<DirectoryEntry>> {
    directory(file)?.members()
}

/// The file at this path in an archive; `None` if there is none.
pub(crate) fn member<R: ChunkReader + Length>(file: &R, path: &str) -> Option<DirectoryEntry> {
    let path = plain_path(path);
    let directory = directory(file)?;
    directory
        .files()
        .find(|entry| entry.path() == path)
        .cloned()
}

fn directory<R: ChunkReader + Length>(file: &R) -> Option<Directory> {
    let bytes = file.len();
    let start = bytes.saturating_sub(TAIL_BYTES);
    let length = usize::try_from(bytes - start).ok()?;
    // If reading fails here, no error is returned: reading the data fails later, and that error is reported.
    let tail = file.get_bytes(start, length).ok()?;
    Directory::from_tail(&tail)
}

/// Decompresses the only file in an archive. At the end of the file, its size and checksum are verified.
pub(crate) struct EntryReader<R> {
    state: EntryState<R>,
    crc: Crc,
    bytes: u64,
}

enum EntryState<R> {
    Begin(R),
    Stored(Take<R>),
    Deflated(DeflateDecoder<R>),
    Done,
}

impl<R: BufRead> EntryReader<R> {
    pub(crate) fn new(archive: R) -> EntryReader<R> {
        EntryReader {
            state: EntryState::Begin(archive),
            crc: Crc::new(),
            bytes: 0,
        }
    }

    fn check_at_end(&self, mut rest: R) -> io::Result<()> {
        let mut tail = Vec::new();
        rest.by_ref().take(TAIL_BYTES).read_to_end(&mut tail)?;
        let is_all = rest.fill_buf()?.is_empty();
        if !is_all {
            return Err(refused_entry(several_files_message(&[])));
        }
        let directory = Directory::from_tail(&tail).ok_or(io::ErrorKind::UnexpectedEof)?;
        if let Some(what) = directory.refusal_reason() {
            return Err(refused_entry(what));
        }
        let entry = directory.files().next();
        let entry = entry.ok_or_else(|| damaged_archive("its directory names no file"))?;
        match entry.difference(&self.crc, self.bytes) {
            Some(what) => Err(damaged_archive(what)),
            None => Ok(()),
        }
    }
}

impl<R: BufRead> Read for EntryReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if let EntryState::Begin(_) = self.state
            && let EntryState::Begin(archive) = std::mem::replace(&mut self.state, EntryState::Done)
        {
            self.state = open_first_file(archive)?;
        }
        let read_bytes = match &mut self.state {
            EntryState::Stored(data) => data.read(buffer)?,
            EntryState::Deflated(data) => data.read(buffer)?,
            EntryState::Begin(_) | EntryState::Done => 0,
        };
        self.crc.update(&buffer[..read_bytes]);
        self.bytes += read_bytes as u64;
        if read_bytes == 0 {
            match std::mem::replace(&mut self.state, EntryState::Done) {
                EntryState::Stored(data) => self.check_at_end(data.into_inner())?,
                EntryState::Deflated(data) => self.check_at_end(data.into_inner())?,
                EntryState::Begin(_) | EntryState::Done => {}
            }
        }
        Ok(read_bytes)
    }
}

/// Skips folders and the headers before the data of the first file. The data of a folder is empty, but some programs
/// compress even that.
fn open_first_file<R: BufRead>(mut archive: R) -> io::Result<EntryState<R>> {
    loop {
        let mut entry_header = [0; 30];
        archive.read_exact(&mut entry_header)?;
        if !entry_header.starts_with(ENTRY_SIGNATURE) {
            return Err(refused_entry("the zip archive holds no file".to_owned()));
        }
        let (flags, method) = (u16_at(&entry_header, 6), u16_at(&entry_header, 8));
        let mut stored_size = u64::from(u32_at(&entry_header, 18));
        let mut name = vec![0; usize::from(u16_at(&entry_header, 26))];
        archive.read_exact(&mut name)?;
        let mut extra_field = vec![0; usize::from(u16_at(&entry_header, 28))];
        archive.read_exact(&mut extra_field)?;
        if stored_size == u64::from(u32::MAX) {
            // The Zip64 field has the uncompressed size first, and then the compressed size.
            let field = zip64_numbers(&extra_field).get(8..16);
            stored_size = field.map_or(u64::MAX, |bytes| u64_at(bytes, 0));
        }
        let has_size_after_data = flags & 8 != 0;
        if name.ends_with(b"/") && flags & 1 == 0 {
            archive = skip_folder(archive, method, stored_size, has_size_after_data)?;
            continue;
        }
        if flags & 1 != 0 {
            return Err(refused_entry(
                "the zip archive is encrypted: unpack it with its password".to_owned(),
            ));
        }
        return match method {
            0 if has_size_after_data || stored_size == u64::MAX => Err(refused_entry(
                "the file in the zip archive is not compressed, and its size comes after it: \
                 unpack it"
                    .to_owned(),
            )),
            0 => Ok(EntryState::Stored(archive.take(stored_size))),
            8 => Ok(EntryState::Deflated(DeflateDecoder::new(archive))),
            other => Err(refused_entry(format!(
                "the zip archive is compressed with method {other}, and only deflate is read: \
                 unpack it"
            ))),
        };
    }
}

/// Skips the data of a folder, and the data descriptor after it, if there is one.
fn skip_folder<R: BufRead>(
    mut archive: R,
    method: u16,
    stored_size: u64,
    has_size_after_data: bool,
) -> io::Result<R> {
    if !has_size_after_data {
        io::copy(&mut archive.by_ref().take(stored_size), &mut io::sink())?;
        return Ok(archive);
    }
    if method == 8 {
        let mut decoder = DeflateDecoder::new(archive);
        if io::copy(&mut decoder, &mut io::sink())? > 0 {
            return Err(damaged_archive("a folder in it has data"));
        }
        archive = decoder.into_inner();
    }
    // The data descriptor: an optional signature, which all known programs write, the checksum, and two sizes.
    let mut descriptor = [0; 16];
    archive.read_exact(&mut descriptor)?;
    if descriptor.starts_with(b"PK\x07\x08") {
        Ok(archive)
    } else {
        Err(refused_entry(
            "the zip archive has a folder whose size comes after it without a mark: unpack it"
                .to_owned(),
        ))
    }
}

fn refused_entry(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, what)
}

fn damaged_archive(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes
        .get(at..)
        .and_then(|bytes| bytes.first_chunk())
        .map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(|bytes| bytes.first_chunk())
        .map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..)
        .and_then(|bytes| bytes.first_chunk())
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::io::{Cursor, Write};

    /// Makes an archive of these files. Each tuple is a name, a content, and whether the file is compressed.
    pub(in crate::read) fn archive(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut directory = Vec::new();
        for (name, content, deflated) in files {
            let mut crc = Crc::new();
            crc.update(content);
            let stored_data = match deflated {
                true => {
                    let level = flate2::Compression::default();
                    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
                    encoder.write_all(content).unwrap();
                    encoder.finish().unwrap()
                }
                false => content.to_vec(),
            };
            let offset = bytes.len() as u32;
            let mut header_fields = vec![20, 0, 0, 0, if *deflated { 8 } else { 0 }, 0, 0, 0, 0, 0];
            header_fields.extend(crc.sum().to_le_bytes());
            header_fields.extend((stored_data.len() as u32).to_le_bytes());
            header_fields.extend((content.len() as u32).to_le_bytes());
            header_fields.extend((name.len() as u16).to_le_bytes());
            header_fields.extend([0, 0]);
            bytes.extend(
                [
                    ENTRY_SIGNATURE,
                    &header_fields,
                    name.as_bytes(),
                    &stored_data,
                ]
                .concat(),
            );
            directory.extend(
                [
                    DIRECTORY_SIGNATURE,
                    &[20, 0],
                    &header_fields,
                    &[0; 10],
                    &offset.to_le_bytes(),
                ]
                .concat(),
            );
            directory.extend(name.as_bytes());
        }
        let count = (files.len() as u16).to_le_bytes();
        let (size, start) = (directory.len() as u32, bytes.len() as u32);
        bytes.extend(directory);
        bytes.extend([END_SIGNATURE, &[0; 4], &count, &count].concat());
        bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
        bytes.extend([0, 0]);
        bytes
    }

    fn read(archive: &[u8]) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        let mut member = EntryReader::new(Cursor::new(archive));
        match member.read_to_end(&mut text) {
            Ok(_) => Ok(text),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Regression test: archives that `unzip` can read were reported as damaged.
    #[test]
    fn folders_with_data_and_bytes_behind_the_end_are_no_damage() {
        let text = b"a line\n".repeat(5000);
        // Python's `writestr` also compresses the empty data of a folder.
        let folder = archive(&[("d/", b"", true), ("d/a.csv", &text, true)]);
        assert_eq!(read(&folder).unwrap(), text);
        // A program that writes to a pipe stores the sizes after the data, because it does not know them earlier.
        let data_offset = ENTRY_SIGNATURE.len() + 2;
        let mut piped = folder.clone();
        piped[data_offset] |= 8;
        let data_offset = 30 + "d/".len() + 2;
        piped.splice(
            data_offset..data_offset,
            [b"PK\x07\x08", &[0; 12][..]].concat(),
        );
        let directory = piped
            .windows(4)
            .position(|four| four == DIRECTORY_SIGNATURE)
            .unwrap();
        piped[directory + 8] |= 8;
        assert_eq!(read(&piped).unwrap(), text);
        let one_entry = archive(&[("a.csv", &text, true)]);
        for trailing_bytes in [
            &b"\n"[..],
            b"8 bytes.",
            &[0; 4000],
            b"PK\x05\x06 and no more than that.",
        ] {
            assert_eq!(read(&[&one_entry, trailing_bytes].concat()).unwrap(), text);
        }
        let two_entries = [one_entry.clone(), archive(&[("b.csv", b"b", true)])].concat();
        assert!(read(&two_entries).is_err());
    }

    #[test]
    fn the_one_file_is_read_and_checked() {
        let text = b"a line\n".repeat(5000);
        for deflated in [true, false] {
            let one_entry = archive(&[("a.csv", &text, deflated)]);
            assert_eq!(read(&one_entry).unwrap(), text);
            let entry_with_folders = archive(&[
                ("folder/", b"", false),
                ("folder/a.csv", &text, deflated),
                ("__MACOSX/folder/._a.csv", b"of macOS", true),
            ]);
            assert_eq!(read(&entry_with_folders).unwrap(), text);
            for cut in [10, 40, one_entry.len() / 2, one_entry.len() - 1] {
                assert!(read(&one_entry[..cut]).is_err(), "cut at {cut}");
            }
            let mut wrong_sum = one_entry.clone();
            let checksum_offset = one_entry.len() - 22 - 46 - "a.csv".len() + 16;
            wrong_sum[checksum_offset] ^= 1;
            assert_eq!(read(&wrong_sum).unwrap_err(), "the checksum does not match");
        }
    }

    #[test]
    fn no_damage_of_a_byte_gives_another_text() {
        let text = b"5,3,.,.,7\n".repeat(40);
        let archive_bytes = archive(&[("a.csv", &text, true)]);
        for at in 0..archive_bytes.len() {
            for bit in [1, 16, 128] {
                let mut damaged_bytes = archive_bytes.clone();
                damaged_bytes[at] ^= bit;
                if let Ok(read) = read(&damaged_bytes) {
                    assert_eq!(read, text, "byte {at}");
                }
            }
        }
    }

    #[test]
    fn archives_of_several_files_are_refused_with_their_names() {
        let several_entries = archive(&[("a.csv", b"1", true), ("b.csv", b"2", true)]);
        let expected = "the zip archive holds several files (a.csv, b.csv): unpack it, and name the \
                        files or their folder";
        assert_eq!(read(&several_entries).unwrap_err(), expected);
        assert_eq!(
            refusal_reason(&bytes::Bytes::from(several_entries)).unwrap(),
            expected
        );
        let arrays = archive(&[("x.npy", b"1", true), ("y.npy", b"2", true)]);
        assert!(read(&arrays).unwrap_err().contains("from a pipe"));
        let workbook = archive(&[
            ("[Content_Types].xml", b"", true),
            ("xl/workbook.xml", b"", true),
        ]);
        assert!(read(&workbook).unwrap_err().contains("Excel"));
        let empty_archive = archive(&[]);
        assert!(read(&empty_archive).is_err());
        let refusal_message = refusal_reason(&bytes::Bytes::from(empty_archive)).unwrap();
        assert_eq!(refusal_message, "the zip archive holds no file");
    }
}
