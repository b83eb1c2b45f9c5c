//! Converts arrays of digits, lists of texts or of digits, and single puzzles to record batches.
//!
//! ```text
//! (n, 81), (n, 9, 9)      n puzzles          (81,), (9, 9)      one puzzle, for any size
//! (16, 16)                refused: one puzzle of 16 × 16, or sixteen of 4 × 4
//! ```

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Int64Builder, ListBuilder, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyList, PyString, PyTuple};
use sudoku_core::board::Size;
use sudoku_core::text::BLANKS;
use sudoku_pipeline::read::RecordBatches;

use crate::borrow::Borrowed;
use crate::cells::digit;
use crate::errors::data as bad_data;
use crate::exchange::batches::{PUZZLE, record_batch_of_array};
use crate::puzzle::Puzzle;

/// The number of puzzles that are taken from an iterator or a non-contiguous array at a time.
pub(crate) const PUZZLES_PER_BATCH: usize = 4096;

/// Stands for an empty cell for which the caller gives no number: None, or a blank in a text.
const EMPTY: i64 = i64::MIN;

/// Converts an array, a list or a single puzzle to record batches; `None` for other objects.
pub(crate) fn batches(
    data: &Bound<'_, PyAny>,
    blank: i64,
) -> PyResult<Option<(SchemaRef, RecordBatches)>> {
    if let Some(text) = text(data)? {
        return Ok(Some(texts(vec![Some(text)])));
    }
    if let Some(array) = Borrowed::from_value(data)? {
        return from_array(data.py(), array, blank).map(Some);
    }
    if data.is_instance_of::<PyList>() || data.is_instance_of::<PyTuple>() {
        return from_list(data, blank).map(Some);
    }
    Ok(None)
}

/// Converts a NumPy array of texts or objects to a list. Other objects stay as they are.
pub(crate) fn texts_to_list<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if holds_texts(data)? {
        texts_to_list(&data.call_method0("tolist")?)
    } else {
        Ok(data.clone())
    }
}

/// Whether the object is a NumPy array of texts or objects.
fn holds_texts(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !data.hasattr("__array_interface__")? || !data.hasattr("tolist")? {
        return Ok(false);
    }
    let kind = data
        .getattr("dtype")
        .and_then(|dtype| dtype.getattr("kind"));
    let kind = kind.and_then(|kind| kind.extract::<String>());
    Ok(kind.is_ok_and(|kind| ["U", "S", "O", "T"].contains(&kind.as_str())))
}

/// The text of an item that is a text or a `Puzzle`; `None` for other items.
pub(crate) fn text(item: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(puzzle) = item.cast::<Puzzle>() {
        return Ok(Some(puzzle.get().as_str().to_owned()));
    }
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(Some(text.to_cow()?.into_owned()));
    }
    if let Ok(bytes) = item.cast::<PyBytes>() {
        return Ok(Some(String::from_utf8_lossy(bytes.as_bytes()).into_owned()));
    }
    match item.cast::<PyByteArray>() {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes.to_vec()).into_owned())),
        Err(_) => Ok(None),
    }
}

fn texts(texts: Vec<Option<String>>) -> (SchemaRef, RecordBatches) {
    let field = Arc::new(Field::new(PUZZLE, DataType::Utf8, true));
    let array: ArrayRef = Arc::new(StringArray::from(texts));
    record_batch_of_array(&field, &array)
}

/// The number of cells per puzzle in an array of this shape, and whether the whole array is one puzzle.
fn cells_per_puzzle(py: Python<'_>, shape: &[usize]) -> PyResult<(usize, bool)> {
    let is_grid_order = |order: usize| Size::ORDERS.contains(&order);
    match *shape {
        [cells] if Size::is_cell_count(cells) => Ok((cells, true)),
        [16, 16] => Err(bad_data(
            py,
            "an array of the shape (16, 16) can be one puzzle of 16 × 16 or sixteen of 4 × 4: reshape it to \
             (1, 16, 16) or to (16, 4, 4)",
        )),
        [rows, columns] if rows == columns && is_grid_order(rows) => Ok((rows * columns, true)),
        [_, cells] if Size::is_cell_count(cells) => Ok((cells, false)),
        [_, rows, columns] if rows == columns && is_grid_order(rows) => Ok((rows * columns, false)),
        _ => {
            let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
            Err(bad_data(
                py,
                &format!(
                    "an array of the shape ({}) holds no puzzles: the shapes are (n, 81), (n, 9, 9), (81,) and \
                     (9, 9), and the same for the other sizes",
                    shape.join(", ")
                ),
            ))
        }
    }
}

