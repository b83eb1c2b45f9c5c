//! Finds the puzzles of certain rows, by the numbers of these rows.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};

use arrow::array::RecordBatch;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;

use crate::error::Error;
use crate::report::tables::values::TextColumn;

/// The puzzle column of a batch; `None` if the batch has none.
fn puzzle_column(rows: &RecordBatch) -> Option<RecordBatch> {
    let puzzle_index = rows.schema().index_of("puzzle").ok()?;
    rows.project(&[puzzle_index]).ok()
}

/// The rows whose puzzles are wanted. Batches are searched for them in order.
#[derive(Default)]
pub(super) struct WantedPuzzles {
    /// The puzzles, by row number. A text is empty until its row has been found.
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

    /// Searches the next batch. Returns whether later rows are needed.
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

/// Stores the puzzles of all rows in a temporary file, for inputs that can be read only once.
#[derive(Default)]
pub(super) struct PuzzleSpool {
    stream: Option<StreamWriter<BufWriter<File>>>,
}

fn file_error(error: std::io::Error) -> Error {
    Error::Write {
        path: std::env::temp_dir(),
        error,
    }
}

/// Extracts an error of the operating system from an error of the Arrow writer.
fn refused_arrow(error: arrow::error::ArrowError) -> Error {
    match error {
        arrow::error::ArrowError::IoError(_, error) => file_error(error),
        error => error.into(),
    }
}

impl PuzzleSpool {
    pub(super) fn push(&mut self, rows: &RecordBatch) -> Result<(), Error> {
        let Some(column) = puzzle_column(rows) else {
            return Ok(());
        };
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let file = BufWriter::new(tempfile::tempfile().map_err(file_error)?);
                none.insert(StreamWriter::try_new(file, &column.schema()).map_err(refused_arrow)?)
            }
        };
        stream.write(&column).map_err(refused_arrow)
    }

    /// Finds the puzzles of the wanted rows.
    pub(super) fn find_wanted(self, wanted: &mut WantedPuzzles) -> Result<(), Error> {
        let Some(mut stream) = self.stream else {
            return Ok(());
        };
        stream.finish().map_err(refused_arrow)?;
        let file = stream.into_inner().map_err(refused_arrow)?;
        let mut file = file
            .into_inner()
            .map_err(|error| file_error(error.into_error()))?;
        file.rewind().map_err(file_error)?;
        for rows in StreamReader::try_new(BufReader::new(file), None).map_err(refused_arrow)? {
            if !wanted.search_batch(&rows.map_err(refused_arrow)?) {
                break;
            }
        }
        Ok(())
    }
}
