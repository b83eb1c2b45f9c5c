//! The types of the columns of a text: determined by its first records, or named by the options.
//!
//! ```text
//! values of the first records ─ Seen ─▶ DataType ─┐
//!                                                  ├─▶ arrays
//! values of a batch ───────────────────────────────┘
//! ```
//!
//! A type is widened until it holds every value of the first records without loss; where none does,
//! the column is text. A later value that the type does not hold is an error, never another value.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, StringBuilder, StructArray,
    UInt64Array,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};

use super::text::json_keys;
use super::text::json_text::{string, unescaped};
use crate::error::Error;

/// Objects in arrays in objects: what is nested deeper is text, as it is written.
const DEEPEST: usize = 8;

/// An object with more keys than these is a dictionary rather than a record: it is text, as it is
/// written.
const MOST_FIELDS: usize = 100;

/// So much of a value is shown in a message.
const SHOWN: usize = 80;

/// How a format writes values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// As text, as in CSV.
    Plain,
    /// As JSON.
    Json,
}

/// What the values of a column have been so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Seen {
    /// Null, or nothing at all.
    #[default]
    Nothing,
    Boolean,
    /// NaN and infinities, which JSON has as strings alone.
    NonFinite,
    Numbers(Numbers),
    List(Box<Seen>),
    Struct(Vec<(String, Seen)>),
    /// Strings, or values that no other type holds.
    Text,
}

/// What numbers have been seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Numbers {
    /// Some are no integers.
    fractions: bool,
    /// Some are integers that no double is.
    exceed_doubles: bool,
    /// Some are below zero.
    negative: bool,
    /// Some are above the largest `int64`.
    exceed_int64: bool,
}

impl Seen {
    /// Adds the value of one more record.
    pub(crate) fn add(&mut self, syntax: Syntax, value: &str) {
        let value = match syntax {
            Syntax::Plain => plain(value),
            Syntax::Json => json(value, 0),
        };
        *self = std::mem::take(self).with(value);
    }

    fn with(self, other: Seen) -> Seen {
        use Seen::{Boolean, List, NonFinite, Nothing, Numbers as Numeric, Struct, Text};
        match (self, other) {
            (Nothing, seen) | (seen, Nothing) => seen,
            (Boolean, Boolean) => Boolean,
            (NonFinite, NonFinite) => NonFinite,
            (NonFinite, Numeric(numbers)) | (Numeric(numbers), NonFinite) => Numeric(Numbers {
                fractions: true,
                ..numbers
            }),
            (Numeric(a), Numeric(b)) => Numeric(Numbers {
                fractions: a.fractions || b.fractions,
                exceed_doubles: a.exceed_doubles || b.exceed_doubles,
                negative: a.negative || b.negative,
                exceed_int64: a.exceed_int64 || b.exceed_int64,
            }),
            (List(a), List(b)) => List(Box::new(a.with(*b))),
            (Struct(mut fields), Struct(others)) => {
                for (key, seen) in others {
                    match fields.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = std::mem::take(known).with(seen),
                        None => fields.push((key, seen)),
                    }
                }
                Struct(fields)
            }
            _ => Text,
        }
    }

    /// The narrowest type that holds all of them.
    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Seen::Nothing | Seen::NonFinite | Seen::Text => DataType::Utf8,
            Seen::Boolean => DataType::Boolean,
            Seen::Numbers(numbers) => match numbers {
                Numbers {
                    fractions: true,
                    exceed_doubles,
                    ..
                } => match exceed_doubles {
                    false => DataType::Float64,
                    true => DataType::Utf8,
                },
                Numbers {
                    exceed_int64: true,
                    negative,
                    ..
                } => match negative {
                    false => DataType::UInt64,
                    true => DataType::Utf8,
                },
                _ => DataType::Int64,
            },
            Seen::List(item) => DataType::new_list(item.data_type(), true),
            Seen::Struct(fields) if fields.is_empty() || fields.len() > MOST_FIELDS => {
                DataType::Utf8
            }
            Seen::Struct(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, seen)| Field::new(name, seen.data_type(), true));
                DataType::Struct(fields.collect::<Fields>())
            }
        }
    }
}

