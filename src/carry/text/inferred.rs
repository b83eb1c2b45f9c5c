//! Infers the narrowest type that can hold all values of a column.

use arrow::datatypes::{DataType, Field, Fields};

use super::Syntax;
use super::scalars::{
    NumberProperties, number_properties, parse_boolean, parse_float, parse_non_finite,
};
use super::times::{is_in_utc, parse_date, parse_timestamp};
use crate::carry::text::json_keys;
use crate::carry::{timestamp_type, timestamptz_type};

/// The maximum nesting of arrays and objects that become lists and structs. Deeper values are kept as JSON text.
const DEEPEST_NESTING: usize = 8;

/// The maximum number of keys of an object that becomes a struct. An object with more keys is probably a
/// dictionary, and is kept as JSON text.
const MOST_FIELDS: usize = 100;

/// The narrowest type that can hold all values of a column that have been added so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum InferredType {
    /// All values are null, or there are no values.
    #[default]
    Nothing,
    Boolean,
    /// All values are NaN or infinities, which JSON can write only as strings.
    NonFinite,
    Numbers(NumberProperties),
    Date,
    /// All values are timestamps without a zone.
    Timestamp,
    /// All values are timestamps in UTC.
    TimestampInUtc,
    List(Box<InferredType>),
    Struct(Vec<(String, InferredType)>),
    /// The values are strings, or have no common type.
    Text,
}

impl InferredType {
    /// Widens the type so that it can also hold this value.
    pub(crate) fn add_value(&mut self, syntax: Syntax, value: &str) {
        let value = match syntax {
            Syntax::Plain => infer_plain(value),
            Syntax::Json => infer_json(value, 0),
        };
        *self = std::mem::take(self).widened_to(value);
    }

    fn widened_to(self, other: InferredType) -> InferredType {
        use InferredType::{
            Boolean, Date, List, NonFinite, Nothing, Numbers as Numeric, Struct, Text, Timestamp,
            TimestampInUtc,
        };
        match (self, other) {
            (Nothing, seen) | (seen, Nothing) => seen,
            (Boolean, Boolean) => Boolean,
            (NonFinite, NonFinite) => NonFinite,
            (Date, Date) => Date,
            (Timestamp, Timestamp) => Timestamp,
            (TimestampInUtc, TimestampInUtc) => TimestampInUtc,
            (NonFinite, Numeric(numbers)) | (Numeric(numbers), NonFinite) => {
                Numeric(NumberProperties {
                    has_fractions: true,
                    ..numbers
                })
            }
            (Numeric(a), Numeric(b)) => Numeric(NumberProperties {
                has_fractions: a.has_fractions || b.has_fractions,
                has_inexact_doubles: a.has_inexact_doubles || b.has_inexact_doubles,
                has_negative: a.has_negative || b.has_negative,
                has_above_int64: a.has_above_int64 || b.has_above_int64,
            }),
            (List(a), List(b)) => List(Box::new(a.widened_to(*b))),
            // Objects with more keys than `MOST_FIELDS` are dictionaries. Comparing all their keys would take too long.
            (Struct(fields), Struct(others))
                if fields.len() > MOST_FIELDS || others.len() > MOST_FIELDS =>
            {
                Text
            }
            (Struct(mut fields), Struct(others)) => {
                for (key, seen) in others {
                    match fields.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = std::mem::take(known).widened_to(seen),
                        None => fields.push((key, seen)),
                    }
                }
                Struct(fields)
            }
            _ => Text,
        }
    }

    /// The narrowest Arrow type that can hold all values that have been added.
    pub(crate) fn data_type(&self) -> DataType {
        match self {
            InferredType::Nothing | InferredType::NonFinite | InferredType::Text => DataType::Utf8,
            InferredType::Boolean => DataType::Boolean,
            InferredType::Date => DataType::Date32,
            InferredType::Timestamp => timestamp_type(),
            InferredType::TimestampInUtc => timestamptz_type(),
            InferredType::Numbers(numbers) => match numbers {
                NumberProperties {
                    has_fractions: true,
                    has_inexact_doubles: exceed_doubles,
                    ..
                } => match exceed_doubles {
                    false => DataType::Float64,
                    true => DataType::Utf8,
                },
                NumberProperties {
                    has_above_int64: true,
                    has_negative: negative,
                    ..
                } => match negative {
                    false => DataType::UInt64,
                    true => DataType::Utf8,
                },
                _ => DataType::Int64,
            },
            InferredType::List(item) => DataType::new_list(item.data_type(), true),
            InferredType::Struct(fields) if fields.is_empty() || fields.len() > MOST_FIELDS => {
                DataType::Utf8
            }
            InferredType::Struct(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, seen)| Field::new(name, seen.data_type(), true));
                DataType::Struct(fields.collect::<Fields>())
            }
        }
    }
}

