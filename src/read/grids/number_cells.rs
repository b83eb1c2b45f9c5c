//! Reads numbers as the cells of grids.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use arrow::error::ArrowError;
use serde_json::Value;

use super::cells::{Cells, cell};
use crate::table::reject::{RejectKind, RejectReason};

/// Access to the numbers of an array of any number type.
pub(in crate::read) trait Numbers {
    /// The number at this index; `None` for null. If the number is not whole, the error is its text.
    fn get(&self, at: usize) -> Option<Result<i128, String>>;
}

/// A column of numbers.
pub(in crate::read) struct NumberArray(ArrayRef);

impl NumberArray {
    pub(in crate::read) fn from_column(column: &ArrayRef) -> Result<NumberArray, ArrowError> {
        match column.data_type() {
            DataType::UInt64 => Ok(NumberArray(Arc::clone(column))),
            float if float.is_floating() => cast(column, &DataType::Float64).map(NumberArray),
            _ => cast(column, &DataType::Int64).map(NumberArray),
        }
    }
}

impl Numbers for NumberArray {
    fn get(&self, at: usize) -> Option<Result<i128, String>> {
        if self.0.is_null(at) {
            return None;
        }
        if let Some(numbers) = self.0.as_primitive_opt::<Int64Type>() {
            return Some(Ok(numbers.value(at).into()));
        }
        if let Some(numbers) = self.0.as_primitive_opt::<UInt64Type>() {
            return Some(Ok(numbers.value(at).into()));
        }
        Some(to_integer(self.0.as_primitive::<Float64Type>().value(at)))
    }
}

impl Numbers for [f64] {
    fn get(&self, at: usize) -> Option<Result<i128, String>> {
        <[f64]>::get(self, at).map(|number| to_integer(*number))
    }
}

impl Numbers for [Value] {
    fn get(&self, at: usize) -> Option<Result<i128, String>> {
        let value = <[Value]>::get(self, at).filter(|value| !value.is_null())?;
        Some(match value.as_f64() {
            Some(number) => to_integer(number),
            None => Err(value.to_string()),
        })
    }
}

/// Converts a float to an integer. If the number is not whole, the error is its text.
fn to_integer(number: f64) -> Result<i128, String> {
    match number.fract() == 0.0 && number.abs() < 1e15 {
        true => Ok(number as i128),
        false => Err(number.to_string()),
    }
}

/// Numbers as the cells of grids. Null is an empty cell.
pub(in crate::read) struct NumberCells<'n, N: ?Sized> {
    numbers: &'n N,
    /// The number that stands for an empty cell.
    empty: usize,
}

impl<'n, N: Numbers + ?Sized> NumberCells<'n, N> {
    pub(in crate::read) fn new(numbers: &'n N, offset: u8) -> NumberCells<'n, N> {
        NumberCells {
            numbers,
            empty: offset.into(),
        }
    }

    /// Whether digit d is the number d + 1 in the grid with these cells, like the token ids of models, and not d itself:
    /// the reading in which fewer numbers are no cell. `None` if both readings are as likely.
    pub(in crate::read) fn is_shifted(
        &self,
        cells: impl Iterator<Item = usize>,
        order: usize,
    ) -> Option<bool> {
        let order = order as i128;
        let (mut zeros, mut ones, mut above) = (0_usize, 0_usize, 0_usize);
        for number in cells.filter_map(|at| self.numbers.get(at)) {
            match number {
                Ok(0) => zeros += 1,
                Ok(1) => ones += 1,
                Ok(number) if number == order + 1 => above += 1,
                Ok(_) => {}
                // An empty text is an empty cell, so 1 is a digit.
                Err(_) => return Some(false),
            }
        }
        match zeros.cmp(&above) {
            Ordering::Less => Some(true),
            Ordering::Greater => Some(false),
            // Each digit occurs once a row in a full grid. A larger number of ones can also be empty cells.
            Ordering::Equal => (ones <= 2 * order as usize).then_some(false),
        }
    }
}

impl<N: Numbers + ?Sized> Cells for NumberCells<'_, N> {
    const MOST_CHARACTERS: usize = usize::MAX;

    fn add(&self, at: usize, side: usize, text: &mut String) -> Result<(), RejectReason> {
        let empty = self.empty;
        let number = self.numbers.get(at).unwrap_or(Ok(empty as i128));
        let cell_number = number
            .as_ref()
            .ok()
            .and_then(|own| usize::try_from(*own).ok());
        let cell_number = cell_number
            .and_then(|own| own.checked_sub(empty))
            .filter(|own| *own <= side);
        text.push(cell_number.and_then(cell).ok_or_else(|| {
            let number = number.map_or_else(|text| text, |number| number.to_string());
            let (position, most) = (text.len() + 1, side + empty);
            let message =
                format!("{number} at position {position} is not between {empty} and {most}");
            RejectReason::new(RejectKind::BadCharacter, message)
        })?);
        Ok(())
    }

    fn display(&self, at: usize) -> String {
        match self.numbers.get(at) {
            Some(Ok(number)) => number.to_string(),
            Some(Err(text)) => text,
            None => "null".to_owned(),
        }
    }

    fn rows(&self, _: Range<usize>) -> Option<Result<String, RejectReason>> {
        None
    }

    fn wrong_count(count: usize) -> String {
        format!("a list of {count} numbers; a puzzle has 81")
    }
}
