//! Reads the directory at the end of a zip archive.

use flate2::Crc;

use super::refusals::several_files_message;
use super::{DIRECTORY_SIGNATURE, END_SIGNATURE, ZIP64_END_SIGNATURE, u16_at, u32_at, u64_at};

/// Names of files in archives that are one document, or one file of another program.
const PART_NAMES: [&str; 5] = [
    "[Content_Types].xml",
    "mimetype",
    "MANIFEST.MF",
    "data.pkl",
    "AndroidManifest.xml",
];

/// The directory at the end of a zip archive, with an entry for each file.
pub(super) struct Directory {
    /// The number of entries that the record at the end of the directory states.
    count: u64,
    /// The entries of the directory that could be read.
    entries: Vec<DirectoryEntry>,
}

/// A file's entry in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DirectoryEntry {
    pub(crate) name: String,
    pub(super) is_encrypted: bool,
    /// The compression method: 0 is stored, 8 is deflated.
    pub(super) method: u16,
    pub(super) crc: u32,
    /// The size in bytes of the file's data in the archive, before decompression.
    pub(super) stored_size: u64,
    /// The size in bytes after decompression.
    pub(super) size: u64,
    /// The offset in the archive of the file's local header.
    pub(super) offset: u64,
}

impl Directory {
    /// Finds the directory in the last bytes of an archive; `None` if there is none.
    pub(super) fn from_tail(tail: &[u8]) -> Option<Directory> {
        // The archive may end with a comment, whose length is in the end record.
        let last_offset = tail.len().checked_sub(22)?;
        let first_offset = last_offset.saturating_sub(usize::from(u16::MAX));
        let is_end = |at: &usize| tail[*at..].starts_with(END_SIGNATURE);
        let is_at_end = |at: &usize| at + 22 + usize::from(u16_at(tail, at + 20)) == tail.len();
        let mut directory_ends = (first_offset..=last_offset).rev().filter(is_end);
        if let Some(end) = directory_ends.clone().find(is_at_end) {
            return Some(Directory::from_end_record(tail, end));
        }
        // Bytes that do not belong to the archive, such as a signature or a line end, may follow the end record.
        directory_ends.find_map(|end| {
            let directory = Directory::from_end_record(tail, end);
            (directory.is_whole() && directory.count > 0).then_some(directory)
        })
    }

    /// Parses the directory whose end record is at the offset `end`.
    fn from_end_record(tail: &[u8], end: usize) -> Directory {
        let mut count = u64::from(u16_at(tail, end + 10));
        let mut size = u64::from(u32_at(tail, end + 12));
        let mut directory_end = end;
        // An archive in Zip64 format has another, larger end record before the usual one.
        if let Some(zip64_end) = end
            .checked_sub(76)
            .filter(|at| tail[*at..].starts_with(ZIP64_END_SIGNATURE))
        {
            count = u64_at(tail, zip64_end + 32);
            size = u64_at(tail, zip64_end + 40);
            directory_end = zip64_end;
        }
        let mut entries = Vec::new();
        let start = usize::try_from(size)
            .ok()
            .and_then(|size| directory_end.checked_sub(size));
        let mut directory_bytes = start.map_or(&[][..], |start| &tail[start..directory_end]);
        while directory_bytes.starts_with(DIRECTORY_SIGNATURE) && directory_bytes.len() >= 46 {
            let name = usize::from(u16_at(directory_bytes, 28));
            let extra_bytes = usize::from(u16_at(directory_bytes, 30));
            let length = 46 + name + extra_bytes + usize::from(u16_at(directory_bytes, 32));
            let (Some(bytes), Some(extra)) = (
                directory_bytes.get(46..46 + name),
                directory_bytes.get(46 + name..46 + name + extra_bytes),
            ) else {
                break;
            };
            entries.push(DirectoryEntry::parse(directory_bytes, bytes, extra));
            directory_bytes = directory_bytes.get(length..).unwrap_or_default();
        }
        Directory { count, entries }
    }

    fn is_whole(&self) -> bool {
        self.count == self.entries.len() as u64
    }

