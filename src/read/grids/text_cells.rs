//! Reads texts as the cells or rows of grids.

use std::ops::Range;

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::cells::Cells;
use crate::carry::cast::cast_column;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::sizes::Size;
use sudoku_core::text::notation::cell_character;

/// Texts as the cells of grids. Null and a word such as `None` are empty cells. Numbers above 9 become letters.
pub(super) struct TextCells(StringArray);

impl TextCells {
    pub(super) fn from_column(column: &ArrayRef) -> Result<TextCells, ArrowError> {
        let texts = cast_column(column, &DataType::Utf8)?;
        Ok(TextCells(texts.as_string().clone()))
    }

    fn value(&self, at: usize) -> &str {
        if self.0.is_valid(at) {
            self.0.value(at)
        } else {
            ""
        }
    }
}

impl Cells for TextCells {
    const MOST_CHARACTERS: usize = 2000;

    fn add(&self, at: usize, side: usize, text: &mut String) -> Result<(), RejectReason> {
        let value = self.value(at);
        let cell_value = cell_character(value, side);
        text.push(cell_value.ok_or_else(|| {
            let position = text.chars().count() + 1;
            let message = format!("{value:?} at position {position} is not a cell");
            RejectReason::new(RejectKind::BadCharacter, message)
        })?);
        Ok(())
    }

    fn display(&self, at: usize) -> String {
        format!("{:?}", self.value(at))
    }

    fn rows(&self, list: Range<usize>) -> Option<Result<String, RejectReason>> {
        let count = list.len();
        let is_row = |at: usize| self.value(at).chars().count() == count;
        let are_rows = Size::ORDERS.contains(&count) && list.clone().all(is_row);
        are_rows.then(|| Ok(list.map(|at| self.value(at)).collect()))
    }

    fn wrong_count(count: usize) -> String {
        if Size::ORDERS.contains(&count) {
            format!("a list of {count} rows that do not have {count} cells each")
        } else {
            format!("a list of {count} texts; a puzzle has 81 cells, or 9 rows")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::grids::{may_hold_grids, texts as grids};
    use arrow::array::StringBuilder;
    use arrow::array::builder::ListBuilder;
    use std::sync::Arc;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    /// For each list, the text of its grid, or the reason why the list is not a grid.
    fn read(lists: &[Vec<&str>]) -> Vec<String> {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for list in lists {
            builder.append_value(list.iter().map(Some));
        }
        let column: ArrayRef = Arc::new(builder.finish());
        assert!(may_hold_grids(column.data_type()));
        let (texts, reasons) = grids(&column, 0).unwrap();
        let text_array: &StringArray = texts.as_string();
        let mut rows_read: Vec<String> = text_array.iter().flatten().map(str::to_owned).collect();
        for (row, reason) in reasons {
            rows_read[row] = format!("{}: {}", reason.kind.id(), reason.message);
        }
        rows_read
    }

    #[test]
    fn lists_of_cell_texts_and_of_row_texts_are_read_as_grids() {
        let cells: Vec<&str> = (0..81).map(|at| &PUZZLE[at..=at]).collect();
        let blank: Vec<&str> = cells.iter().map(|cell| cell.trim_matches('.')).collect();
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
        assert_eq!(read(&[cells, blank, rows]), [PUZZLE; 3]);
        let mut large_value = vec!["0"; 256];
        large_value[1] = "16";
        assert!(read(&[large_value])[0].starts_with("0G0"));
        assert_eq!(
            read(&[vec!["1234", "3412", "2143", "4321"]]),
            ["1234341221434321"]
        );
    }

    #[test]
    fn an_invalid_grid_is_rejected_with_its_position() {
        let mut wrong_value = vec!["0"; 81];
        wrong_value[3] = "10";
        let rows_read = read(&[vec!["1", "2"], wrong_value, vec!["123"; 9]]);
        assert_eq!(
            rows_read[0],
            "wrong_length: a list of 2 texts; a puzzle has 81 cells, or 9 rows"
        );
        assert_eq!(
            rows_read[1],
            "bad_character: \"10\" at position 4 is not a cell"
        );
        assert_eq!(
            rows_read[2],
            "wrong_length: a list of 9 rows that do not have 9 cells each"
        );
    }

    /// Regression test: a null row of texts was reported as a row without cells, unlike a null row of
    /// numbers.
    #[test]
    fn a_null_row_is_reported_like_one_of_numbers() {
        let mut builder = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
        for _ in 0..4 {
            builder.values().append_null();
        }
        builder.append(true);
        let column: ArrayRef = Arc::new(builder.finish());
        let (texts, reasons) = grids(&column, 0).unwrap();
        assert_eq!(texts.as_string::<i32>().value(0), "[null,null,null,null]");
        assert_eq!(reasons[0].1.message, "row 1 of the grid is null");
    }
}
