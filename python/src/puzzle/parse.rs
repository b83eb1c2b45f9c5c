//! Parses puzzles from texts, arrays, lists of digits, and other puzzles.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sudoku_core::board::{CandidateSet, Cell, Digit, Size};
use sudoku_core::explain::{DrawnBoard, read_drawn_board};
use sudoku_core::sizes::{Alphabet, Alphabets, AnyPuzzle, SizedGrid, Symbol, parse_any};
use sudoku_core::text::ParseError;

use super::Puzzle;
use super::form::Form;
use super::moves::with_candidates;
use crate::borrow::Borrowed;
use crate::errors::{data, usage};

/// Parses a puzzle. `blank` is the number that stands for an empty cell in arrays and lists.
pub(crate) fn parse_form(
    value: &Bound<'_, PyAny>,
    blank: i64,
    alphabet: Option<&str>,
) -> PyResult<Form> {
    let py = value.py();
    if let Ok(puzzle) = value.cast::<Puzzle>() {
        return Ok(puzzle.get().form.clone());
    }
    let alphabet = alphabet.map(|text| {
        let alphabet = text.parse::<Alphabet>();
        alphabet.map_err(|error| usage(py, &format!("alphabet={text:?}: {error}")))
    });
    let alphabet = alphabet.transpose()?;
    if let Ok(text) = value.cast::<PyString>() {
        return from_text(py, text.to_cow()?.as_bytes(), alphabet.as_ref());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return from_text(py, bytes.as_bytes(), alphabet.as_ref());
    }
    if let Some(marks) = marks_of_truths(value)? {
        return from_text(py, marks.as_bytes(), None);
    }
    if let Some(array) = Borrowed::from_value(value)? {
        return from_cells(py, &array.values()?, blank);
    }
    let mut cells = Vec::new();
    let mut text = String::new();
    flatten(value, &mut cells, &mut text, 2)?;
    match text.is_empty() {
        true => from_cells(py, &cells, blank),
        false if cells.is_empty() => from_text(py, text.as_bytes(), alphabet.as_ref()),
        false => Err(PyTypeError::new_err("the list has both texts and numbers")),
    }
}

/// The pencil marks of an array of truth values by row, column and digit, as `candidates` has them; `None` for other values.
fn marks_of_truths(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = value.py();
    let kind = value
        .getattr_opt("dtype")?
        .map(|dtype| dtype.getattr_opt("kind"));
    let kind = kind.transpose()?.flatten();
    if kind.is_none_or(|kind| kind.extract::<String>().is_ok_and(|kind| kind != "b")) {
        return Ok(None);
    }
    let Some(array) = Borrowed::from_value(&value.call_method1("astype", ("uint8",))?)? else {
        return Ok(None);
    };
    if array.shape != [9, 9, 9] {
        let message = format!(
            "truth values by row, column and digit have the shape (9, 9, 9), and not {:?}",
            array.shape
        );
        return Err(data(py, &message));
    }
    let truths = array.values()?;
    let marks = truths.iter().zip(('1'..='9').cycle());
    Ok(Some(
        marks
            .map(|(&truth, digit)| if truth == 0 { '.' } else { digit })
            .collect(),
    ))
}

/// The digits in a list or in a list of rows, or the texts of rows.
fn flatten(
    value: &Bound<'_, PyAny>,
    cells: &mut Vec<i64>,
    text: &mut String,
    depth: usize,
) -> PyResult<()> {
    let not_a_puzzle = || {
        let kind = value.get_type().name();
        let kind = kind.map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "a puzzle is a text, an array of integers, or a list of digits or of rows, and not {kind}"
        ))
    };
    for item in value.try_iter().map_err(|_| not_a_puzzle())? {
        let item = item?;
        if let Ok(row) = item.cast::<PyString>() {
            text.push_str(&row.to_cow()?);
        } else if item.is_none() {
            cells.push(0);
        } else if let Ok(digit) = item.extract::<i64>() {
            cells.push(digit);
        } else if let (true, Some(array)) = (depth > 1, Borrowed::from_value(&item)?) {
            cells.extend(array.values()?);
        } else if depth > 1 {
            flatten(&item, cells, text, depth - 1)?;
        } else {
            return Err(not_a_puzzle());
        }
    }
    Ok(())
}

/// Parses a text of any size, in any notation.
fn from_text(py: Python<'_>, text: &[u8], alphabet: Option<&Alphabet>) -> PyResult<Form> {
    let to_exception = |error: ParseError| data(py, &error.message);
    let mut alphabets = Alphabets::new(alphabet);
    alphabets.learn(text.trim_ascii());
    let parsed = match parse_any(text, None, &alphabets) {
        Ok(parsed) => parsed,
        Err(error) => {
            let drawn = std::str::from_utf8(text).ok().and_then(read_drawn_board);
            return match drawn {
                Some(board) => from_drawing(py, &board),
                None => Err(to_exception(error)),
            };
        }
    };
    Ok(match parsed {
        AnyPuzzle::Nine(puzzle) => Form::Nine(Box::new(puzzle)),
        AnyPuzzle::Sized(puzzle) => puzzle.clues.into(),
    })
}

/// The puzzle on the first board of an explanation. Other sizes than 9 × 9 have no pencil marks.
fn from_drawing(py: Python<'_>, drawn: &DrawnBoard) -> PyResult<Form> {
    let form = from_text(py, drawn.filled.as_bytes(), None)?;
    let Form::Nine(puzzle) = &form else {
        return Ok(form);
    };
    let mut set = CandidateSet::default();
    for digit in Digit::ALL {
        let has_digit = |(_, symbols): &(Cell, &u32)| **symbols >> digit.index() & 1 == 1;
        let places = Cell::all().zip(&drawn.symbols).filter(has_digit);
        set.insert(digit, places.map(|(cell, _)| cell).collect());
    }
    let mut board = puzzle.board();
    board.keep_only(&set);
    Ok(with_candidates(puzzle.clues, &board))
}

/// The puzzle with these digits. `blank` is the number that stands for an empty cell.
pub(crate) fn from_cells(py: Python<'_>, cells: &[i64], blank: i64) -> PyResult<Form> {
    let mut orders = Size::ORDERS.into_iter();
    let Some(order) = orders.find(|order| order * order == cells.len()) else {
        let count = cells.len();
        return Err(data(
            py,
            &format!("{count} cells; a puzzle has 16, 36, 81, 144, 256 or 625"),
        ));
    };
    let mut symbols = Vec::with_capacity(cells.len());
    for (at, cell) in cells.iter().enumerate() {
        symbols.push(match usize::try_from(*cell) {
            _ if *cell == blank => None,
            Ok(digit) if (1..=order).contains(&digit) => Some(digit),
            _ => {
                let (row, column) = (at / order + 1, at % order + 1);
                return Err(data(
                    py,
                    &format!("{cell} in r{row}c{column} is neither {blank}, an empty cell, nor from 1 to {order}"),
                ));
            }
        });
    }
    let Some(size) = Size::from_order(order) else {
        let text = symbols.iter().map(|digit| match digit {
            Some(digit) => b'0' + *digit as u8,
            None => b'.',
        });
        return from_text(py, &text.collect::<Vec<u8>>(), None);
    };
    let symbols = symbols
        .into_iter()
        .map(|digit| digit.map(|digit| Symbol::new(digit - 1)));
    let grid = SizedGrid::new(size, symbols);
    let grid = grid.ok_or_else(|| data(py, "not one symbol for each cell"))?;
    match grid.conflict() {
        Some(conflict) => Err(data(py, &conflict)),
        None => Ok(grid.into()),
    }
}