fn infer_json(value: &str, depth: usize) -> InferredType {
    match value.as_bytes().first() {
        Some(b'n') | None => InferredType::Nothing,
        Some(b't' | b'f') => InferredType::Boolean,
        Some(b'"') => match parse_float(Syntax::Json, value) {
            Some(_) => InferredType::NonFinite,
            None => InferredType::Text,
        },
        Some(b'[' | b'{') if depth == DEEPEST_NESTING => InferredType::Text,
        Some(b'[') => match json_keys::array_elements(value) {
            Ok(elements) => {
                let item_type = elements
                    .into_iter()
                    .map(|value| infer_json(value, depth + 1));
                InferredType::List(Box::new(
                    item_type.fold(InferredType::Nothing, InferredType::widened_to),
                ))
            }
            Err(_) => InferredType::Text,
        },
        Some(b'{') => match json_keys::keys_and_values(value) {
            Ok(pairs) => {
                let field =
                    |(key, value)| InferredType::Struct(vec![(key, infer_json(value, depth + 1))]);
                let empty_struct = InferredType::Struct(Vec::new());
                let numbered_keys = || pairs.iter().enumerate();
                let is_repeated = |(at, (key, _)): (usize, &(String, &str))| {
                    pairs[..at].iter().any(|(own, _)| own == key)
                };
                // A struct has one value per field, so an object in which a key occurs twice does not fit.
                if pairs.len() > MOST_FIELDS || numbered_keys().any(is_repeated) {
                    InferredType::Text
                } else {
                    pairs
                        .into_iter()
                        .map(field)
                        .fold(empty_struct, InferredType::widened_to)
                }
            }
            Err(_) => InferredType::Text,
        },
        Some(_) => number_properties(value).map_or(InferredType::Text, InferredType::Numbers),
    }
}

