//! Finds the puzzles in certain rows, which are given by their numbers.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use crate::counts::values::TextColumn;
use crate::error::Error;
use crate::temporary::BatchSpool;

/// The puzzle column of a batch; `None` if the batch has none.
fn puzzle_column(rows: &RecordBatch) -> Option<RecordBatch> {
    let puzzle_index = rows.schema().index_of("puzzle").ok()?;
    rows.project(&[puzzle_index]).ok()
}

/// The rows whose puzzles are wanted. The batches of a table are searched for them in order.
#[derive(Default)]
pub(super) struct WantedPuzzles {
    /// The puzzles that were found, by row number. A text is empty until its row has been found.
    pub(super) puzzles_by_row: BTreeMap<u64, String>,
    next_row: u64,
}

impl WantedPuzzles {
    pub(super) fn from_rows(rows: impl Iterator<Item = u64>) -> WantedPuzzles {
        WantedPuzzles {
            puzzles_by_row: rows.map(|row| (row, String::new())).collect(),
            next_row: 0,
        }
    }

    /// Searches the next batch. Returns whether any wanted rows are still missing.
    pub(super) fn search_batch(&mut self, rows: &RecordBatch) -> bool {
        let first_row = self.next_row;
        self.next_row += rows.num_rows() as u64;
        if let Some(column) = puzzle_column(rows)
            && let Some(texts) = TextColumn::from_column(column.column(0).as_ref())
        {
            for (row, puzzle) in self.puzzles_by_row.range_mut(first_row..self.next_row) {
                *puzzle = texts
                    .text_in_row((row - first_row) as usize)
                    .unwrap_or_default()
                    .to_owned();
            }
        }
        self.puzzles_by_row.range(self.next_row..).next().is_some()
    }
}

/// Stores the puzzles of all rows in a temporary file. Used for inputs that can be read only once, such as pipes.
pub(super) struct PuzzleSpool(BatchSpool);

impl Default for PuzzleSpool {
    fn default() -> PuzzleSpool {
        PuzzleSpool(BatchSpool::new(&std::env::temp_dir()))
    }
}

impl PuzzleSpool {
    pub(super) fn push(&mut self, rows: &RecordBatch) -> Result<(), Error> {
        puzzle_column(rows).map_or(Ok(()), |column| self.0.push(&column))
    }

    /// Finds the puzzles of the wanted rows in the temporary file.
    pub(super) fn find_wanted(self, wanted: &mut WantedPuzzles) -> Result<(), Error> {
        for rows in self.0.into_reader()? {
            if !wanted.search_batch(&rows?) {
                break;
            }
        }
        Ok(())
    }
}
