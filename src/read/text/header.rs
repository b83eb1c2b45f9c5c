//! Parses the header of a table.

use crate::error::Error;
use crate::read::bytes::head::{HEAD_BYTES, Head};
use crate::read::cell_columns::CellColumns;
use crate::read::text::fields::{self, FieldStop, unquote};

/// The delimiters that are tried if the option `--delimiter` is not given.
pub(crate) const DELIMITERS: [u8; 4] = *b",\t;|";

/// The header of a table: its delimiter and its column names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub delimiter: u8,
    pub names: Vec<String>,
    /// The byte offset of the first record.
    pub end: usize,
    /// The number of lines before the line of the first record.
    pub lines: u64,
    /// The columns of a table that has a column for each cell; `None` if a column holds whole grids.
    pub cells: Option<CellColumns>,
}

/// The number of records that are compared with a header.
const MOST_RECORDS: usize = 3;

/// The fields of the first complete records after a header.
pub(super) fn first_records(head: &Head<'_>, after: &Header) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut start = after.end;
    while start < head.bytes.len() && records.len() < MOST_RECORDS {
        let record = header(head.bytes, start, after.delimiter);
        if record.end <= start || record.end >= head.bytes.len() && !head.is_all {
            break;
        }
        start = record.end;
        if !(record.names.len() == 1 && record.names[0].is_empty()) {
            records.push(record.names);
        }
    }
    records
}

/// Returns the header, if all of it is within the first 64 KiB of the text. Otherwise fails.
pub(crate) fn complete_header(head: &Head<'_>, header: Header) -> Result<Header, Error> {
    if header.end < HEAD_BYTES {
        return Ok(header);
    }
    Err(head.unknown("the header line is longer than 64 KiB, or a quote in it is not closed"))
}

/// Parses the record at the offset `start` as a header.
pub(super) fn header(head: &[u8], start: usize, delimiter: u8) -> Header {
    let mut names = Vec::new();
    let mut offset = start;
    loop {
        let field = fields::field(head, offset, delimiter);
        let name = unquote(head[offset..field.end].trim_ascii()).into_owned();
        names.push(String::from_utf8_lossy(&name).trim().to_owned());
        offset = field.end + 1;
        if field.stop != FieldStop::Delimiter {
            let field_end = match field.stop {
                // The header does not end within the first bytes, so its end is set to their maximum number.
                FieldStop::OpenQuote | FieldStop::Misquoted => HEAD_BYTES,
                FieldStop::LineEnd => offset,
                FieldStop::Delimiter | FieldStop::End => field.end,
            };
            let lines = head[..field_end.min(head.len())].iter();
            return Header {
                delimiter,
                names,
                end: field_end,
                lines: lines.filter(|byte| **byte == b'\n').count() as u64,
                cells: None,
            };
        }
    }
}