fn json(value: &str, depth: usize) -> Seen {
    match value.as_bytes().first() {
        Some(b'n') | None => Seen::Nothing,
        Some(b't' | b'f') => Seen::Boolean,
        Some(b'"') => match float(Syntax::Json, value) {
            Some(_) => Seen::NonFinite,
            None => Seen::Text,
        },
        Some(b'[' | b'{') if depth == DEEPEST => Seen::Text,
        Some(b'[') => match json_keys::elements(value) {
            Ok(elements) => {
                let seen = elements.into_iter().map(|value| json(value, depth + 1));
                Seen::List(Box::new(seen.fold(Seen::Nothing, Seen::with)))
            }
            Err(_) => Seen::Text,
        },
        Some(b'{') => match json_keys::pairs(value) {
            Ok(pairs) => {
                let field = |(key, value)| Seen::Struct(vec![(key, json(value, depth + 1))]);
                let none = Seen::Struct(Vec::new());
                pairs.into_iter().map(field).fold(none, Seen::with)
            }
            Err(_) => Seen::Text,
        },
        Some(_) => number(value).map_or(Seen::Text, Seen::Numbers),
    }
}

fn plain(value: &str) -> Seen {
    if boolean(value).is_some() {
        Seen::Boolean
    } else if non_finite(value).is_some() {
        Seen::NonFinite
    } else {
        number(value).map_or(Seen::Text, Seen::Numbers)
    }
}

/// As people and programs write them.
fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// What JSON has no number for.
fn non_finite(text: &str) -> Option<f64> {
    match text {
        "NaN" | "nan" => Some(f64::NAN),
        "Infinity" | "inf" => Some(f64::INFINITY),
        "-Infinity" | "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// What a number is, if it is one that a 64-bit type holds.
fn number(text: &str) -> Option<Numbers> {
    match shape(text)? {
        Shape::Integer => {
            let number: i128 = text.parse().ok()?;
            let fits = i128::from(i64::MIN) <= number && number <= i128::from(u64::MAX);
            fits.then_some(Numbers {
                fractions: false,
                exceed_doubles: number as f64 as i128 != number,
                negative: number < 0,
                exceed_int64: number > i128::from(i64::MAX),
            })
        }
        Shape::Decimal => {
            let number: f64 = text.parse().ok()?;
            number.is_finite().then_some(Numbers {
                fractions: true,
                ..Numbers::default()
            })
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Integer,
    Decimal,
}

/// Whether this is a number as JSON writes it: without a plus sign, and without zeros in front, with
/// which it is a code. -0 is a decimal, for no integer has this sign.
fn shape(text: &str) -> Option<Shape> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bytes = text.as_bytes();
    let unsigned = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned[0] == b'0') {
        return None;
    }
    let mut rest = &unsigned[whole..];
    if rest.is_empty() {
        return Some(match unsigned {
            b"0" if bytes.len() > 1 => Shape::Decimal,
            _ => Shape::Integer,
        });
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return None;
        }
        rest = &fraction[count..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            exponent => exponent,
        };
        let count = digits(exponent);
        if count == 0 {
            return None;
        }
        rest = &exponent[count..];
    }
    rest.is_empty().then_some(Shape::Decimal)
}

/// The types of the carried columns of a text.
#[derive(Debug)]
pub struct ColumnTypes {
    source_name: String,
    syntax: Syntax,
    fields: Vec<FieldRef>,
}

impl ColumnTypes {
    pub(crate) fn new(source_name: &str, syntax: Syntax, fields: Vec<FieldRef>) -> ColumnTypes {
        ColumnTypes {
            source_name: source_name.to_owned(),
            syntax,
            fields,
        }
    }

    pub(crate) fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// The column number `at` of these values; `row` tells the record of the n-th of them.
    ///
    /// # Errors
    /// A value that the type does not hold.
    pub(crate) fn column(
        &self,
        at: usize,
        values: &[Option<&str>],
        row: impl Fn(usize) -> u64,
    ) -> Result<ArrayRef, Error> {
        let field = &self.fields[at];
        array(self.syntax, field.data_type(), values).map_err(|place| {
            let value = values.get(place).copied().flatten().unwrap_or_default();
            let mut shown: String = value.chars().take(SHOWN).collect();
            if shown.len() < value.len() {
                shown.push('…');
            }
            Error::WrongType {
                source_name: self.source_name.clone(),
                row: row(place),
                column: field.name().clone(),
                data_type: type_name(field.data_type()),
                value: shown.escape_debug().to_string().replace("\\\"", "\""),
            }
        })
    }

    /// A field for people.
    pub(crate) fn shown<'f>(&self, field: &'f str) -> Cow<'f, str> {
        match self.syntax {
            Syntax::Plain => Cow::Borrowed(field),
            Syntax::Json => unescaped(field),
        }
    }
}

