//! NumPy arrays and archives of them as input formats: how they are recognised.

use super::archive::open_archive;
use super::header::is_npy;
use crate::error::Error;
use crate::read::bytes::stored::InputCompression;
use crate::read::bytes::zip;
use crate::read::format::{
    BytesFormat, DecompressedBytes, FileFormat, InputColumns, ReadFormat, StoredFile, UNREAD,
};
use crate::read::{Input, InputFormat, ReadOptions};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "npy",
    doc: "A NumPy array of integers or texts",
    is_array: true,
    bytes: Some(&ArrayFormat),
    ..UNREAD
};

pub(crate) static ARCHIVE_FORMAT: ReadFormat = ReadFormat {
    id: "npz",
    doc: "An archive of NumPy arrays, which are the columns of a table",
    columns: InputColumns::Named,
    is_array: true,
    file: Some(&ArchiveFormat),
    ..UNREAD
};

struct ArrayFormat;

impl BytesFormat for ArrayFormat {
    fn has_magic(&self, first_bytes: &[u8]) -> bool {
        is_npy(first_bytes)
    }

    fn open(&self, input: DecompressedBytes<'_>, options: &ReadOptions) -> Result<Input, Error> {
        let is_stored = input.bytes.compression() == InputCompression::None;
        super::open(
            input.path,
            input.source_name,
            input.stored_bytes,
            input.bytes,
            input.file.filter(|_| is_stored),
            options,
        )
    }
}

struct ArchiveFormat;

impl FileFormat for ArchiveFormat {
    /// Opens an archive of several arrays. An archive with a single array is read like a file with this array, which is
    /// also possible for a pipe.
    fn open(
        &self,
        file: &mut StoredFile<'_>,
        options: &ReadOptions,
    ) -> Result<Option<Input>, Error> {
        let is_asked = InputFormat::NPZ.is_asked(options);
        let archive = file.random.as_ref();
        let archive = archive.filter(|_| zip::is_archive(file.magic));
        let arrays = archive.and_then(|archive| Some((archive, zip::arrays(archive)?)));
        match arrays {
            Some((archive, arrays)) if arrays.len() > 1 || is_asked => {
                open_archive(file.path, file.source_name, archive, &arrays, options).map(Some)
            }
            _ if is_asked => {
                Err(file.unknown_format("this is not a file with a zip archive of NumPy arrays"))
            }
            _ => Ok(None),
        }
    }
}
