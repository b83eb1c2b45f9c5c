//! Batches of puzzles with their solutions.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::{Field, Schema};

use crate::error::Error;
use crate::read::{Batch, Carried, ColumnChunk, Parse, Payload, RawRecord, Records, TextChunk};

/// A text batch whose records are a puzzle and its solution, with `cells` characters each and nothing in
/// between.
pub(super) fn text_batch(bytes: Vec<u8>, cells: usize, first_row: u64) -> Batch {
    let record_width = 2 * cells;
    Batch {
        first_row,
        rows: bytes.len() / record_width,
        payload: Payload::Text(TextChunk {
            bytes,
            byte_offset: record_width as u64 * first_row,
            first_line: 1,
            broken: None,
        }),
    }
}

/// A columnar batch with the puzzles and their solutions. For each puzzle, an index selects its row of `columns`.
pub(super) fn column_batch<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    origin_columns: &RecordBatch,
    rows: Vec<u32>,
    first_row: u64,
) -> Result<Batch, Error> {
    let count = rows.len();
    let text_array = |values: StringArray| -> ArrayRef { Arc::new(values) };
    let mut columns = vec![
        text_array(StringArray::from_iter_values(
            pairs.clone().map(|(puzzle, _)| puzzle),
        )),
        text_array(StringArray::from_iter_values(
            pairs.map(|(_, solution)| solution),
        )),
    ];
    let mut fields = vec![
        Arc::new(Field::new("puzzle", columns[0].data_type().clone(), true)),
        Arc::new(Field::new("solution", columns[1].data_type().clone(), true)),
    ];
    let rows = UInt32Array::from(rows);
    for (column, field) in origin_columns
        .columns()
        .iter()
        .zip(origin_columns.schema().fields())
    {
        columns.push(take(column, &rows, None)?);
        fields.push(field.clone());
    }
    Ok(Batch {
        first_row,
        rows: count,
        payload: Payload::Columns(ColumnChunk {
            columns: RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?,
            unreadable: Vec::new(),
            empty: None,
        }),
    })
}

/// Splits the records of a text batch into puzzle and solution.
pub(super) struct PairParser {
    /// The number of cells in a grid.
    pub(super) cell_count: usize,
}

impl Parse for PairParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let bytes = match &batch.payload {
            Payload::Text(chunk) => chunk.bytes.as_slice(),
            Payload::Columns(_) => &[],
        };
        let rows = bytes.chunks_exact(2 * self.cell_count).map(|pair| {
            let (puzzle, solution) = pair.split_at(self.cell_count);
            RawRecord {
                empty: None,
                puzzle: Ok(Cow::Borrowed(puzzle)),
                solution: Some(Cow::Borrowed(solution)),
                position: None,
                raw: puzzle,
            }
        });
        Ok(Records {
            rows: rows.collect(),
            carried: Carried::Text {
                width: 0,
                fields: Vec::new(),
                types: None,
            },
        })
    }
}
