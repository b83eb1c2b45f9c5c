//! Records that are lines.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr;

use crate::read::text::fields::without_cr;
use crate::read::{Batch, Carried, ColumnTypes, Payload, Position, RawRecord, Records};
use sudoku_core::text::RejectReason;

/// A puzzle, and a solution where there is one.
pub(crate) type Grids<'a> = (Cow<'a, [u8]>, Option<Cow<'a, [u8]>>);

/// The records of a batch. `is_record` says which lines are any, as the cutter counts them;
/// `take_apart` takes one apart and appends its `width` carried fields, or some of them and fails;
/// they become columns of these `types`.
pub(crate) fn records_of_lines<'a>(
    batch: &'a Batch,
    width: usize,
    types: Option<Arc<ColumnTypes>>,
    is_record: impl Fn(&[u8]) -> bool,
    mut take_apart: impl FnMut(
        &'a [u8],
        &mut Vec<Option<Cow<'a, str>>>,
    ) -> Result<Grids<'a>, RejectReason>,
) -> Records<'a> {
    let mut rows = Vec::with_capacity(batch.rows);
    let mut fields = Vec::with_capacity(batch.rows * width);
    if let Payload::Text(chunk) = &batch.payload {
        let mut position = Position {
            line: chunk.first_line,
            byte_offset: chunk.byte_offset,
        };
        let mut rest = chunk.bytes.as_slice();
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let (line, next) = rest.split_at(end);
            let raw = without_cr(line.strip_suffix(b"\n").unwrap_or(line));
            if chunk.broken.is_some() || is_record(raw) {
                let grids = match &chunk.broken {
                    Some(reason) => Err(reason.clone()),
                    None => take_apart(raw, &mut fields),
                };
                let (puzzle, solution) = match grids {
                    Ok((puzzle, solution)) => (Ok(puzzle), solution),
                    Err(reason) => (Err(reason), None),
                };
                rows.push(RawRecord {
                    puzzle,
                    solution,
                    position: Some(position),
                    raw,
                });
                fields.resize(rows.len() * width, None);
            }
            position.line += 1;
            position.byte_offset += end as u64;
            rest = next;
        }
    }
    debug_assert_eq!(
        rows.len(),
        batch.rows,
        "cutter and parser count the same lines"
    );
    Records {
        rows,
        carried: Carried::Text {
            width,
            fields,
            types,
        },
    }
}
