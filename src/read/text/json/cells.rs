//! Reads grids that are JSON arrays of numbers, of strings, or of rows of these.

use std::ops::Range;

use serde_json::Value;

use crate::read::grids::cells::Cells;
use crate::read::grids::number_cells::NumberCells;
use crate::read::grids::{Lists, NumberSymbols};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::sizes::Size;

/// The grid in a JSON array, as text. Null, an empty string and one number are empty cells; `symbols` are this number and
/// those of the digits. A string is a cell or a whole row.
pub(crate) fn from_array(
    json: &str,
    symbols: impl Into<NumberSymbols>,
) -> Result<String, RejectReason> {
    let symbols = symbols.into();
    // Most arrays contain only numbers, and parsing them without strings is faster.
    if let Ok(numbers) = serde_json::from_str::<Vec<f64>>(json)
        && Size::is_grid(numbers.len())
    {
        let lists = Lists::new(None, NumberCells::new(&numbers[..], symbols));
        return lists.grid(0..numbers.len()).map_err(|(_, reason)| reason);
    }
    let cells = elements(json).map_err(|error| bad_json(&error))?;
    let numbers = NumberCells::new(&cells[..], symbols);
    let lists = Lists::new(
        None,
        JsonCells {
            cells: &cells,
            numbers,
        },
    );
    lists.grid(0..cells.len()).map_err(|(_, reason)| reason)
}

/// The numbers that stand for empty cells and for digits in these arrays.
pub(crate) fn inferred_symbols(arrays: &[&str]) -> NumberSymbols {
    let mut cells = Vec::new();
    let mut lists = Vec::new();
    for array in arrays {
        let first_cell = cells.len();
        cells.extend(elements(array).unwrap_or_default());
        lists.push(first_cell..cells.len());
    }
    let lists = Lists::new(None, NumberCells::new(&cells[..], 0)).symbols(lists.into_iter());
    lists.unwrap_or(0.into())
}

/// The elements of an array of cells; for an array of rows, the elements of all rows.
fn elements(json: &str) -> Result<Vec<Value>, serde_json::Error> {
    let rows: Vec<Value> = serde_json::from_str(json)?;
    if !rows.iter().any(Value::is_array) {
        return Ok(rows);
    }
    let mut elements = Vec::with_capacity(81);
    for row in rows {
        match row {
            Value::Array(row) => elements.extend(row),
            cell => elements.push(cell),
        }
    }
    Ok(elements)
}

/// The reason for rejecting text that is not valid JSON.
pub(super) fn bad_json(error: &serde_json::Error) -> RejectReason {
    // A record is usually one line, so the column in serde's message is the position in bytes.
    let message = error.to_string().replace("line 1 column", "byte");
    RejectReason::new(RejectKind::BadJson, format!("not a JSON object: {message}"))
}

/// JSON numbers, strings and null as the cells of grids.
struct JsonCells<'v> {
    cells: &'v [Value],
    numbers: NumberCells<'v, [Value]>,
}

impl Cells for JsonCells<'_> {
    const MOST_CHARACTERS: usize = 2000;

    fn add(&self, at: usize, side: usize, text: &mut String) -> Result<(), RejectReason> {
        match self.cells[at].as_str() {
            Some("") => text.push('.'),
            Some(cell) => text.push_str(cell),
            None => return self.numbers.add(at, side, text),
        }
        Ok(())
    }

    fn check(&self, cells: impl Iterator<Item = usize>) -> Result<(), RejectReason> {
        self.numbers.check(cells)
    }

    fn display(&self, at: usize) -> String {
        self.cells[at].to_string()
    }

    /// Joins the strings of rows to one text. The strings may have any lengths, because only the joined text shows
    /// whether they are a puzzle.
    fn rows(&self, list: Range<usize>) -> Option<Result<String, RejectReason>> {
        let is_cell = |cell: &Value| cell.as_str().is_none_or(|text| text.len() < 2);
        if Size::is_grid(list.len()) && self.cells.iter().all(is_cell) {
            return None;
        }
        let mut text = String::new();
        let mut cells = list.into_iter();
        let result = cells.try_for_each(|at| self.add(at, 25, &mut text));
        Some(result.map(|()| text))
    }

    fn wrong_count(count: usize) -> String {
        format!("an array of {count} cells; a puzzle has 81")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_shape_are_grids() {
        for (json, expected) in [
            ("[5,3,null,null]", "53.."),
            ("[[5,3],[0,0]]", "53.."),
            ("[\"53\",\"..\"]", "53.."),
            ("[[\"5\",\"3\"],[\"\",\".\"]]", "53.."),
            ("[10, 16, 25, 5.0]", "AGP5"),
            ("[]", ""),
        ] {
            assert_eq!(from_array(json, 0).unwrap(), expected, "{json}");
        }
        for json in ["[26]", "[-1]", "[1.5]", "[true]", "[{}]", "[[[1]]]"] {
            let reason = from_array(json, 0).unwrap_err();
            assert_eq!(reason.kind, RejectKind::BadCharacter);
            assert!(!reason.message.contains("line"), "{}", reason.message);
        }
    }
    /// Issue 27: the token ids of models were rejected, and no option allowed them.
    #[test]
    fn numbers_may_be_shifted() {
        assert_eq!(from_array("[6,[4,1],null,\"7\",17]", 1).unwrap(), "53..7G");
        for (json, offset) in [("[0]", 1), ("[27]", 1), ("[2]", 3)] {
            let reason = from_array(json, offset).unwrap_err();
            assert!(reason.message.contains("is not between"), "{json}");
        }
        let grid = |most: u8, least: u8| {
            let mut cells = vec![1; 81];
            (cells[3], cells[4]) = (most, least);
            serde_json::to_string(&cells).unwrap()
        };
        for (values, expected) in [
            (vec![grid(10, 1)], 1),
            (vec![grid(9, 1), grid(10, 1), "[[1,2]]".to_owned()], 1),
            (vec![grid(10, 1), grid(9, 0)], 0),
            (vec![grid(11, 1)], 0),
            (vec![grid(9, 1)], 0),
            (vec![grid(10, 1), "[null]".to_owned()], 1),
            (vec![grid(10, 1), grid(9, 1).replacen("1", "\"\"", 1)], 0),
        ] {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            assert_eq!(inferred_symbols(&values), expected.into(), "{values:?}");
        }
    }
}
