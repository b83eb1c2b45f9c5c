//! The cells of a puzzle as Python sees them: by index, as lines of text, and the alphabet of their symbols.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::form::Form;
use super::moves::checked_index;

/// An index into a puzzle in Python: `puzzle[row, column]` for a cell, or `puzzle[row]` for a row.
#[derive(Clone, Copy, FromPyObject)]
enum Place {
    Cell(isize, isize),
    Row(isize),
}

/// The digit of a cell, or the digits of a row; `None` for an index that only NumPy has, such as a slice.
pub(super) fn element<'py>(
    py: Python<'py>,
    digits: &[u8],
    order: usize,
    place: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Ok(place) = place.extract::<Place>() else {
        if place.is_instance_of::<PyString>() {
            let message = "a cell is a pair of row and column from 0, such as puzzle[0, 8]";
            return Err(PyTypeError::new_err(message));
        }
        return Ok(None);
    };
    let checked_index = |number| checked_index(number, order);
    Ok(Some(match place {
        Place::Cell(row, column) => {
            let digit = digits[checked_index(row)? * order + checked_index(column)?];
            digit.into_pyobject(py)?.into_any()
        }
        Place::Row(row) => {
            let row_start = checked_index(row)? * order;
            PyList::new(py, &digits[row_start..row_start + order])?.into_any()
        }
    }))
}

/// The rows as lines of text, with lines between the boxes; `.` is an empty cell.
pub(super) fn board(form: &Form) -> String {
    let order = form.order();
    let (rows, columns) = form.of_box();
    let digits = form.filled_cells().as_bytes();
    let rule = vec!["-".repeat(2 * columns + 1); order / columns].join("+");
    let rule = rule[1..rule.len() - 1].to_owned();
    let mut lines = Vec::new();
    for (row, cells) in digits.chunks(order).enumerate() {
        if row > 0 && row % rows == 0 {
            lines.push(rule.clone());
        }
        let parts = cells.chunks(columns).map(|part| {
            let part = part.iter().map(|cell| (*cell as char).to_string());
            part.collect::<Vec<_>>().join(" ")
        });
        lines.push(parts.collect::<Vec<_>>().join(" | "));
    }
    lines.join("\n")
}

/// The alphabet in which a grid with this many rows is written, if its size has several.
pub(super) fn alphabet(order: usize) -> Option<&'static str> {
    match order {
        12 => Some("1-9A-C"),
        16 => Some("1-9A-G"),
        25 => Some("1-9A-P"),
        _ => None,
    }
}
