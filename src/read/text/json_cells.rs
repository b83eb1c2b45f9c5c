//! Grids as JSON arrays: of integers, of rows of integers, or of strings.

use std::fmt;

use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::table::reject::{RejectKind, RejectReason};

/// The deepest nesting: rows within a grid.
const DEEPEST: usize = 2;

/// The text of the grid in an array: 0 and null are empty cells, 10 is `A`, strings are cells.
pub(crate) fn from_array(json: &str) -> Result<String, RejectReason> {
    let mut text = String::with_capacity(81);
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let cells = CellText {
        text: &mut text,
        depth: 0,
    };
    match (&mut deserializer).deserialize_any(cells) {
        Ok(()) => Ok(text),
        Err(error) => {
            // The error's position is relative to the array, which helps nobody.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            let message = format!("the array holds a value that is not a cell: {message}");
            Err(RejectReason::new(RejectKind::BadCharacter, message))
        }
    }
}

/// Appends the cells that it visits to a text.
struct CellText<'t> {
    text: &'t mut String,
    depth: usize,
}

impl CellText<'_> {
    fn number<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        let cell = match u8::try_from(number) {
            Ok(0) => '.',
            Ok(number @ 1..=9) => char::from(b'0' + number),
            Ok(number @ 10..=25) => char::from(b'A' + number - 10),
            _ => return Err(E::custom(format_args!("the number {number}"))),
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
        if number.fract() == 0.0 && (0.0..=25.0).contains(&number) {
            return self.number(number as u64);
        }
        Err(E::custom(format_args!("the number {number}")))
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.text.push('.');
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
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
        let CellText { text, depth } = self;
        while rows
            .next_element_seed(CellText {
                text,
                depth: depth + 1,
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
            assert_eq!(from_array(json).unwrap(), expected, "{json}");
        }
        for json in ["[26]", "[-1]", "[1.5]", "[true]", "[{}]", "[[[1]]]"] {
            let reason = from_array(json).unwrap_err();
            assert_eq!(reason.kind, RejectKind::BadCharacter);
            assert!(!reason.message.contains("line"), "{}", reason.message);
        }
    }
}
