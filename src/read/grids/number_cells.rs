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
use super::number_problem::rejection;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::text::notation::NumberSymbols;

/// Access to the numbers of an array of any number type.
pub(in crate::read) trait Numbers {
    /// The number at this index; `None` for null and NaN. If the number is not whole, the error is its text.
    fn get(&self, at: usize) -> Option<Result<i128, String>>;

    /// Whether some numbers may be null or NaN.
    fn may_have_nulls(&self) -> bool {
        true
    }
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
        to_integer(self.0.as_primitive::<Float64Type>().value(at))
    }

    fn may_have_nulls(&self) -> bool {
        self.0.null_count() > 0 || self.0.data_type().is_floating()
    }
}

impl Numbers for [f64] {
    fn get(&self, at: usize) -> Option<Result<i128, String>> {
        <[f64]>::get(self, at).and_then(|number| to_integer(*number))
    }

    fn may_have_nulls(&self) -> bool {
        self.iter().any(|number| number.is_nan())
    }
}

impl Numbers for [Value] {
    fn get(&self, at: usize) -> Option<Result<i128, String>> {
        let value = <[Value]>::get(self, at).filter(|value| !value.is_null())?;
        match value.as_f64() {
            Some(number) => to_integer(number),
            None => Some(Err(value.to_string())),
        }
    }
}

/// Converts a float to an integer; `None` for NaN. If the number is not whole, the error is its text.
fn to_integer(number: f64) -> Option<Result<i128, String>> {
    if number.is_nan() {
        return None;
    }
    Some(if number.fract() == 0.0 && number.abs() < 1e15 {
        Ok(number as i128)
    } else {
        Err(number.to_string())
    })
}

/// Numbers as the cells of grids. Null and NaN are empty cells.
pub(in crate::read) struct NumberCells<'n, N: ?Sized> {
    numbers: &'n N,
    symbols: NumberSymbols,
}

impl<'n, N: Numbers + ?Sized> NumberCells<'n, N> {
    /// The numbers with these symbols, or with an offset: the number that stands for an empty cell.
    pub(in crate::read) fn new(
        numbers: &'n N,
        symbols: impl Into<NumberSymbols>,
    ) -> NumberCells<'n, N> {
        NumberCells {
            numbers,
            symbols: symbols.into(),
        }
    }

    pub(super) fn number(&self, at: usize) -> Option<Result<i128, String>> {
        self.numbers.get(at)
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
        let NumberSymbols { empty, one, .. } = self.symbols;
        let number = self.numbers.get(at).unwrap_or(Ok(empty.into()));
        let is_empty = number == Ok(empty.into());
        let own = number.as_ref().ok().filter(|_| !is_empty);
        let own = own.and_then(|own| usize::try_from(own - i128::from(one) + 1).ok());
        let own = own.filter(|own| (1..=side).contains(own));
        let cell_number = if is_empty { Some(0) } else { own };
        text.push(cell_number.and_then(cell).ok_or_else(|| {
            let number = number.map_or_else(|text| text, |number| number.to_string());
            let (position, last) = (text.len() + 1, one + side as i16 - 1);
            let message = if one == empty + 1 { format!("{number} at position {position} is not between {empty} and {last}") } else { format!(
                "{number} at position {position} is not between {one} and {last}, and not {empty}, which is \
                 an empty cell"
            ) };
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

    fn check(&self, cells: impl Iterator<Item = usize>) -> Result<(), RejectReason> {
        if let Some(reason) = rejection(self.symbols) {
            return Err(reason);
        }
        if !self.numbers.may_have_nulls() {
            return Ok(());
        }
        let empty = i128::from(self.symbols.empty);
        let (mut null, mut number) = (None, None);
        for (position, at) in (1..).zip(cells) {
            match self.numbers.get(at) {
                None => null = null.or(Some(position)),
                Some(Ok(own)) if own == empty => number = number.or(Some(position)),
                Some(_) => {}
            }
        }
        let (Some(null), Some(number)) = (null, number) else {
            return Ok(());
        };
        let message = format!(
            "null at position {null} and {empty} at position {number} are both empty cells: one grid has one mark for them"
        );
        Err(RejectReason::new(RejectKind::MixedBlanks, message))
    }

    fn rows(&self, _: Range<usize>) -> Option<Result<String, RejectReason>> {
        None
    }

    fn wrong_count(count: usize) -> String {
        format!("a list of {count} numbers; a puzzle has 81")
    }
}
