//! Builds the records of text formats that have one record per line.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr;

use crate::read::bytes::without_cr;
use crate::read::{
    Batch, Carried, ColumnTypes, EmptyCell, RawRecord, RecordPosition, Records, TextChunk,
};
use crate::table::reject::RejectReason;

/// A puzzle and its solution; `None` if there is no solution.
pub(crate) struct Grids<'a> {
    pub(crate) puzzle: Cow<'a, [u8]>,
    pub(crate) solution: Option<Cow<'a, [u8]>>,
    /// What the input has in the empty cells of the puzzle, if it is a grid of numbers; `None` if it is a text.
    pub(crate) empty: Option<EmptyCell>,
}

/// Collects the records in a batch of text.
pub(crate) struct RecordList<'a> {
    rows: Vec<RawRecord<'a>>,
    fields: Vec<Option<Cow<'a, str>>>,
    width: usize,
    /// The reason to reject the batch, if it is a single broken record; `None` for intact records.
    broken: Option<&'a RejectReason>,
}

impl<'a> RecordList<'a> {
    /// An empty list with room for `rows` records. Each record has `width` fields that are copied to the output.
    pub(crate) fn new(rows: usize, chunk: Option<&'a TextChunk>, width: usize) -> RecordList<'a> {
        RecordList {
            rows: Vec::with_capacity(rows),
            fields: Vec::with_capacity(rows * width),
            width,
            broken: chunk.and_then(|chunk| chunk.broken.as_ref()),
        }
    }

    /// Whether the batch is a single broken record.
    fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Adds a record. `parse` parses it, and appends the fields that are copied to the output. If `parse` fails, the
    /// fields that it has not appended are null.
    pub(crate) fn push(
        &mut self,
        raw: &'a [u8],
        position: RecordPosition,
        parse: impl FnOnce(&'a [u8], &mut Vec<Option<Cow<'a, str>>>) -> Result<Grids<'a>, RejectReason>,
    ) {
        let grids = match self.broken {
            Some(reason) => Err(reason.clone()),
            None => parse(raw, &mut self.fields),
        };
        let (puzzle, solution, empty) = match grids {
            Ok(grids) => (Ok(grids.puzzle), grids.solution, grids.empty),
            Err(reason) => (Err(reason), None, None),
        };
        self.rows.push(RawRecord {
            puzzle,
            solution,
            position: Some(position),
            empty,
            raw,
        });
        self.fields.resize(self.rows.len() * self.width, None);
    }

    /// Returns the records. `types` are the types of the columns that are copied to the output; `None` if all are text.
    pub(crate) fn into_records(self, types: Option<Arc<ColumnTypes>>) -> Records<'a> {
        Records {
            rows: self.rows,
            carried: Carried::Text {
                width: self.width,
                fields: self.fields,
                types,
            },
        }
    }
}

/// Parses the records of a batch. `is_record` says which lines are records; the cutter must have used the same
/// function. `parse` parses a line, and appends its `width` fields that are copied to the output. If `parse` fails,
/// the fields that it has not appended are null. `types` are the types of the copied columns.
pub(crate) fn parse_line_records<'a>(
    batch: &'a Batch,
    width: usize,
    types: Option<Arc<ColumnTypes>>,
    is_record: impl Fn(&[u8]) -> bool,
    mut parse: impl FnMut(&'a [u8], &mut Vec<Option<Cow<'a, str>>>) -> Result<Grids<'a>, RejectReason>,
) -> Records<'a> {
    let chunk = batch.text();
    let mut records = RecordList::new(batch.rows, chunk, width);
    if let Some(chunk) = chunk {
        let mut position = chunk.start();
        let mut remaining_bytes = chunk.bytes.as_slice();
        while !remaining_bytes.is_empty() {
            let end = memchr(b'\n', remaining_bytes).map_or(remaining_bytes.len(), |at| at + 1);
            let (line, next) = remaining_bytes.split_at(end);
            let raw = without_cr(line.strip_suffix(b"\n").unwrap_or(line));
            if records.is_broken() || is_record(raw) {
                records.push(raw, position, &mut parse);
            }
            position.line += 1;
            position.byte_offset += end as u64;
            remaining_bytes = next;
        }
    }
    debug_assert_eq!(
        records.rows.len(),
        batch.rows,
        "cutter and parser count the same lines"
    );
    records.into_records(types)
}
