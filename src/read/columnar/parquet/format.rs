//! Parquet as an input format: how it is recognised, and which inputs are refused.

use crate::error::Error;
use crate::read::bytes::stored::InputCompression;
use crate::read::format::{FileFormat, InputColumns, ReadFormat, StoredFile, UNREAD};
use crate::read::{Input, InputFormat, ReadOptions, unsupported};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "parquet",
    doc: "Parquet with a column of text, or of lists of integers",
    columns: InputColumns::Named,
    has_row_groups: true,
    file: Some(&ParquetFormat),
    ..UNREAD
};

/// The bytes at the start and the end of a Parquet file.
pub(crate) const MAGIC: &[u8] = b"PAR1";

struct ParquetFormat;

impl FileFormat for ParquetFormat {
    fn open(
        &self,
        file: &mut StoredFile<'_>,
        options: &ReadOptions,
    ) -> Result<Option<Input>, Error> {
        let has_magic = file.magic.starts_with(MAGIC);
        let is_named = || file.path.to_ascii_lowercase().ends_with(".parquet");
        if !InputFormat::PARQUET.is_asked(options) && !has_magic && !is_named() {
            return Ok(None);
        }
        if InputCompression::from_magic(file.magic) != InputCompression::None {
            return Err(file.unknown_format(
                "this is Parquet inside gzip, zstd or zip, which is not read: decompress it first",
            ));
        }
        if !has_magic {
            return Err(match unsupported::describe(file.magic) {
                Some(what) => file.unknown_format(what),
                None => Error::Corrupt {
                    source_name: file.source_name.to_owned(),
                    byte_offset: 0,
                    what: "this is not a Parquet file: it does not start with PAR1".to_owned(),
                },
            });
        }
        match file.random.take() {
            Some(random) => super::open(file.path, random, options).map(Some),
            None if file.path.contains("://") => Err(file.unknown_format(
                "the server does not say how long the file is, and Parquet is read from its end: save it first, \
                 for instance with curl -o FILE",
            )),
            None => Err(file.unknown_format(
                "Parquet cannot be read from a pipe, since its index is at its end: save it as a file",
            )),
        }
    }
}
