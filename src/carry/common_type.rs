//! Finds a common type for the values of two types, and converts values to it without loss.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{
    DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef, Fields,
    Time64MicrosecondType, Time64NanosecondType, TimeUnit,
};

use crate::carry::cast::{cast_column, list_item};
use crate::carry::parts::any_part;

/// The type that can hold the values of both types. The result is often text. `None` if there is no such type.
pub(crate) fn common_type(a: &DataType, b: &DataType) -> Option<DataType> {
    let both_are = |is: &dyn Fn(&DataType) -> bool| is(a) && is(b);
    match (a, b) {
        _ if a == b => return Some(a.clone()),
        // pandas gives the type `Null` to a column without values.
        (DataType::Null, other) | (other, DataType::Null) => return Some(other.clone()),
        (DataType::Struct(one), DataType::Struct(other)) => return common_fields(one, other),
        (DataType::Map(one, sorted), DataType::Map(other, also)) => {
            let entries = common_entries(one, other)?;
            return Some(DataType::Map(entries, *sorted && *also));
        }
        _ => {}
    }
    if let (Some(one), Some(other)) = (list_item(a), list_item(b)) {
        let item = Field::clone(&*common_field(one, other)?).with_nullable(true);
        return Some(common_list(a, b, Arc::new(item)));
    }
    if a.is_nested() || b.is_nested() || is_binary(a) != is_binary(b) {
        return None;
    }
    if let Some(time) = common_time(a, b).or_else(|| common_time(b, a)) {
        return Some(time);
    }
    let is_number = |of: &DataType| of.is_integer() || of.is_floating();
    Some(if both_are(&is_binary) {
        DataType::LargeBinary
    } else if both_are(&DataType::is_unsigned_integer) {
        DataType::UInt64
    } else if both_are(&DataType::is_integer) && ![a, b].contains(&&DataType::UInt64) {
        DataType::Int64
    } else if (both_are(&is_number) && !both_are(&DataType::is_integer))
        || is_float_beside_decimal(a, b)
    {
        // A float column can hold most integers. An integer that it cannot represent exactly is an error when it is
        // read.
        DataType::Float64
    } else {
        common_decimal(a, b).unwrap_or(DataType::Utf8)
    })
}

fn is_binary(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(
        data_type,
        Binary | BinaryView | FixedSizeBinary(_) | LargeBinary
    )
}

/// The kind of list, such as `LargeList`, that can hold lists of both kinds.
fn common_list(a: &DataType, b: &DataType, item: FieldRef) -> DataType {
    use DataType::{FixedSizeList, LargeList, LargeListView, List, ListView};
    match (a, b) {
        (FixedSizeList(_, one), FixedSizeList(_, other)) if one == other => {
            FixedSizeList(item, *one)
        }
        (ListView(_), ListView(_)) => ListView(item),
        (LargeListView(_), LargeListView(_)) => LargeListView(item),
        (LargeList(_) | LargeListView(_), _) | (_, LargeList(_) | LargeListView(_)) => {
            LargeList(item)
        }
        _ => List(item),
    }
}

fn common_field(one: &FieldRef, other: &FieldRef) -> Option<FieldRef> {
    let data_type = common_type(one.data_type(), other.data_type())?;
    let is_nullable = one.is_nullable() || other.is_nullable();
    let field = Field::clone(one).with_data_type(data_type);
    Some(Arc::new(field.with_nullable(is_nullable)))
}

/// The common entry type of two maps. Keys and values are matched by position, because writers give them different
/// names.
fn common_entries(one: &FieldRef, other: &FieldRef) -> Option<FieldRef> {
    let (DataType::Struct(pair), DataType::Struct(others)) = (one.data_type(), other.data_type())
    else {
        return None;
    };
    if [pair.len(), others.len()] != [2, 2] {
        return None;
    }
    let fields = pair.iter().zip(others);
    let fields: Option<Fields> = fields
        .map(|(one, other)| common_field(one, other))
        .collect();
    let entries = Field::clone(one).with_data_type(DataType::Struct(fields?));
    Some(Arc::new(entries))
}