fn from_array(py: Python<'_>, array: Borrowed, blank: i64) -> PyResult<(SchemaRef, RecordBatches)> {
    let (cells, is_single_puzzle) = cells_per_puzzle(py, &array.shape)?;
    if blank == 0
        && let Some(lists) = array.lists(cells)
    {
        let field = Arc::new(Field::new(PUZZLE, lists.data_type().clone(), true));
        return Ok(record_batch_of_array(&field, &lists));
    }
    let schema = numbers_schema();
    let batch_schema = Arc::clone(&schema);
    // An array of a single puzzle has no axis that counts puzzles.
    let (puzzles, rows_per_puzzle) = if is_single_puzzle {
        (1, array.shape[0])
    } else {
        (array.shape[0], 1)
    };
    let batch_starts = (0..puzzles).step_by(PUZZLES_PER_BATCH);
    let batches = batch_starts.map(move |first_puzzle| {
        let end_puzzle = puzzles.min(first_puzzle + PUZZLES_PER_BATCH);
        let values = array.rows(first_puzzle * rows_per_puzzle..end_puzzle * rows_per_puzzle);
        let mut lists = ListBuilder::new(Int64Builder::with_capacity(values.len()));
        for (row, puzzle) in (first_puzzle..).zip(values.chunks(cells)) {
            append(&mut lists, puzzle.iter().copied(), blank, row)?;
        }
        RecordBatch::try_new(Arc::clone(&batch_schema), vec![Arc::new(lists.finish())])
    });
    Ok((schema, Box::new(batches)))
}

pub(crate) fn numbers_schema() -> SchemaRef {
    let item_field = Field::new_list_field(DataType::Int64, true);
    let field = Field::new(PUZZLE, DataType::List(Arc::new(item_field)), true);
    Arc::new(Schema::new(vec![field]))
}

/// Appends a puzzle. `blank` is the number that stands for an empty cell in the caller's puzzles.
pub(crate) fn append(
    lists: &mut ListBuilder<Int64Builder>,
    cells: impl Iterator<Item = i64>,
    blank: i64,
    row: usize,
) -> Result<(), ArrowError> {
    append_cells(lists, cells, blank, row).map_err(|message| {
        let error = Python::attach(|py| bad_data(py, &message));
        ArrowError::from_external_error(error.into())
    })
}

/// Like [`append`], with the message of the error.
fn append_cells(
    lists: &mut ListBuilder<Int64Builder>,
    cells: impl Iterator<Item = i64>,
    blank: i64,
    row: usize,
) -> Result<(), String> {
    for cell in cells {
        match cell {
            _ if cell == blank || cell == EMPTY => lists.values().append_value(0),
            0 => {
                return Err(format!(
                    "puzzle {row} has a 0, but blank={blank} is an empty cell"
                ));
            }
            cell => lists.values().append_value(cell),
        }
    }
    lists.append(true);
    Ok(())
}

