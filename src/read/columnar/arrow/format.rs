//! Arrow IPC as an input format: how files and streams are recognised.

use super::{is_file, is_stream, open_file, open_stream};
use crate::error::Error;
use crate::read::format::{
    BytesFormat, DecompressedBytes, FileFormat, InputColumns, ReadFormat, StoredFile, UNREAD,
};
use crate::read::{Input, ReadOptions};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "arrow",
    doc: "An Arrow IPC file (Feather 2) or stream with such a column",
    columns: InputColumns::Named,
    endings: &["arrow", "arrows", "feather", "ipc"],
    file: Some(&ArrowFormat),
    bytes: Some(&ArrowFormat),
    ..UNREAD
};

struct ArrowFormat;

impl FileFormat for ArrowFormat {
    fn open(
        &self,
        file: &mut StoredFile<'_>,
        options: &ReadOptions,
    ) -> Result<Option<Input>, Error> {
        if !is_file(file.magic) {
            return Ok(None);
        }
        match file.random.take() {
            Some(random) => open_file(file.path, random, options).map(Some),
            None => Err(file.unknown_format(
                "an Arrow file cannot be read from a pipe, since its index is at its end: save it as a file, or \
                 send a stream",
            )),
        }
    }
}

/// Opens streams. An input that only its name or the options call Arrow gets an error.
impl BytesFormat for ArrowFormat {
    fn has_magic(&self, first_bytes: &[u8]) -> bool {
        is_stream(first_bytes) || is_file(first_bytes)
    }

    fn open(&self, input: DecompressedBytes<'_>, options: &ReadOptions) -> Result<Input, Error> {
        open_stream(
            input.path,
            input.source_name.to_owned(),
            input.stored_bytes,
            input.bytes,
            options,
        )
    }
}
