//! Reads grids that are JSON arrays of numbers. Other arrays are lists in the notation of the core.

use std::borrow::Cow;

use crate::read::grids::Lists;
use crate::read::grids::number_cells::NumberCells;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::board::Size;

/// The grid in a JSON array, as text. In an array of numbers, `offset` is an empty cell, and digit d is the number
/// `offset + d`. Any other array is returned as it is: it is parsed as a list.
pub(crate) fn from_array(json: &str, offset: u8) -> Cow<'_, str> {
    let Some(numbers) = numbers(json) else {
        return Cow::Borrowed(json);
    };
    let lists = Lists::new(None, NumberCells::new(&numbers[..], offset));
    match lists.grid(0..numbers.len()) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Borrowed(json),
    }
}

/// The numbers of an array that has as many as a grid has cells; `None` for other arrays.
fn numbers(json: &str) -> Option<Vec<f64>> {
    let numbers: Vec<f64> = serde_json::from_str(json).ok()?;
    Size::is_grid(numbers.len()).then_some(numbers)
}

/// The number that stands for an empty cell in these arrays: 1 if their numbers are from 1 to one more than the side of
/// the grid (10 on 9 × 9), like the token ids of models; otherwise 0.
pub(crate) fn inferred_offset(arrays: &[&str]) -> u8 {
    let mut cells = Vec::new();
    let mut lists = Vec::new();
    for array in arrays {
        let first_cell = cells.len();
        cells.extend(numbers(array).unwrap_or_default());
        lists.push(first_cell..cells.len());
    }
    let lists = Lists::new(None, NumberCells::new(&cells[..], 0)).offset(lists.into_iter());
    lists.unwrap_or(0)
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
        let numbers = "[1, 2, 3, 4, 0, 0, 0, 0, 4, 3, 2, 1, 0.0, 0, 0, 0]";
        assert_eq!(from_array(numbers, 0), "1234....4321....");
        for json in [
            "[]",
            "[[1, 2], [2, 1]]",
            "[\"53..7....\"]",
            "[null]",
            "[-1]",
        ] {
            assert_eq!(from_array(json, 0), json);
        }
    }

    /// Issue 27: the token ids of models were rejected, and no option allowed them.
    #[test]
    fn numbers_may_be_shifted() {
        assert!(from_array(&grid(10, 2), 1).starts_with("...91..."));
        for (values, expected) in [
            (vec![grid(10, 1)], 1),
            (vec![grid(9, 1), grid(10, 1), "[[1,2]]".to_owned()], 1),
            (vec![grid(10, 1), grid(9, 0)], 0),
            (vec![grid(11, 1)], 0),
            (vec![grid(9, 1)], 0),
            (vec![grid(10, 1), "[null]".to_owned()], 1),
        ] {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            assert_eq!(inferred_offset(&values), expected, "{values:?}");
        }
    }
}