/// Converts a list: of texts and puzzles, of lists or arrays of digits, or of the digits, characters or rows
/// of one puzzle.
pub(crate) fn from_list(
    data: &Bound<'_, PyAny>,
    blank: i64,
) -> PyResult<(SchemaRef, RecordBatches)> {
    let py = data.py();
    let items: Vec<Bound<'_, PyAny>> = data.try_iter()?.collect::<PyResult<_>>()?;
    let first_item = items.iter().find(|item| !item.is_none());
    let is_text = match first_item {
        Some(first_item) => text(first_item)?.is_some(),
        None => true,
    };
    if is_text {
        let item_texts = items
            .iter()
            .enumerate()
            .map(|(row, item)| text_item(row, item));
        let item_texts: Vec<Option<String>> = item_texts.collect::<PyResult<_>>()?;
        return Ok(texts(match join_texts(&item_texts) {
            Some(puzzle) => vec![Some(puzzle)],
            None => item_texts,
        }));
    }
    let mut rows = Vec::with_capacity(items.len());
    for (row, item) in items.iter().enumerate() {
        if item.is_none() {
            rows.push(None);
        } else {
            rows.extend(puzzles(row, item)?.into_iter().map(Some));
        }
    }
    let is_flat = first_item.is_some_and(|first_item| first_item.extract::<i64>().is_ok());
    let width = rows.iter().flatten().map(Vec::len).max().unwrap_or(0);
    let is_board = !is_flat
        && rows.len() == width
        && rows
            .iter()
            .all(|row| row.as_ref().is_some_and(|row| row.len() == width))
        && Size::ORDERS.contains(&width);
    if is_flat || is_board {
        let shape = if is_flat {
            vec![items.len()]
        } else {
            vec![width, width]
        };
        cells_per_puzzle(py, &shape)?;
        rows = vec![Some(rows.into_iter().flatten().flatten().collect())];
    }
    let mut lists = ListBuilder::new(Int64Builder::new());
    for (row, cells) in rows.into_iter().enumerate() {
        match cells {
            None => lists.append(false),
            Some(cells) => append_cells(&mut lists, cells.into_iter(), blank, row)
                .map_err(|message| bad_data(py, &message))?,
        }
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    let field = Arc::new(Field::new(PUZZLE, lists.data_type().clone(), true));
    Ok(record_batch_of_array(&field, &lists))
}

/// The text of an item that is a text, a `Puzzle` or None. Other items are an error.
pub(crate) fn text_item(row: usize, item: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if item.is_none() {
        return Ok(None);
    }
    let text = text(item)?;
    text.map(Some)
        .ok_or_else(|| wrong_item(row, item, "a text or a puzzle"))
}

/// The single puzzle whose characters or rows these texts are; `None` if they are several puzzles. Sixteen
/// texts with sixteen characters are ambiguous, because each may be a 4 × 4 puzzle.
fn join_texts(texts: &[Option<String>]) -> Option<String> {
    let have_length = |length: usize| {
        let mut texts = texts.iter().flatten();
        texts.all(|text| text.chars().count() == length)
    };
    let count = texts.len();
    let are_characters = Size::is_cell_count(count) && have_length(1);
    let is_grid_order = count != 16 && Size::ORDERS.contains(&count);
    let is_single_puzzle = texts.iter().all(Option::is_some)
        && (are_characters || (is_grid_order && have_length(count)));
    is_single_puzzle.then(|| texts.iter().flatten().map(String::as_str).collect())
}

/// The puzzles in an item. An array can contain several.
pub(crate) fn puzzles(row: usize, item: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<i64>>> {
    if item.extract::<i64>().is_err()
        && !holds_texts(item)?
        && let Some(array) = Borrowed::from_value(item)?
    {
        let values = array.values()?;
        return Ok(match array.shape.len() {
            1 => vec![values],
            _ => {
                let (cells, _) = cells_per_puzzle(item.py(), &array.shape)?;
                values.chunks(cells).map(<[i64]>::to_vec).collect()
            }
        });
    }
    digits(row, item).map(|digits| vec![digits])
}

/// The digits in an item, which is a number, a list of cells or a list of rows.
fn digits(row: usize, item: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let mut cells = Vec::with_capacity(81);
    if !append_cell(&mut cells, item)? {
        for part in iterate_item(row, item)? {
            let part = part?;
            if append_cell(&mut cells, &part)? {
                continue;
            }
            for cell in iterate_item(row, &part)? {
                let cell = cell?;
                if !append_cell(&mut cells, &cell)? {
                    return Err(wrong_item(row, &cell, "digits"));
                }
            }
        }
    }
    Ok(cells)
}

fn iterate_item<'py>(row: usize, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    item.try_iter().map_err(|_| wrong_item(row, item, "digits"))
}

/// Appends a digit, an empty cell, or the cells of a text. Returns false for other items.
fn append_cell(cells: &mut Vec<i64>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(digit) = item.extract::<i64>() {
        cells.push(digit);
    } else if item.is_none() {
        cells.push(EMPTY);
    } else if let Ok(text) = item.cast::<PyString>() {
        for character in text.to_cow()?.bytes() {
            let is_blank = BLANKS.into_iter().any(|blank| blank as u8 == character);
            match digit(character) {
                _ if is_blank => cells.push(EMPTY),
                Some(digit) => cells.push(digit.into()),
                None => return Ok(false),
            }
        }
    } else {
        return Ok(false);
    }
    Ok(true)
}

fn wrong_item(row: usize, item: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let kind = item.get_type().name();
    let kind = kind.map_or_else(|_| "an object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("item {row} is or holds {kind}, and not {wanted}"))
}
