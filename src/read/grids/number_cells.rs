//! Reads numbers as the cells of grids.

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

    /// The least and the greatest number in the cells with these indices.
    pub(in crate::read) fn lowest_and_highest(
        &self,
        cells: impl Iterator<Item = usize>,
    ) -> (i128, i128) {
        // A number that is not whole is replaced by -1, which no offset makes a valid cell.
        let numbers = cells.filter_map(|at| Some(self.numbers.get(at)?.unwrap_or(-1)));
        numbers.fold((i128::MAX, i128::MIN), |(least, most), number| {
            (least.min(number), most.max(number))
        })
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