/// The common fields of two structs, which are matched by name; `None` if two fields have no common type.
fn common_fields(one: &Fields, other: &Fields) -> Option<DataType> {
    let mut fields: Vec<FieldRef> = Vec::new();
    for field in one.iter().chain(other) {
        match fields.iter_mut().find(|known| known.name() == field.name()) {
            None => fields.push(Arc::new(Field::clone(field).with_nullable(true))),
            Some(known) => {
                let shared_type = common_type(known.data_type(), field.data_type())?;
                *known = Arc::new(Field::clone(known).with_data_type(shared_type));
            }
        }
    }
    Some(DataType::Struct(fields.into()))
}

/// The common type of two types of dates or times, with the finer of their units. `None` if there is none.
fn common_time(a: &DataType, b: &DataType) -> Option<DataType> {
    use DataType::{Date32, Date64, Duration, Time32, Time64, Timestamp};
    Some(match (a, b) {
        (Timestamp(one, zone), Timestamp(other, second)) => {
            let is_utc = |zone: &Option<Arc<str>>| {
                let zone = zone.as_deref().unwrap_or_default();
                ["UTC", "Etc/UTC", "Z", "+00:00", "+0000", "GMT"].contains(&zone)
            };
            let zone = match (zone, second) {
                _ if zone == second => zone.clone(),
                _ if is_utc(zone) && is_utc(second) => Some("UTC".into()),
                // The types differ in their time zones. A common type would lose one of the zones.
                _ => return None,
            };
            Timestamp(finer_unit(*one, *other), zone)
        }
        (Date32, Timestamp(unit, None)) => Timestamp(*unit, None),
        (Date64, Timestamp(unit, None)) => {
            Timestamp(finer_unit(*unit, TimeUnit::Millisecond), None)
        }
        (Date32, Date64) => Date64,
        (Duration(one), Duration(other)) => Duration(finer_unit(*one, *other)),
        (Time32(one) | Time64(one), Time32(other) | Time64(other)) => {
            match finer_unit(*one, *other) {
                unit @ (TimeUnit::Second | TimeUnit::Millisecond) => Time32(unit),
                unit => Time64(unit),
            }
        }
        _ => return None,
    })
}

fn finer_unit(one: TimeUnit, other: TimeUnit) -> TimeUnit {
    let units = [
        TimeUnit::Nanosecond,
        TimeUnit::Microsecond,
        TimeUnit::Millisecond,
    ];
    let finest = units.into_iter().find(|unit| [one, other].contains(unit));
    finest.unwrap_or(TimeUnit::Second)
}

/// Whether one type is a float, and the other a decimal whose values a 64-bit float can hold. Such decimals have at
/// most 15 digits, or no fraction. The values without a fraction are checked when they are read.
fn is_float_beside_decimal(a: &DataType, b: &DataType) -> bool {
    /// The maximum number of digits of a decimal that a conversion to a double and back does not change.
    const MOST_DIGITS_OF_FLOAT: u8 = 15;
    /// The number of decimal digits of the largest `uint64`. The common type of `uint64` and `int64` has as many.
    const MOST_DIGITS_OF_INTEGER: u8 = 20;
    let fits_float = |of: &DataType| {
        of.is_decimal()
            && precision_and_scale(of).is_some_and(|(precision, scale)| match scale {
                0 => precision <= MOST_DIGITS_OF_INTEGER,
                1.. => {
                    precision <= MOST_DIGITS_OF_FLOAT && i16::from(scale) <= i16::from(precision)
                }
                _ => false,
            })
    };
    a.is_floating() && fits_float(b) || b.is_floating() && fits_float(a)
}

/// The common decimal type of two decimals, of a decimal and an integer, or of a signed and an unsigned 64-bit
/// integer; `None` if there is none.
fn common_decimal(a: &DataType, b: &DataType) -> Option<DataType> {
    let both_integers = a.is_integer() && b.is_integer();
    if !a.is_decimal() && !b.is_decimal() && !both_integers {
        return None;
    }
    let ((one, one_scale), (other, other_scale)) =
        (precision_and_scale(a)?, precision_and_scale(b)?);
    let scale = one_scale.max(other_scale);
    let whole_digits =
        (i32::from(one) - i32::from(one_scale)).max(i32::from(other) - i32::from(other_scale));
    let precision = u8::try_from(whole_digits + i32::from(scale)).ok()?.max(1);
    if precision <= DECIMAL128_MAX_PRECISION {
        return Some(DataType::Decimal128(precision, scale));
    }
    (precision <= DECIMAL256_MAX_PRECISION).then_some(DataType::Decimal256(precision, scale))
}