fn infer_plain(value: &str) -> InferredType {
    if parse_boolean(value).is_some() {
        InferredType::Boolean
    } else if parse_non_finite(value).is_some() {
        InferredType::NonFinite
    } else if parse_date(Syntax::Plain, value).is_some() {
        InferredType::Date
    } else if parse_timestamp(Syntax::Plain, value).is_some() {
        InferredType::Timestamp
    } else if is_in_utc(value) {
        InferredType::TimestampInUtc
    } else {
        number_properties(value).map_or(InferredType::Text, InferredType::Numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carry::text::arrays::parse_values;
    use crate::carry::text::scalars::non_null;

    fn infer_all(syntax: Syntax, values: &[&str]) -> DataType {
        let mut inferred_type = InferredType::default();
        for value in values {
            inferred_type.add_value(syntax, value);
        }
        inferred_type.data_type()
    }

    #[test]
    fn types_are_widened_until_nothing_is_lost() {
        use DataType::{Boolean, Date32, Float64, Int64, UInt64, Utf8};
        for (values, expected) in [
            (&["1", "null", "-2"][..], Int64),
            (&["18446744073709551615"], UInt64),
            (&["18446744073709551615", "-1"], Utf8),
            (&["18446744073709551616"], Utf8),
            (&["1", "2.5"], Float64),
            (&["1e3"], Float64),
            (&["-0", "1"], Float64),
            (&["1e999"], Utf8),
            (&["1e-400"], Utf8),
            (&["0e-400", "-0.0"], Float64),
            (&["{\"a\":1,\"a\":2}"], Utf8),
            // No 64-bit float is equal to this integer, so the common type is text.
            (&["9007199254740993", "2.5"], Utf8),
            (&["1", "\"NaN\"", "\"-Infinity\""], Float64),
            (&["\"NaN\""], Utf8),
            (&["true", "null"], Boolean),
            (&["true", "1"], Utf8),
            (&["1", "\"1\""], Utf8),
            (&["null"], Utf8),
            (&["[1]", "[]", "[2.5]"], DataType::new_list(Float64, true)),
            (&["[1]", "[\"a\"]"], DataType::new_list(Utf8, true)),
            (&["[]"], DataType::new_list(Utf8, true)),
            (&["[1]", "1"], Utf8),
            (&["{}"], Utf8),
            (
                &["{\"a\":1}", "{\"b\":true,\"a\":null}"],
                DataType::Struct(
                    vec![Field::new("a", Int64, true), Field::new("b", Boolean, true)].into(),
                ),
            ),
        ] {
            assert_eq!(infer_all(Syntax::Json, values), expected, "{values:?}");
        }
        for (values, expected) in [
            (&["1", "22"][..], Int64),
            (&["1", "007"], Utf8),
            (&["+1"], Utf8),
            (&[" 1"], Utf8),
            (&["1.50", "-2"], Float64),
            (&[".5"], Utf8),
            (&["1.5", "NaN", "inf"], Float64),
            (&["True", "False"], Boolean),
            (&["2024-01-01", "2024-02-29"], Date32),
            (&["2024-01-01", "2023-02-29"], Utf8),
            (&["2024-01-01", "2024"], Utf8),
            (&["2024-01-01 10:00:00", "2024-01-01T10:00:00.5"], {
                timestamp_type()
            }),
            (&["2024-01-01T10:00:00Z"], timestamptz_type()),
            // The type has no place for the offset.
            (&["2024-01-01T10:00:00+01:00"], Utf8),
            (&["2024-01-01", "2024-01-01 10:00:00"], Utf8),
            (&["[1]"], Utf8),
        ] {
            assert_eq!(infer_all(Syntax::Plain, values), expected, "{values:?}");
        }
        let deep_list = "[".repeat(2 * DEEPEST_NESTING) + &"]".repeat(2 * DEEPEST_NESTING);
        assert!(matches!(
            infer_all(Syntax::Json, &[&deep_list]),
            DataType::List(_)
        ));
        let many_keys: Vec<String> = (0..=MOST_FIELDS)
            .map(|key| format!("\"{key}\":1"))
            .collect();
        let many_keys = format!("{{{}}}", many_keys.join(","));
        assert_eq!(infer_all(Syntax::Json, &[&many_keys]), Utf8);
    }

    /// Converting values to the inferred type and writing them as JSON again does not change them.
    #[test]
    fn an_inferred_type_holds_every_value() {
        let all_values = [
            "null",
            "1",
            "-7",
            "2.5",
            "true",
            "\"a\"",
            "\"NaN\"",
            "[1,null]",
            "[\"x\"]",
            "{\"a\":1}",
            "{\"b\":[{\"c\":null}]}",
            "18446744073709551615",
            "9007199254740993",
            "[]",
        ];
        let seed = 11;
        let mut rng = sudoku_core::random::Rng::new(seed);
        for case in 0..5_000 {
            let values: Vec<&str> = (0..1 + rng.below(4))
                .map(|_| all_values[rng.below(all_values.len())])
                .collect();
            let data_type = infer_all(Syntax::Json, &values);
            let non_null_values: Vec<_> = values.iter().map(|value| non_null(value)).collect();
            let array = parse_values(Syntax::Json, &data_type, &non_null_values);
            let array = array.unwrap_or_else(|at| {
                panic!("seed {seed}, case {case}: {values:?} as {data_type}: {at}")
            });
            assert_eq!(array.len(), values.len());
        }
    }
}
