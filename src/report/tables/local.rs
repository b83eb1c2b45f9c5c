//! Brings tables to where polars can read them in place: to files on this machine, uncompressed.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::FileWriter;
use flate2::read::MultiGzDecoder;
use tempfile::{NamedTempFile, TempPath};

use crate::error::{AnalysisError, Error};
use crate::store::{self, Location};

/// The formats that polars reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableFormat {
    Parquet,
    ArrowFile,
    Ndjson,
    Delimited,
}

/// A table on this machine.
pub(super) struct LocalTable {
    pub(super) path: PathBuf,
    pub(super) kind: TableFormat,
    /// The first bytes.
    pub(super) head: Vec<u8>,
    /// Removes the file at the end, where it is a copy.
    pub(super) _copy: Option<TempPath>,
}

/// The bytes at the start of a file that tell its format.
const HEAD: u64 = 64 << 10;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The table of this name as a file that polars can read.
pub(super) fn bring(name: &str) -> Result<LocalTable, Error> {
    let location = Location::parse(name)?;
    let refused = |error| Error::Read {
        source_name: name.to_owned(),
        error,
    };
    let (mut path, mut copy) = match &location {
        Location::Local(path) if path.is_file() => (path.clone(), None),
        _ => {
            let opened = store::open(&location)?;
            let copy = spool(opened.reader).map_err(refused)?;
            (copy.to_path_buf(), Some(copy))
        }
    };
    let mut head = head(&path).map_err(refused)?;
    if head.starts_with(GZIP) || head.starts_with(ZSTD) {
        let inflated =
            inflate(&path, head.starts_with(GZIP)).map_err(|error| AnalysisError::Unreadable {
                source_name: name.to_owned(),
                cause: error.to_string(),
            })?;
        path = inflated.to_path_buf();
        copy = Some(inflated);
        head = self::head(&path).map_err(refused)?;
    }
    let unreadable = |cause: String| AnalysisError::Unreadable {
        source_name: name.to_owned(),
        cause,
    };
    let kind = match kind(&head) {
        Some(RecognisedTable::Kind(kind)) => kind,
        Some(RecognisedTable::ArrowStream) => {
            let file = stream_as_file(&path).map_err(|error| unreadable(error.to_string()))?;
            path = file.to_path_buf();
            copy = Some(file);
            TableFormat::ArrowFile
        }
        None if head.is_empty() => {
            return Err(Error::EmptyInput {
                source_name: name.to_owned(),
            });
        }
        None => {
            return Err(AnalysisError::NotATable {
                source_name: name.to_owned(),
            }
            .into());
        }
    };
    Ok(LocalTable {
        path,
        kind,
        head,
        _copy: copy,
    })
}

enum RecognisedTable {
    Kind(TableFormat),
    ArrowStream,
}

/// The format of a file that begins with these bytes.
fn kind(head: &[u8]) -> Option<RecognisedTable> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace())?;
    Some(RecognisedTable::Kind(match first {
        _ if head.starts_with(b"PAR1") => TableFormat::Parquet,
        _ if head.starts_with(b"ARROW1") => TableFormat::ArrowFile,
        _ if head.starts_with(&[0xff; 4]) => return Some(RecognisedTable::ArrowStream),
        b'{' => TableFormat::Ndjson,
        _ if is_header(text) => TableFormat::Delimited,
        _ => return None,
    }))
}

/// Whether the first line names columns: no part of it is a grid, and it is text.
fn is_header(text: &[u8]) -> bool {
    let line = text
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .next()
        .unwrap_or_default();
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    let mut fields = line.split([',', ';', '\t', '|']);
    let is_name = |field: &str| {
        let letters = field
            .chars()
            .filter(|letter| letter.is_alphabetic())
            .count();
        letters > 0 && field.len() < 256 && !field.contains(['[', '{', '<'])
    };
    // A field without a name is an index column, as pandas writes it.
    fields.clone().any(is_name) && fields.all(|field| field.trim().is_empty() || is_name(field))
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// A copy of what is read, in a temporary file.
fn spool(mut reader: impl Read) -> std::io::Result<TempPath> {
    let mut file = NamedTempFile::new()?;
    std::io::copy(&mut reader, &mut file)?;
    file.flush()?;
    Ok(file.into_temp_path())
}

fn inflate(path: &Path, is_gzip: bool) -> std::io::Result<TempPath> {
    let file = BufReader::with_capacity(1 << 20, File::open(path)?);
    match is_gzip {
        true => spool(MultiGzDecoder::new(file)),
        false => spool(zstd::Decoder::with_buffer(file)?),
    }
}

/// An Arrow stream as an Arrow file.
fn stream_as_file(path: &Path) -> Result<TempPath, arrow::error::ArrowError> {
    let mut input = File::open(path)?;
    input.seek(SeekFrom::Start(0))?;
    let reader = StreamReader::try_new(BufReader::new(input), None)?;
    let file = NamedTempFile::new()?;
    let mut writer = FileWriter::try_new(BufWriter::new(file.reopen()?), &reader.schema())?;
    for batch in reader {
        writer.write(&batch?)?;
    }
    writer.finish()?;
    Ok(file.into_temp_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_told_from_lines_of_puzzles() {
        let grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        assert!(is_header(b"puzzle,solution\n"));
        assert!(is_header(b",quizzes;x\r\n"));
        assert!(is_header(b"puzzle"));
        assert!(!is_header(grid.as_bytes()));
        assert!(!is_header(format!("a,{grid}").as_bytes()));
        assert!(!is_header(b"\xff\xfe"));
        assert!(!is_header(b"[{\"puzzle\": 1}]"));
        assert!(!is_header(b"<opensudoku>"));
    }
}