/// Whether values of a text can be read as this type.
pub(crate) fn is_readable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean
        | DataType::Int64
        | DataType::UInt64
        | DataType::Float64
        | DataType::Utf8 => true,
        DataType::List(item) => is_readable(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| is_readable(field.data_type())),
        _ => false,
    }
}

/// What `--types` calls a type; others as Arrow does.
pub fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Boolean => "boolean".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::UInt64 => "uint64".to_owned(),
        DataType::Float64 => "float64".to_owned(),
        DataType::Utf8 => "text".to_owned(),
        other => other.to_string(),
    }
}

/// The values as an array.
///
/// # Errors
/// The place of a value that is not of this type.
fn array(syntax: Syntax, data_type: &DataType, values: &[Option<&str>]) -> Result<ArrayRef, usize> {
    Ok(match data_type {
        DataType::Boolean => Arc::new(BooleanArray::from(each(values, |value| match syntax {
            Syntax::Plain => boolean(value),
            Syntax::Json => value.parse().ok(),
        })?)),
        DataType::Int64 => Arc::new(Int64Array::from(each(values, integer)?)),
        DataType::UInt64 => Arc::new(UInt64Array::from(each(values, integer)?)),
        DataType::Float64 => Arc::new(Float64Array::from(each(values, |value| {
            float(syntax, value)
        })?)),
        DataType::Utf8 => {
            let bytes = values.iter().flatten().map(|value| value.len()).sum();
            let mut builder = StringBuilder::with_capacity(values.len(), bytes);
            for (place, value) in values.iter().enumerate() {
                match (value, syntax) {
                    (None, _) => builder.append_null(),
                    (Some(value), Syntax::Plain) => builder.append_value(value),
                    (Some(value), Syntax::Json) => match string(value) {
                        Ok(None) => builder.append_value(value),
                        Ok(Some(text)) => builder.append_value(text),
                        Err(_) => return Err(place),
                    },
                }
            }
            Arc::new(builder.finish())
        }
        DataType::List(item) => list(item, values)?,
        DataType::Struct(fields) => structs(fields, values)?,
        _ => return Err(0),
    })
}

fn each<T>(
    values: &[Option<&str>],
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<Option<T>>, usize> {
    let mut read_values = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        read_values.push(match value {
            None => None,
            Some(value) => Some(read(value).ok_or(place)?),
        });
    }
    Ok(read_values)
}

fn integer<T: std::str::FromStr>(value: &str) -> Option<T> {
    match shape(value)? {
        Shape::Integer => value.parse().ok(),
        Shape::Decimal => None,
    }
}

fn float(syntax: Syntax, value: &str) -> Option<f64> {
    let Some(shape) = shape(value) else {
        return non_finite(match syntax {
            Syntax::Plain => value,
            Syntax::Json => value.strip_prefix('"')?.strip_suffix('"')?,
        });
    };
    let number: f64 = value
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())?;
    let is_exact = || {
        let integer: Option<i128> = value.parse().ok();
        integer.is_some_and(|integer| number as i128 == integer)
    };
    (shape == Shape::Decimal || value.len() <= 15 || is_exact()).then_some(number)
}

/// `null` is null within arrays and objects too.
fn present(value: &str) -> Option<&str> {
    (value != "null").then_some(value)
}

fn list(item: &FieldRef, values: &[Option<&str>]) -> Result<ArrayRef, usize> {
    let mut elements = Vec::new();
    let mut ends = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let of_value = json_keys::elements(value).map_err(|_| place)?;
            elements.extend(of_value.into_iter().map(present));
        }
        ends.push(elements.len());
    }
    let items = array(Syntax::Json, item.data_type(), &elements)
        .map_err(|element| ends.partition_point(|end| *end <= element))?;
    let mut start = 0;
    let lengths: Vec<usize> = (ends.iter())
        .map(|end| end - std::mem::replace(&mut start, *end))
        .collect();
    let nulls: NullBuffer = values.iter().map(Option::is_some).collect();
    let list = ListArray::try_new(
        Arc::clone(item),
        OffsetBuffer::from_lengths(lengths),
        items,
        Some(nulls),
    );
    Ok(Arc::new(list.map_err(|_| 0_usize)?))
}

