//! Converts text or JSON values to an Arrow array of a given type.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, ListArray,
    StringBuilder, StructArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, FieldRef, Fields, TimeUnit};

use super::scalars::{non_null, parse_boolean, parse_float, parse_integer};
use super::syntax::Syntax;
use super::times::{parse_date, parse_timestamp, parse_timestamptz};
use crate::carry::text::json_keys;
use crate::carry::text::json_text::parse_string;

/// Converts the text or JSON values of a column in a batch to an Arrow array of this type.
///
/// # Errors
///
/// The index of the first value that cannot be parsed as this type.
pub(super) fn parse_values(
    syntax: Syntax,
    data_type: &DataType,
    values: &[Option<&str>],
) -> Result<ArrayRef, usize> {
    Ok(match data_type {
        DataType::Boolean => Arc::new(BooleanArray::from(map_values(
            values,
            |value| match syntax {
                Syntax::Plain => parse_boolean(value),
                Syntax::Json => value.parse().ok(),
            },
        )?)),
        DataType::Int64 => Arc::new(Int64Array::from(map_values(values, parse_integer)?)),
        DataType::UInt64 => Arc::new(UInt64Array::from(map_values(values, parse_integer)?)),
        DataType::Decimal128(precision, 0) => {
            let whole_numbers = map_values(values, |value| {
                let whole_number: Option<i128> = parse_integer(value);
                whole_number
                    .filter(|whole| whole.unsigned_abs() < 10_u128.pow(u32::from(*precision)))
            })?;
            let decimals =
                Decimal128Array::from(whole_numbers).with_precision_and_scale(*precision, 0);
            Arc::new(decimals.map_err(|_| 0_usize)?)
        }
        DataType::Float64 => Arc::new(Float64Array::from(map_values(values, |value| {
            parse_float(syntax, value)
        })?)),
        DataType::Utf8 => {
            let bytes = values.iter().flatten().map(|value| value.len()).sum();
            let mut builder = StringBuilder::with_capacity(values.len(), bytes);
            for (place, value) in values.iter().enumerate() {
                match (value, syntax) {
                    (None, _) => builder.append_null(),
                    (Some(value), Syntax::Plain) => builder.append_value(value),
                    (Some(value), Syntax::Json) => match parse_string(value) {
                        Ok(None) => builder.append_value(value),
                        Ok(Some(text)) => builder.append_value(text),
                        Err(_) => return Err(place),
                    },
                }
            }
            Arc::new(builder.finish())
        }
        DataType::Date32 => Arc::new(Date32Array::from(map_values(values, |value| {
            parse_date(syntax, value)
        })?)),
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            let microseconds = map_values(values, |value| match zone {
                None => parse_timestamp(syntax, value),
                Some(_) => parse_timestamptz(syntax, value),
            })?;
            let timestamps = TimestampMicrosecondArray::from(microseconds);
            Arc::new(timestamps.with_timezone_opt(zone.clone()))
        }
        DataType::List(item) => parse_lists(item, values)?,
        DataType::Struct(fields) => parse_structs(fields, values)?,
        _ => return Err(0),
    })
}

fn map_values<T>(
    values: &[Option<&str>],
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<Option<T>>, usize> {
    let mut read_values = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        read_values.push(match value {
            None => None,
            Some(value) => Some(parse(value).ok_or(place)?),
        });
    }
    Ok(read_values)
}

fn parse_lists(item: &FieldRef, values: &[Option<&str>]) -> Result<ArrayRef, usize> {
    let mut elements = Vec::new();
    let mut list_ends = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let value_elements = json_keys::array_elements(value).map_err(|_| place)?;
            elements.extend(value_elements.into_iter().map(non_null));
        }
        list_ends.push(elements.len());
    }
    let items = parse_values(Syntax::Json, item.data_type(), &elements)
        .map_err(|element| list_ends.partition_point(|end| *end <= element))?;
    let mut list_start = 0;
    let lengths: Vec<usize> = (list_ends.iter())
        .map(|end| end - std::mem::replace(&mut list_start, *end))
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

fn parse_structs(fields: &Fields, values: &[Option<&str>]) -> Result<ArrayRef, usize> {
    let mut columns = vec![vec![None; values.len()]; fields.len()];
    // For each field, the number (from 1) of the last object that has the field.
    let mut last_place = vec![0; fields.len()];
    for (place, value) in values.iter().enumerate() {
        let Some(value) = value else {
            continue;
        };
        let mut next_field = 0;
        for (key, value) in json_keys::keys_and_values(value).map_err(|_| place)? {
            let is_named = |field: &FieldRef| *field.name() == key;
            let field_index = match fields.get(next_field) {
                Some(field) if is_named(field) => next_field,
                _ => fields.iter().position(is_named).ok_or(place)?,
            };
            // A struct has one value per field, so an object in which a key occurs twice does not fit.
            if std::mem::replace(&mut last_place[field_index], place + 1) == place + 1 {
                return Err(place);
            }
            columns[field_index][place] = non_null(value);
            next_field = field_index + 1;
        }
    }
    let columns = fields.iter().zip(&columns);
    let columns =
        columns.map(|(field, values)| parse_values(Syntax::Json, field.data_type(), values));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let nulls: NullBuffer = values.iter().map(Option::is_some).collect();
    let structs =
        StructArray::try_new_with_length(fields.clone(), columns, Some(nulls), values.len());
    Ok(Arc::new(structs.map_err(|_| 0_usize)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carry::text::InferredType;

    fn inferred_type(syntax: Syntax, values: &[&str]) -> DataType {
        let mut inferred = InferredType::default();
        for value in values {
            inferred.add_value(syntax, value);
        }
        inferred.data_type()
    }

    #[test]
    fn a_value_that_does_not_fit_is_reported_with_its_index() {
        for (data_type, values, place) in [
            (DataType::Int64, &["1", "2.5"][..], 1),
            (DataType::Int64, &["1", "\"2\""], 1),
            (DataType::Int64, &["9223372036854775808"], 0),
            (DataType::UInt64, &["0", "1", "-1"], 2),
            (DataType::Decimal128(2, 0), &["-99", "99", "100"], 2),
            (DataType::Float64, &["1.5", "9007199254740993"], 1),
            (DataType::Float64, &["1e999"], 0),
            (DataType::Float64, &["0.5", "1e-400"], 1),
            (DataType::Boolean, &["true", "1"], 1),
            (
                DataType::new_list(DataType::Int64, true),
                &["[1,2]", "[]", "[3,\"x\"]"],
                2,
            ),
            (DataType::new_list(DataType::Int64, true), &["[1]", "7"], 1),
        ] {
            let values: Vec<_> = values.iter().map(|value| Some(*value)).collect();
            let parse_result = parse_values(Syntax::Json, &data_type, &values);
            assert_eq!(
                parse_result.unwrap_err(),
                place,
                "{values:?} as {data_type}"
            );
        }
        let data_type = inferred_type(Syntax::Json, &["{\"a\":1}"]);
        let values = [Some("{\"a\":2}"), Some("{\"b\":2}")];
        assert_eq!(
            parse_values(Syntax::Json, &data_type, &values).unwrap_err(),
            1
        );
        let values = [Some("{\"a\":2}"), Some("{\"a\":3,\"a\":2}")];
        assert_eq!(
            parse_values(Syntax::Json, &data_type, &values).unwrap_err(),
            1
        );
    }
}
