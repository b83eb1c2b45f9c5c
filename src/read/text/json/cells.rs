//! Reads grids that are JSON arrays of numbers. Other arrays are lists in the notation of the core.

use std::borrow::Cow;

use serde_json::Value;

use crate::read::grids::number_cells::NumberCells;
use crate::read::grids::{Lists, NumberSymbols};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::board::Size;

/// The grid in a JSON array, as text. In an array of numbers and nulls, or of rows of these, `symbols` say which number
/// is an empty cell and which are the digits. Any other array is returned as it is: it is parsed as a list.
pub(crate) fn from_array(
    json: &str,
    symbols: impl Into<NumberSymbols>,
) -> Result<Cow<'_, str>, RejectReason> {
    let symbols = symbols.into();
    // Most arrays contain only numbers, and parsing them without nulls is faster.
    let grid = match serde_json::from_str::<Vec<f64>>(json) {
        Ok(numbers) if Size::is_cell_count(numbers.len()) => {
            let lists = Lists::new(None, NumberCells::new(&numbers[..], symbols));
            lists.grid(0..numbers.len())
        }
        _ => {
            let Some(numbers) = numbers(json) else {
                return Ok(Cow::Borrowed(json));
            };
            let lists = Lists::new(None, NumberCells::new(&numbers[..], symbols));
            lists.grid(0..numbers.len())
        }
    };
    grid.map(Cow::Owned).map_err(|(_, reason)| reason)
}

/// The numbers that stand for empty cells and for digits in these arrays.
pub(crate) fn inferred_symbols(arrays: &[&str]) -> NumberSymbols {
    let mut cells = Vec::new();
    let mut lists = Vec::new();
    for array in arrays {
        let first_cell = cells.len();
        cells.extend(numbers(array).unwrap_or_default());
        lists.push(first_cell..cells.len());
    }
    let lists = Lists::new(None, NumberCells::new(&cells[..], 0)).symbols(lists.into_iter());
    lists.unwrap_or(0.into())
}

/// The numbers and nulls of an array that has as many as a grid has cells, or of its rows; `None` for other arrays.
fn numbers(json: &str) -> Option<Vec<Value>> {
    let rows: Vec<Value> = serde_json::from_str(json).ok()?;
    let count = rows.len();
    let are_cells = |cells: &[Value]| cells.iter().all(|cell| cell.is_number() || cell.is_null());
    if are_cells(&rows) {
        return Size::is_cell_count(count).then_some(rows);
    }
    let mut cells = Vec::with_capacity(count * count);
    for row in rows {
        match row {
            Value::Array(row) if row.len() == count && are_cells(&row) => cells.extend(row),
            _ => return None,
        }
    }
    Size::is_cell_count(cells.len()).then_some(cells)
}

/// The reason for rejecting text that is not valid JSON.
pub(super) fn bad_json(error: &serde_json::Error) -> RejectReason {
    // A record is usually one line, so the column in serde's message is the position in bytes.
    let message = error.to_string().replace("line 1 column", "byte");
    RejectReason::new(RejectKind::BadJson, format!("not a JSON object: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(most: u8, least: u8) -> String {
        let mut cells = vec![1; 81];
        (cells[3], cells[4]) = (most, least);
        serde_json::to_string(&cells).unwrap()
    }

    #[test]
    fn numbers_are_cells_and_other_arrays_lists() {
        for numbers in [
            "[1, 2, 3, 4, 0, 0, 0, 0, 4, 3, 2, 1, 0.0, 0, 0, 0]",
            "[[1, 2, 3, 4], [null, null, null, null], [4, 3, 2, 1], [null, null, null, null]]",
        ] {
            assert_eq!(from_array(numbers, 0).unwrap(), "1234....4321....");
        }
        for json in [
            "[]",
            "[[1, 2], [2, 1]]",
            "[\"53..7....\"]",
            "[null]",
            "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4], [3, 4, 3, 2, 1]]",
        ] {
            assert_eq!(from_array(json, 0).unwrap(), json);
        }
        let above = format!("[{}26]", "0,".repeat(80));
        let reason = from_array(&above, 0).unwrap_err();
        assert_eq!(reason.kind, RejectKind::BadCharacter);
    }

    /// Regression test: the token ids of models were rejected, and no option allowed them.
    #[test]
    fn numbers_may_be_shifted() {
        assert!(from_array(&grid(10, 2), 1).unwrap().starts_with("...91..."));
        for (values, expected) in [
            (vec![grid(10, 1)], 1),
            (vec![grid(9, 1), grid(10, 1), "[[1,2]]".to_owned()], 1),
            (vec![grid(10, 1), grid(9, 0)], 0),
            (vec![grid(11, 1)], 0),
            (vec![grid(9, 1)], 0),
            (vec![grid(10, 1), "[null]".to_owned()], 1),
        ] {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            assert_eq!(inferred_symbols(&values), expected.into(), "{values:?}");
        }
    }
}