    /// The entries that are neither folders nor metadata of macOS.
    pub(super) fn files(&self) -> impl Iterator<Item = &DirectoryEntry> {
        let is_file = |entry: &&DirectoryEntry| {
            !entry.name.ends_with('/') && !entry.name.starts_with("__MACOSX/")
        };
        self.entries.iter().filter(is_file)
    }

    /// The files of the archive, if all are NumPy arrays; otherwise `None`.
    pub(super) fn arrays(&self) -> Option<Vec<DirectoryEntry>> {
        let files: Vec<DirectoryEntry> = self.files().cloned().collect();
        let are_arrays = files.iter().all(|entry| entry.array_name().is_some());
        (self.is_whole() && are_arrays).then_some(files)
    }

    /// The files of the archive, if they can be inputs of their own: there are several, and they are not the parts of one
    /// document or of one set of arrays. Otherwise `None`.
    pub(super) fn members(&self) -> Option<Vec<DirectoryEntry>> {
        let files: Vec<DirectoryEntry> = self.files().cloned().collect();
        let is_part = |entry: &DirectoryEntry| {
            let name = entry.name.as_str();
            PART_NAMES
                .iter()
                .any(|part| name == *part || name.ends_with(&format!("/{part}")))
        };
        let are_members = self.is_whole()
            && files.len() > 1
            && !files.iter().any(is_part)
            && !files.iter().all(|entry| entry.array_name().is_some());
        are_members.then_some(files)
    }

    pub(super) fn refusal_reason(&self) -> Option<String> {
        if !self.is_whole() {
            return Some(several_files_message(&[]));
        }
        let names: Vec<&str> = self.files().map(|entry| entry.name.as_str()).collect();
        match names.as_slice() {
            [] => Some("the zip archive holds no file".to_owned()),
            [_] => None,
            names => Some(several_files_message(names)),
        }
    }
}

impl DirectoryEntry {
    /// Parses a directory entry. `head` is its fixed part of 46 bytes.
    fn parse(head: &[u8], name: &[u8], extra: &[u8]) -> DirectoryEntry {
        // Numbers that need 64 bits are stored in the Zip64 extra field, in the order in which they are read here.
        let mut large_values = zip64_numbers(extra).chunks_exact(8);
        let mut read_number = |at: usize| match u32_at(head, at) {
            u32::MAX => large_values
                .next()
                .map_or(u64::MAX, |bytes| u64_at(bytes, 0)),
            small => u64::from(small),
        };
        let size = read_number(24);
        let stored_size = read_number(20);
        let offset = read_number(42);
        DirectoryEntry {
            name: String::from_utf8_lossy(name).into_owned(),
            is_encrypted: u16_at(head, 8) & 1 != 0,
            method: u16_at(head, 10),
            crc: u32_at(head, 16),
            stored_size,
            size,
            offset,
        }
    }

    /// The path of the file within the archive, without empty parts and parts that stand for the same folder.
    pub(crate) fn path(&self) -> String {
        plain_path(&self.name)
    }

    /// The size in bytes of the file's data in the archive.
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.stored_size
    }

    /// The name of the array; `None` if the file is not a NumPy array.
    pub(crate) fn array_name(&self) -> Option<&str> {
        self.name.strip_suffix(".npy")
    }

    /// Compares the checksum and the size of decompressed data with those in the directory. Returns what differs;
    /// `None` if both agree.
    pub(super) fn difference(&self, crc: &Crc, bytes: u64) -> Option<&'static str> {
        if self.crc != crc.sum() {
            Some("the checksum does not match")
        } else if self.size != bytes && self.size != u64::MAX {
            Some("its size is not that in its directory")
        } else {
            None
        }
    }
}

/// The path without empty parts and without `.`.
pub(super) fn plain_path(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.collect::<Vec<_>>().join("/")
}

/// The content of the extra field with the numbers that need 64 bits (Zip64).
pub(super) fn zip64_numbers(mut extra: &[u8]) -> &[u8] {
    while extra.len() >= 4 {
        let field_end = 4 + usize::from(u16_at(extra, 2));
        let Some(field) = extra.get(4..field_end) else {
            break;
        };
        if u16_at(extra, 0) == 1 {
            return field;
        }
        extra = &extra[field_end..];
    }
    &[]
}
