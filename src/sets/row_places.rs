//! Positions of rows in the inputs, and columns with such positions.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::{Field, Schema, SchemaRef};

use crate::table::layout::free_name;

/// The position of a row: the index of its input, and the number of the row in that input, from 0.
///
/// ```text
/// input 20 bits │ row 44 bits
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowPlace(pub(super) u64);

impl RowPlace {
    const ROW_BITS: u32 = 44;

    /// Packs both numbers into one integer. The bits are enough for every run, so an overflow is not checked.
    pub(super) fn new(input: usize, row: u64) -> RowPlace {
        RowPlace((input as u64) << RowPlace::ROW_BITS | row & ((1 << RowPlace::ROW_BITS) - 1))
    }

    pub(super) fn input_index(self) -> usize {
        (self.0 >> RowPlace::ROW_BITS) as usize
    }

    pub(super) fn row_number(self) -> u64 {
        self.0 & ((1 << RowPlace::ROW_BITS) - 1)
    }

    /// The position with the name of its input. `sources` are the names of all inputs.
    pub(super) fn named(self, sources: &[String]) -> NamedPlace<'_> {
        NamedPlace {
            source: sources.get(self.input_index()).map_or("", String::as_str),
            row: self.row_number(),
        }
    }
}

/// For each row that repeats an earlier row, its position and the position of the first row of its class.
pub(super) fn repeated_places(
    places: &[RowPlace],
    firsts: &[Option<RowPlace>],
) -> impl Iterator<Item = (RowPlace, RowPlace)> {
    let pairs = places.iter().zip(firsts);
    pairs.filter_map(|(place, first)| Some((*place, (*first)?)))
}

/// The position of a row, with the name of its input.
pub(super) struct NamedPlace<'a> {
    pub(super) source: &'a str,
    pub(super) row: u64,
}

/// A schema with the columns of `places`, followed by those of `rows`. A column of `rows` whose name is already used is
/// renamed to `input_<name>`.
pub(super) fn schema_with_places(places: &Schema, rows: &Schema) -> SchemaRef {
    let mut fields: Vec<_> = places.fields().iter().cloned().collect();
    let mut taken_names: HashSet<String> = (fields.iter())
        .map(|field| field.name().to_ascii_lowercase())
        .collect();
    for field in rows.fields() {
        let name = free_name(field.name(), &mut taken_names);
        fields.push(Arc::new(Field::clone(field).with_name(name)));
    }
    Arc::new(Schema::new(fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_an_input_and_a_row() {
        for (input, row) in [(0, 0), (7, 1 << 40), (1_000_000, 3)] {
            let place = RowPlace::new(input, row);
            assert_eq!((place.input_index(), place.row_number()), (input, row));
        }
    }
}
