//! Reads numbers as the cells of grids.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
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

    /// The numbers in this range, if they are all whole and in memory one after the other; otherwise `None`.
    fn whole(&self, _: Range<usize>) -> Option<&[i64]> {
        None
    }

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
            // Arrays of digits have mostly these types. The cast for all types is many times as slow.
            DataType::UInt8 => Ok(NumberArray::widened::<UInt8Type>(column)),
            DataType::Int8 => Ok(NumberArray::widened::<Int8Type>(column)),
            DataType::UInt16 => Ok(NumberArray::widened::<UInt16Type>(column)),
            DataType::Int16 => Ok(NumberArray::widened::<Int16Type>(column)),
            DataType::UInt32 => Ok(NumberArray::widened::<UInt32Type>(column)),
            DataType::Int32 => Ok(NumberArray::widened::<Int32Type>(column)),
            _ => cast(column, &DataType::Int64).map(NumberArray),
        }
    }

    /// A column of smaller integers.
    fn widened<T: ArrowPrimitiveType<Native: Into<i64>>>(column: &ArrayRef) -> NumberArray {
        let numbers = column.as_primitive::<T>();
        NumberArray(Arc::new(numbers.unary::<_, Int64Type>(Into::into)))
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

    fn whole(&self, range: Range<usize>) -> Option<&[i64]> {
        let numbers = self.0.as_primitive_opt::<Int64Type>()?;
        let has_nulls = numbers.null_count() > 0;
        numbers.values().get(range).filter(|_| !has_nulls)
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

/// The characters of the cells: `.` for an empty one, then those of the digits.
static CHARACTERS: LazyLock<[u8; MOST_DIGITS + 1]> =
    LazyLock::new(|| std::array::from_fn(|number| cell(number).map_or(b'.', |cell| cell as u8)));

/// The most digits of a grid.
const MOST_DIGITS: usize = 25;

/// The most cells that are converted at a time.
const MOST_CELLS: usize = MOST_DIGITS * MOST_DIGITS;

/// Appends numbers as the cells of a grid, like [`NumberCells::add`], which takes several times as long. Returns whether all
/// of them are cells; otherwise `text` stays as it is.
fn add_whole(numbers: &[i64], symbols: NumberSymbols, side: usize, text: &mut String) -> bool {
    let (empty, one) = (i64::from(symbols.empty), i64::from(symbols.one));
    let (mut bytes, side) = ([0; MOST_CELLS], side.min(MOST_DIGITS));
    let Some(bytes) = bytes.get_mut(..numbers.len()) else {
        return false;
    };
    let characters = &*CHARACTERS;
    let mut are_cells = true;
    for (byte, &number) in bytes.iter_mut().zip(numbers) {
        // A number below the one of digit 1 becomes a large one.
        let index = number.wrapping_sub(one) as u64;
        let is_digit = index < side as u64;
        let is_empty = number == empty;
        are_cells &= is_digit || is_empty;
        let index = if is_digit && !is_empty {
            index as usize + 1
        } else {
            0
        };
        *byte = characters[index.min(MOST_DIGITS)];
    }
    let added = std::str::from_utf8(bytes).ok().filter(|_| are_cells);
    text.push_str(added.unwrap_or_default());
    added.is_some()
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
            let (position, last) = (text.len() + 1, i128::from(one) + side as i128 - 1);
            let message = if i32::from(one) == i32::from(empty) + 1 { format!("{number} at position {position} is not between {empty} and {last}") } else { format!(
                "{number} at position {position} is not between {one} and {last}, and not {empty}, which is \
                 an empty cell"
            ) };
            RejectReason::new(RejectKind::BadCharacter, message)
        })?);
        Ok(())
    }

    fn add_all(
        &self,
        list: Range<usize>,
        side: usize,
        text: &mut String,
    ) -> Result<(), RejectReason> {
        let whole = self.numbers.whole(list.clone());
        if whole.is_some_and(|numbers| add_whole(numbers, self.symbols, side, text)) {
            return Ok(());
        }
        list.into_iter().try_for_each(|at| self.add(at, side, text))
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

#[cfg(test)]
mod tests {
    use arrow::array::Int64Array;
    use sudoku_core::random::Rng;

    use super::*;

    #[test]
    fn whole_numbers_are_the_cells_that_single_numbers_are() {
        let seed = 3;
        let mut rng = Rng::new(seed);
        for round in 0..4000 {
            let side = [4, 6, 9, 12, 16, 25][rng.below(6)];
            let symbols = match rng.below(4) {
                0 => NumberSymbols::from(0),
                1 => NumberSymbols::from(1),
                2 => NumberSymbols {
                    empty: -1,
                    ..NumberSymbols::from(0)
                },
                _ => NumberSymbols::from(i16::MAX - 25),
            };
            // In most lists all numbers are cells.
            let wrong = rng.below(3) == 0;
            let number = |rng: &mut Rng| match rng.below(40) {
                0 if wrong => i64::MIN,
                1 if wrong => i64::from(symbols.one) + side as i64,
                2 if wrong => i64::from(symbols.one) - 1,
                3..15 => i64::from(symbols.empty),
                _ => i64::from(symbols.one) + rng.below(side) as i64,
            };
            let count = [side, side * side][rng.below(2)];
            let numbers: Vec<i64> = (0..count).map(|_| number(&mut rng)).collect();
            let array = NumberArray(Arc::new(Int64Array::from(numbers.clone())));
            let cells = NumberCells::new(&array, symbols);
            let (mut text, mut expected) = (String::from("."), String::from("."));
            let result = cells.add_all(0..count, side, &mut text);
            let each = (0..count).try_for_each(|at| cells.add(at, side, &mut expected));
            assert_eq!(result, each, "seed {seed}, round {round}: {numbers:?}");
            assert_eq!(text, expected, "seed {seed}, round {round}: {numbers:?}");
            let is_whole = add_whole(&numbers, symbols, side, &mut String::new());
            assert_eq!(is_whole, each.is_ok(), "seed {seed}, round {round}");
        }
    }
}