/// The precision and the scale of a decimal or integer type; `None` for other types.
fn precision_and_scale(data_type: &DataType) -> Option<(u8, i8)> {
    use DataType::{
        Decimal32, Decimal64, Decimal128, Decimal256, Int8, Int16, Int32, Int64, UInt8, UInt16,
        UInt32, UInt64,
    };
    Some(match data_type {
        Decimal32(precision, scale)
        | Decimal64(precision, scale)
        | Decimal128(precision, scale)
        | Decimal256(precision, scale) => (*precision, *scale),
        Int8 | UInt8 => (3, 0),
        Int16 | UInt16 => (5, 0),
        Int32 | UInt32 => (10, 0),
        Int64 => (19, 0),
        UInt64 => (20, 0),
        _ => return None,
    })
}

/// Converts values to another type; `None` if a value would change.
pub(crate) fn convert_without_loss(column: &ArrayRef, data_type: &DataType) -> Option<ArrayRef> {
    let is_integer = |part: &DataType| part.is_integer() || part.is_decimal();
    let is_float = |part: &DataType| part.is_floating();
    let converted = cast_values(column, data_type)?;
    if any_part(column.data_type(), &is_integer) && any_part(data_type, &is_float) {
        let converted_back = cast_column(&converted, column.data_type()).ok()?;
        return (converted_back.to_data() == column.to_data()).then_some(converted);
    }
    Some(converted)
}

