//! Reads puzzles from a Python iterator, only when the next batch is requested.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Builder, ListBuilder, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use sudoku_pipeline::read::RecordBatches;

use crate::exchange::batches::PUZZLE;
use crate::exchange::capsule::ProducerCall;
use crate::lists::{
    PUZZLES_PER_BATCH, append, from_list, numbers_schema, puzzles, text, text_item,
};

/// The puzzles of an iterator. The first item is taken immediately, because it shows whether the items are texts or
/// digits.
pub(crate) fn batches(
    mut items: Bound<'_, PyIterator>,
    blank: i64,
) -> PyResult<(SchemaRef, RecordBatches)> {
    let py = items.py();
    let mut taken_items = Vec::new();
    let first_value = loop {
        let item = items.next().transpose()?;
        taken_items.extend(item.clone());
        match item {
            Some(item) if item.is_none() && taken_items.len() < PUZZLES_PER_BATCH => {}
            item => break item.filter(|item| !item.is_none()),
        }
    };
    if first_value
        .as_ref()
        .is_some_and(|first_value| first_value.extract::<i64>().is_ok())
    {
        // The first item is a digit, so the iterator has the digits of one puzzle.
        let digits = taken_items.into_iter().map(Ok).chain(items);
        let digits = PyList::new(py, digits.collect::<PyResult<Vec<_>>>()?)?;
        return from_list(&digits, blank);
    }
    let are_texts = first_value.map_or(Ok(true), |first_value| {
        text(&first_value).map(|text| text.is_some())
    })?;
    let schema = if are_texts {
        Arc::new(Schema::new(vec![Field::new(PUZZLE, DataType::Utf8, true)]))
    } else {
        numbers_schema()
    };
    let mut items = Items {
        taken_reversed: taken_items.into_iter().map(Bound::unbind).rev().collect(),
        remaining: items.unbind(),
        row: 0,
    };
    let batch_schema = Arc::clone(&schema);
    let batches = std::iter::from_fn(move || {
        let _call = ProducerCall::begin()?;
        let column = if are_texts {
            items.texts()
        } else {
            items.digits(blank)
        };
        let make_batch = |column| RecordBatch::try_new(Arc::clone(&batch_schema), vec![column]);
        column.transpose().map(|column| column.and_then(make_batch))
    });
    Ok((schema, Box::new(batches)))
}

/// The items of a Python iterator that are not in a batch yet.
struct Items {
    /// Items that were taken before the first batch, in reverse order.
    taken_reversed: Vec<Py<PyAny>>,
    remaining: Py<PyIterator>,
    row: usize,
}

impl Items {
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(item) = self.taken_reversed.pop() {
            return Ok(Some(item.into_bound(py)));
        }
        self.remaining.bind(py).clone().next().transpose()
    }

    /// The next items as a column of texts; `None` at the end. Fails if an item is neither a text nor a puzzle.
    fn texts(&mut self) -> Result<Option<ArrayRef>, ArrowError> {
        let texts = Python::attach(|py| {
            let mut texts = Vec::new();
            while texts.len() < PUZZLES_PER_BATCH
                && let Some(item) = self.next(py)?
            {
                texts.push(text_item(self.row, &item)?);
                self.row += 1;
            }
            PyResult::Ok(texts)
        });
        let texts = texts.map_err(|error| ArrowError::from_external_error(error.into()))?;
        let column = if texts.is_empty() {
            None
        } else {
            Some(Arc::new(StringArray::from(texts)) as ArrayRef)
        };
        Ok(column)
    }

    /// The next items as a column of lists of digits; `None` at the end. Fails if an item is not a list or array of
    /// digits.
    fn digits(&mut self, blank: i64) -> Result<Option<ArrayRef>, ArrowError> {
        let rows = Python::attach(|py| {
            let mut rows = Vec::new();
            while rows.len() < PUZZLES_PER_BATCH
                && let Some(item) = self.next(py)?
            {
                if item.is_none() {
                    rows.push(None);
                } else {
                    rows.extend(puzzles(self.row, &item)?.into_iter().map(Some));
                }
                self.row += 1;
            }
            PyResult::Ok(rows)
        });
        let rows = rows.map_err(|error| ArrowError::from_external_error(error.into()))?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut lists = ListBuilder::new(Int64Builder::new());
        for cells in rows {
            match cells {
                None => lists.append(false),
                Some(cells) => append(&mut lists, cells.into_iter(), blank, self.row)?,
            }
        }
        Ok(Some(Arc::new(lists.finish())))
    }
}
