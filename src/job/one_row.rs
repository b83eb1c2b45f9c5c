//! The puzzle of a single row of an input.

use crate::error::Error;
use crate::formats;
use crate::job::threads::records::parse_record;
use crate::read::{self, Input, Payload, ReadOptions};
use crate::store::{FetchedObject, FileMetadata};

/// What a row of an input holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowContent {
    /// A puzzle, in normal form.
    Puzzle(String),
    /// A record that is not a puzzle, with the reason.
    Reject(String),
    /// The input ends before this row.
    BeyondEnd {
        /// The number of rows of the input.
        rows: u64,
    },
}

/// Reads the row with this number, from 0, of the file or object at `path`.
///
/// # Errors
/// The input cannot be read up to this row.
pub fn content_of_row(path: &str, row: u64) -> Result<RowContent, Error> {
    let options = ReadOptions::default();
    content(formats::open(path, &options)?, row, &options)
}

/// Reads the row with this number, from 0, of a text in any format that an input can have. `name` is its name in messages.
///
/// # Errors
/// The text cannot be read up to this row.
pub fn content_of_text(text: Vec<u8>, name: &str, row: u64) -> Result<RowContent, Error> {
    let options = ReadOptions::default();
    let metadata = FileMetadata {
        bytes: Some(text.len() as u64),
        ..FileMetadata::default()
    };
    let opened = FetchedObject::new(text.into(), metadata).open();
    content(formats::open_stored(opened, name, &options)?, row, &options)
}

fn content(mut input: Input, row: u64, options: &ReadOptions) -> Result<RowContent, Error> {
    let alphabets = read::alphabets(&mut input, options)?;
    let mut buffer = Vec::new();
    let mut rows = 0;
    while let Some(batch) = input.source.next(buffer)? {
        rows = batch.first_row + batch.rows as u64;
        if row < rows {
            let records = input.parser.parse(&batch)?;
            let record = &records.rows[(row - batch.first_row) as usize];
            return Ok(match parse_record(record, &alphabets) {
                Ok(puzzle) => RowContent::Puzzle(puzzle.text().to_owned()),
                Err(reason) => RowContent::Reject(reason.message),
            });
        }
        buffer = match batch.payload {
            Payload::Text(chunk) => chunk.bytes,
            Payload::Columns(_) => Vec::new(),
        };
    }
    Ok(RowContent::BeyondEnd { rows })
}