fn structs(fields: &Fields, values: &[Option<&str>]) -> Result<ArrayRef, usize> {
    let mut columns = vec![vec![None; values.len()]; fields.len()];
    for (place, value) in values.iter().enumerate() {
        let Some(value) = value else {
            continue;
        };
        let mut next = 0;
        for (key, value) in json_keys::pairs(value).map_err(|_| place)? {
            let is = |field: &FieldRef| *field.name() == key;
            let at = match fields.get(next) {
                Some(field) if is(field) => next,
                _ => fields.iter().position(is).ok_or(place)?,
            };
            columns[at][place] = present(value);
            next = at + 1;
        }
    }
    let columns = fields.iter().zip(&columns);
    let columns = columns.map(|(field, values)| array(Syntax::Json, field.data_type(), values));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let nulls: NullBuffer = values.iter().map(Option::is_some).collect();
    let structs =
        StructArray::try_new_with_length(fields.clone(), columns, Some(nulls), values.len());
    Ok(Arc::new(structs.map_err(|_| 0_usize)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(syntax: Syntax, values: &[&str]) -> DataType {
        let mut seen = Seen::default();
        for value in values {
            seen.add(syntax, value);
        }
        seen.data_type()
    }

    #[test]
    fn types_are_widened_until_nothing_is_lost() {
        use DataType::{Boolean, Float64, Int64, UInt64, Utf8};
        for (values, expected) in [
            (&["1", "null", "-2"][..], Int64),
            (&["18446744073709551615"], UInt64),
            (&["18446744073709551615", "-1"], Utf8),
            (&["18446744073709551616"], Utf8),
            (&["1", "2.5"], Float64),
            (&["1e3"], Float64),
            (&["-0", "1"], Float64),
            (&["1e999"], Utf8),
            // No double is this integer.
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
            assert_eq!(seen(Syntax::Json, values), expected, "{values:?}");
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
            (&["2024-01-01"], Utf8),
            (&["[1]"], Utf8),
        ] {
            assert_eq!(seen(Syntax::Plain, values), expected, "{values:?}");
        }
        let deep = "[".repeat(2 * DEEPEST) + &"]".repeat(2 * DEEPEST);
        assert!(matches!(seen(Syntax::Json, &[&deep]), DataType::List(_)));
        let keys: Vec<String> = (0..=MOST_FIELDS)
            .map(|key| format!("\"{key}\":1"))
            .collect();
        let many = format!("{{{}}}", keys.join(","));
        assert_eq!(seen(Syntax::Json, &[&many]), Utf8);
    }

    /// Whatever is inferred from values holds them: written as JSON again they are the same.
    #[test]
    fn what_is_inferred_holds_every_value_that_was_seen() {
        let all = [
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
                .map(|_| all[rng.below(all.len())])
                .collect();
            let data_type = seen(Syntax::Json, &values);
            let present: Vec<_> = values.iter().map(|value| present(value)).collect();
            let array = array(Syntax::Json, &data_type, &present);
            let array = array.unwrap_or_else(|at| {
                panic!("seed {seed}, case {case}: {values:?} as {data_type}: {at}")
            });
            assert_eq!(array.len(), values.len());
        }
    }

    #[test]
    fn a_value_that_does_not_fit_is_told_with_its_place() {
        for (data_type, values, place) in [
            (DataType::Int64, &["1", "2.5"][..], 1),
            (DataType::Int64, &["1", "\"2\""], 1),
            (DataType::Int64, &["9223372036854775808"], 0),
            (DataType::UInt64, &["0", "1", "-1"], 2),
            (DataType::Float64, &["1.5", "9007199254740993"], 1),
            (DataType::Float64, &["1e999"], 0),
            (DataType::Boolean, &["true", "1"], 1),
            (
                DataType::new_list(DataType::Int64, true),
                &["[1,2]", "[]", "[3,\"x\"]"],
                2,
            ),
            (DataType::new_list(DataType::Int64, true), &["[1]", "7"], 1),
        ] {
            let values: Vec<_> = values.iter().map(|value| Some(*value)).collect();
            let reported = array(Syntax::Json, &data_type, &values);
            assert_eq!(reported.unwrap_err(), place, "{values:?} as {data_type}");
        }
        let data_type = seen(Syntax::Json, &["{\"a\":1}"]);
        let values = [Some("{\"a\":2}"), Some("{\"b\":2}")];
        assert_eq!(array(Syntax::Json, &data_type, &values).unwrap_err(), 1);
    }
}
