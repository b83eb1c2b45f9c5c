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

/// Parses batches whose first column is the puzzles. If there are solutions, they are the second column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnParser {
    pub(crate) has_puzzles: bool,
    pub(crate) has_solutions: bool,
}

impl ColumnParser {
    pub(in crate::read) fn new(columns: &Columns) -> ColumnParser {
        ColumnParser {
            has_puzzles: columns.puzzle.is_some(),
            has_solutions: columns.solution.is_some(),
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
                    puzzle: puzzle(text, reason.map(|(_, reason)| reason)),
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
) -> Result<Cow<'a, [u8]>, RejectReason> {
    if let Some(reason) = unreadable {
        return Err(reason.clone());
    }
    match text {
        Some(text) if text.len() <= LONGEST_TEXT => Ok(Cow::Borrowed(text)),
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
