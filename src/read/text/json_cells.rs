//! Grids as JSON arrays: of integers, of rows of integers, or of strings.

use std::fmt;

use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::read::columnar::grids::cell;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::sizes::Size;

/// The deepest nesting: rows within a grid.
const DEEPEST: usize = 2;

/// The text of the grid in an array: null and the number `offset` are empty cells, the digits follow
/// that number, and 10 is `A`. Strings are cells.
pub(crate) fn from_array(json: &str, offset: u8) -> Result<String, RejectReason> {
    match text(json, offset, false) {
        Ok(text) => Ok(text),
        Err(error) => {
            // The error's position is relative to the array, which helps nobody.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            let message = format!("the array holds a value that is not a cell: {message}");
            Err(RejectReason::new(RejectKind::BadCharacter, message))
        }
    }
}

fn text(json: &str, offset: u8, only_numbers: bool) -> Result<String, serde_json::Error> {
    let mut text = String::with_capacity(81);
    let mut deserializer = serde_json::Deserializer::from_str(json);
    (&mut deserializer).deserialize_any(CellText {
        text: &mut text,
        depth: 0,
        offset,
        only_numbers,
    })?;
    Ok(text)
}

/// Infers whether the digits of grids are 2 to 10 on a 9 × 9 grid, as tokens of a model are.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ShiftedCells {
    /// No grid has decided it.
    #[default]
    Unknown,
    Shifted,
    NotShifted,
}

impl ShiftedCells {
    /// Adds a value, which may be an array.
    pub(crate) fn add(&mut self, json: &str) {
        if *self == ShiftedCells::NotShifted || !json.starts_with('[') {
            return;
        }
        let Ok(text) = text(json, 1, true) else {
            *self = ShiftedCells::NotShifted;
            return;
        };
        let side = text.len().isqrt();
        let is_grid = Size::ORDERS.contains(&side) && side * side == text.len();
        let digits = text.chars().filter_map(|cell| cell.to_digit(36));
        match digits.max().map(|digit| digit as usize) {
            Some(digit) if is_grid && digit > side => *self = ShiftedCells::NotShifted,
            Some(digit) if is_grid && digit == side => *self = ShiftedCells::Shifted,
            _ => {}
        }
    }

    /// The number of an empty cell.
    pub(crate) fn offset(self) -> u8 {
        u8::from(self == ShiftedCells::Shifted)
    }
}

/// Appends the cells that it visits to a text.
struct CellText<'t> {
    text: &'t mut String,
    depth: usize,
    /// The number of an empty cell.
    offset: u8,
    /// Whether strings are errors.
    only_numbers: bool,
}

impl CellText<'_> {
    fn number<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        let offset = self.offset;
        let shifted = number.checked_sub(offset.into());
        let shifted = shifted.and_then(|number| usize::try_from(number).ok());
        let cell = match shifted.and_then(cell) {
            Some(cell) => cell,
            None if offset > 0 => {
                let empty = format_args!("the number {number}, where {offset} is an empty cell");
                return Err(E::custom(empty));
            }
            None => return Err(E::custom(format_args!("the number {number}"))),
        };
        self.text.push(cell);
        Ok(())
    }
}

impl<'de> Visitor<'de> for CellText<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("integers, null, strings, or rows of them")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        self.number(number)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<(), E> {
        match u64::try_from(number) {
            Ok(number) => self.number(number),
            Err(_) => Err(E::custom(format_args!("the number {number}"))),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        // Some writers convert a column of integers with gaps to floats.
        if number.fract() == 0.0 && (0.0..=280.0).contains(&number) {
            return self.number(number as u64);
        }
        Err(E::custom(format_args!("the number {number}")))
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.text.push('.');
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        if self.only_numbers {
            return Err(E::custom("a string"));
        }
        match text {
            "" => self.text.push('.'),
            text => self.text.push_str(text),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        if self.depth == DEEPEST {
            return Err(serde::de::Error::custom("an array within a row"));
        }
        let CellText {
            text,
            depth,
            offset,
            only_numbers,
        } = self;
        while rows
            .next_element_seed(CellText {
                text,
                depth: depth + 1,
                offset,
                only_numbers,
            })?
            .is_some()
        {}
        Ok(())
    }
}

impl<'de> serde::de::DeserializeSeed<'de> for CellText<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_shape_are_grids() {
        for (json, expected) in [
            ("[5,3,0,null]", "53.."),
            ("[[5,3],[0,null]]", "53.."),
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
    /// Issue 27: tokens of a model were rejects, and no option changed that.
    #[test]
    fn numbers_may_be_shifted() {
        assert_eq!(from_array("[6,[4,1],null,\"7\",17]", 1).unwrap(), "53..7G");
        for (json, offset) in [("[0]", 1), ("[27]", 1), ("[2]", 3)] {
            let reason = from_array(json, offset).unwrap_err();
            assert!(reason.message.contains("is an empty cell"), "{json}");
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
            (vec![grid(10, 1), "[\"\"]".to_owned()], 0),
            (vec!["\"53..\"".to_owned(), grid(10, 1)], 1),
        ] {
            let mut shifted = ShiftedCells::default();
            values.iter().for_each(|json| shifted.add(json));
            assert_eq!(shifted.offset(), expected, "{values:?}");
        }
    }
}
