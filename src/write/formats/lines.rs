//! Writes one puzzle on each line, with its solution if there is one.

use arrow::array::{Array, AsArray, RecordBatch, StringArray};

use crate::error::Error;
use crate::table::layout::Holds;
use crate::write::RowGroup;
use crate::write::formats::format::{WriteFormat, stored_unchanged};
use crate::write::formats::text::{self, WriteText};

pub(crate) static FORMAT: WriteFormat = WriteFormat {
    id: "lines",
    endings: &["txt", "sdm", "lines"],
    doc: "A puzzle a line; after it a comma and the given solution where there is one: none for generated puzzles",
    holds: Holds::Grids,
    folder: None,
    is_text: true,
    has_types: false,
    has_logical_types: false,
    store: stored_unchanged,
    start: |start| text::start_text(LinesWriter, start),
};

struct LinesWriter;

/// The texts of the grids in the column with this name; `None` if the batch has no such column.
pub(crate) fn grid_column<'a>(batch: &'a RecordBatch, name: &str) -> Option<&'a StringArray> {
    batch.column_by_name(name)?.as_string_opt()
}

impl WriteText for LinesWriter {
    fn write_rows(&self, group: &RowGroup, text: &mut Vec<u8>) -> Result<(), Error> {
        for batch in &group.batches {
            let (puzzles, solutions) =
                (grid_column(batch, "puzzle"), grid_column(batch, "solution"));
            for row in 0..batch.num_rows() {
                if let Some(puzzles) = puzzles {
                    text.extend_from_slice(puzzles.value(row).as_bytes());
                }
                if let Some(solutions) = solutions.filter(|solutions| solutions.is_valid(row)) {
                    text.push(b',');
                    text.extend_from_slice(solutions.value(row).as_bytes());
                }
                text.push(b'\n');
            }
        }
        Ok(())
    }
}
