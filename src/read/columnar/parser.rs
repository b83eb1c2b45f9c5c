//! Parses batches of columnar files to records, which have their values row by row.

use std::borrow::Cow;

use arrow::array::{Array, ArrayRef, AsArray};

use crate::error::Error;
use crate::read::columns::Columns;
use crate::read::{Batch, Carried, Parse, Payload, RawRecord, Records};
use crate::table::reject::{RejectKind, RejectReason};

/// The maximum length in bytes of a text that may be a puzzle. A longer text is rejected, and messages show only this
/// many bytes of it.
const LONGEST_TEXT: usize = 64 * 1024;

/// The same for a text that is no puzzle, such as the steps of a solution.
const LONGEST_JSON: usize = 16 << 20;

/// Parses batches whose first column is the puzzles. If there are solutions, they are the second column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnParser {
    pub(crate) has_puzzles: bool,
    pub(crate) has_solutions: bool,
    /// The maximum length of the texts in bytes.
    longest_text: usize,
}

impl ColumnParser {
    /// A parser of grids.
    pub(crate) fn new(has_puzzles: bool, has_solutions: bool) -> ColumnParser {
        ColumnParser {
            has_puzzles,
            has_solutions,
            longest_text: LONGEST_TEXT,
        }
    }

    /// A parser of these columns. If their values are read as JSON text, they can be longer than grids.
    pub(super) fn for_columns(columns: &Columns, reads_json: bool) -> ColumnParser {
        let parser = ColumnParser::new(columns.puzzle.is_some(), columns.solution.is_some());
        ColumnParser {
            longest_text: if reads_json {
                LONGEST_JSON
            } else {
                LONGEST_TEXT
            },
            ..parser
        }
    }
}

impl Parse for ColumnParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let Payload::Columns(chunk) = &batch.payload else {
            return Err(Error::Internal("a batch of text has no columns".to_owned()));
        };
        let columns = chunk.columns.columns();
        if !self.has_puzzles {
            let row = |_| RawRecord {
                puzzle: Ok(Cow::Borrowed(&b""[..])),
                solution: None,
                position: None,
                empty: None,
                raw: b"",
            };
            return Ok(Records {
                rows: (0..batch.rows).map(row).collect(),
                carried: Carried::Columns(columns.to_vec()),
            });
        }
        let solutions = columns.get(1).filter(|_| self.has_solutions);
        let mut unreadable = chunk.unreadable.iter().peekable();
        let rows = (0..batch.rows)
            .map(|row| {
                let text = columns.first().and_then(|column| value(column, row));
                let reason = unreadable.next_if(|(bad, _)| *bad == row);
                RawRecord {
                    puzzle: puzzle(text, reason.map(|(_, reason)| reason), self.longest_text),
                    solution: solutions
                        .and_then(|column| value(column, row))
                        .filter(|text| !text.is_empty())
                        .map(Cow::Borrowed),
                    position: None,
                    empty: chunk.empty,
                    raw: text
                        .map(|text| &text[..text.len().min(LONGEST_TEXT)])
                        .unwrap_or_default(),
                }
            })
            .collect();
        let carried = columns.get(1 + usize::from(self.has_solutions)..);
        Ok(Records {
            rows,
            carried: Carried::Columns(carried.unwrap_or_default().to_vec()),
        })
    }
}

fn puzzle<'a>(
    text: Option<&'a [u8]>,
    unreadable: Option<&RejectReason>,
    longest_text: usize,
) -> Result<Cow<'a, [u8]>, RejectReason> {
    if let Some(reason) = unreadable {
        return Err(reason.clone());
    }
    match text {
        Some(text) if text.len() <= longest_text => Ok(Cow::Borrowed(text)),
        Some(text) => {
            let message = format!("the text has {} bytes; a puzzle has 81", text.len());
            Err(RejectReason::new(RejectKind::WrongLength, message))
        }
        None => Err(RejectReason::new(
            RejectKind::NullValue,
            "the puzzle is null",
        )),
    }
}

fn value(column: &ArrayRef, row: usize) -> Option<&[u8]> {
    if column.is_null(row) {
        return None;
    }
    match column.as_string_opt::<i32>() {
        Some(text) => Some(text.value(row).as_bytes()),
        None => column.as_binary_opt::<i32>().map(|bytes| bytes.value(row)),
    }
}