fn cast_values(column: &ArrayRef, data_type: &DataType) -> Option<ArrayRef> {
    use DataType::{Date32, Date64, Time32, Time64, Timestamp};
    let cast_to = |column: &ArrayRef, data_type: &DataType| cast_column(column, data_type).ok();
    let seconds = || Timestamp(TimeUnit::Second, None);
    let milliseconds = || Timestamp(TimeUnit::Millisecond, None);
    match (column.data_type(), data_type) {
        // Arrow multiplies days by a factor without an overflow check. Casting to seconds first is safe.
        (Date32, Timestamp(..)) => cast_to(&cast(column, &seconds()).ok()?, data_type),
        (Date64, Timestamp(..)) => cast_to(&cast(column, &milliseconds()).ok()?, data_type),
        (Time64(TimeUnit::Microsecond), Time64(TimeUnit::Nanosecond)) => {
            let times = column.as_primitive::<Time64MicrosecondType>();
            let times = times
                .try_unary::<_, Time64NanosecondType, _>(|time| time.checked_mul(1000).ok_or(()));
            Some(Arc::new(times.ok()?))
        }
        (Time32(TimeUnit::Second | TimeUnit::Millisecond), Time64(_)) => {
            let milliseconds = cast_to(column, &Time32(TimeUnit::Millisecond))?;
            cast(&milliseconds, data_type).ok()
        }
        _ => cast_to(column, data_type),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{
        Array, Date32Array, Decimal128Array, Int64Array, NullArray, TimestampSecondArray,
    };

    #[test]
    fn types_are_brought_together_without_loss() {
        use DataType::{
            Binary, Boolean, Date32, Date64, Decimal32, Decimal128, Decimal256, Duration,
            FixedSizeBinary, Float32, Float64, Int8, Int64, LargeBinary, LargeUtf8, Null, Time32,
            Time64, Timestamp, UInt8, UInt64, Utf8,
        };
        use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
        let list = |item: DataType| DataType::new_list(item, true);
        let fixed_list = |size| DataType::new_fixed_size_list(Int64, size, true);
        let zone = |name: &str| Some(name.into());
        for (a, b, both) in [
            (Int8, Int64, Int64),
            (Int64, UInt64, Decimal128(20, 0)),
            (Int8, UInt64, Decimal128(20, 0)),
            (Decimal128(20, 0), Float64, Float64),
            (Decimal128(15, 2), Float32, Float64),
            (Decimal128(16, 2), Float64, Utf8),
            (Decimal128(5, 20), Float64, Utf8),
            (UInt8, UInt64, UInt64),
            (Decimal128(20, 2), Decimal128(20, 1), Decimal128(21, 2)),
            (Decimal32(5, 2), Decimal128(10, 4), Decimal128(10, 4)),
            (Decimal128(20, 0), Int64, Decimal128(20, 0)),
            (Decimal128(10, -2), UInt8, Decimal128(12, 0)),
            (Decimal128(38, 0), Decimal128(38, 38), Decimal256(76, 38)),
            (Decimal256(76, 0), Decimal256(76, 1), Utf8),
            (Decimal128(20, 2), Float64, Utf8),
            (Binary, FixedSizeBinary(3), LargeBinary),
            (Int64, Float32, Float64),
            (Utf8, LargeUtf8, Utf8),
            (Boolean, Int64, Utf8),
            (Int64, Utf8, Utf8),
            (Null, Boolean, Boolean),
            (Null, list(Int64), list(Int64)),
            (list(Null), list(Int64), list(Int64)),
            (list(Int64), fixed_list(2), list(Int64)),
            (fixed_list(3), fixed_list(2), list(Int64)),
            (
                Timestamp(Second, None),
                Timestamp(Nanosecond, None),
                Timestamp(Nanosecond, None),
            ),
            (
                Timestamp(Second, zone("Z")),
                Timestamp(Second, zone("+00:00")),
                Timestamp(Second, zone("UTC")),
            ),
            (Timestamp(Second, zone("Z")), Timestamp(Second, None), Utf8),
            (Date32, Timestamp(Second, None), Timestamp(Second, None)),
            (
                Date64,
                Timestamp(Second, None),
                Timestamp(Millisecond, None),
            ),
            (Date32, Date64, Date64),
            (Time32(Second), Time64(Microsecond), Time64(Microsecond)),
            (Time32(Second), Time32(Millisecond), Time32(Millisecond)),
            (
                Duration(Second),
                Duration(Microsecond),
                Duration(Microsecond),
            ),
        ] {
            assert_eq!(common_type(&a, &b), Some(both.clone()), "{a} {b}");
            assert_eq!(common_type(&b, &a), Some(both), "{b} {a}");
        }
        let list = DataType::new_list(Int64, true);
        assert_eq!(common_type(&list, &Utf8), None);
        assert_eq!(common_type(&Binary, &Utf8), None);
    }

    #[test]
    fn a_float_takes_the_integers_that_it_can_hold() {
        let fits_type = |values: Vec<Option<i64>>| {
            let column: ArrayRef = Arc::new(Int64Array::from(values));
            convert_without_loss(&column, &DataType::Float64).is_some()
        };
        assert!(fits_type(vec![
            Some(1),
            None,
            Some(-(1 << 53)),
            Some(1 << 60)
        ]));
        assert!(!fits_type(vec![Some(1), Some((1 << 53) + 1)]));
        assert!(!fits_type(vec![Some(i64::MAX)]));
        let decimal_fits = |value: i128, precision, scale| {
            let decimals = Decimal128Array::from(vec![Some(value), None]);
            let decimals = decimals.with_precision_and_scale(precision, scale);
            let column: ArrayRef = Arc::new(decimals.unwrap());
            convert_without_loss(&column, &DataType::Float64).is_some()
        };
        assert!(
            decimal_fits(999_999_999_999_999, 15, 2) && decimal_fits(-123_456_789_012_345, 15, 15)
        );
        assert!(decimal_fits(1 << 64, 20, 0) && !decimal_fits((1 << 64) - 1, 20, 0));
    }

    #[test]
    fn times_that_the_finer_unit_cannot_hold_are_no_values() {
        let nanoseconds = DataType::Timestamp(TimeUnit::Nanosecond, None);
        let days = |day| Arc::new(Date32Array::from(vec![day])) as ArrayRef;
        assert!(convert_without_loss(&days(20_000), &nanoseconds).is_some());
        assert!(convert_without_loss(&days(i32::MAX), &nanoseconds).is_none());
        let seconds = Arc::new(TimestampSecondArray::from(vec![1 << 40])) as ArrayRef;
        assert!(convert_without_loss(&seconds, &nanoseconds).is_none());
        let nulls = Arc::new(NullArray::new(2)) as ArrayRef;
        let list = DataType::new_list(DataType::Int64, true);
        assert_eq!(convert_without_loss(&nulls, &list).unwrap().null_count(), 2);
    }
}
