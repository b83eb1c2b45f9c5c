//! Casts columns where Arrow's `cast` cannot: to some types, and inside nested columns.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeListArray, GenericListArray, GenericListViewArray, MapArray,
    NullArray, OffsetSizeTrait, StructArray, new_null_array,
};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{CastOptions, cast, cast_with_options, take};
use arrow::datatypes::{
    DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType, Date32Type, Date64Type, FieldRef,
    Fields, Time32MillisecondType, Time32SecondType, TimeUnit,
};
use arrow::error::ArrowError;
use arrow::util::display::FormatOptions;

use super::field_names::unique_names;
use super::parts::with_parts;

/// Casts a column to this type, including nested columns.
///
/// # Errors
///
/// The type cannot hold a value.
pub(crate) fn cast_column(column: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    use DataType as T;
    let source_type = column.data_type();
    if source_type == to {
        return Ok(Arc::clone(column));
    }
    match (source_type, to) {
        (T::Null, _) => Ok(new_null_array(to, column.len())),
        (_, T::Null) if column.logical_null_count() == column.len() => {
            Ok(Arc::new(NullArray::new(column.len())))
        }
        (T::Dictionary(..), T::Dictionary(..)) => cast(column, to),
        (T::Dictionary(..), _) => {
            let dictionary = column.as_any_dictionary();
            cast_column(&take(dictionary.values(), dictionary.keys(), None)?, to)
        }
        (T::RunEndEncoded(_, values), _) => cast_column(&cast(column, values.data_type())?, to),
        (T::List(_), T::List(item)) => cast_list::<i32>(column, item),
        (T::LargeList(_), T::LargeList(item)) => cast_list::<i64>(column, item),
        (T::ListView(_), T::ListView(item)) => cast_list_view::<i32>(column, item),
        (T::LargeListView(_), T::LargeListView(item)) => cast_list_view::<i64>(column, item),
        (T::FixedSizeList(_, size), T::FixedSizeList(item, to_size)) if size == to_size => {
            let list = column.as_fixed_size_list();
            let values = cast_column(list.values(), item.data_type())?;
            let nulls = list.nulls().cloned();
            let list = FixedSizeListArray::try_new_with_length(
                Arc::clone(item),
                *size,
                values,
                nulls,
                list.len(),
            )?;
            Ok(Arc::new(list))
        }
        (T::Struct(_), T::Struct(fields)) => Ok(Arc::new(cast_struct(column.as_struct(), fields)?)),
        (T::Map(..), T::Map(entries, sorted)) => {
            let map = column.as_map();
            let T::Struct(fields) = entries.data_type() else {
                return cast(column, to);
            };
            Ok(Arc::new(MapArray::try_new(
                Arc::clone(entries),
                map.offsets().clone(),
                cast_entries(map.entries(), fields)?,
                map.nulls().cloned(),
                *sorted,
            )?))
        }
        (_, _) if let (Some(_), Some(item)) = (list_item(source_type), list_item(to)) => {
            // The items are cast first. Then one kind of list, such as `LargeList`, is converted to the other.
            let with_cast_items = with_parts(source_type, |_| Arc::clone(item));
            cast_with_options(
                &cast_column(column, &with_cast_items)?,
                to,
                &FAIL_ON_OVERFLOW,
            )
        }
        (T::Date64, T::Date32) => {
            let dates = column.as_primitive::<Date64Type>();
            let dates = dates.try_unary::<_, Date32Type, _>(|milliseconds| {
                let days = (milliseconds % MILLISECONDS_PER_DAY == 0)
                    .then_some(milliseconds / MILLISECONDS_PER_DAY);
                days.and_then(|days| i32::try_from(days).ok())
                    .ok_or_else(|| {
                        ArrowError::CastError(format!(
                            "{milliseconds} ms is not the start of a day, and dates have no time \
                             of day"
                        ))
                    })
            })?;
            Ok(Arc::new(dates))
        }
        (_, T::Utf8) if decimal_of_integers(source_type).is_some() => {
            let whole_decimal =
                decimal_of_integers(source_type).unwrap_or_else(|| source_type.clone());
            cast_with_options(&cast_column(column, &whole_decimal)?, to, &FAIL_ON_OVERFLOW)
        }
        (T::Time32(TimeUnit::Second), T::Time32(TimeUnit::Millisecond)) => {
            let seconds = column.as_primitive::<Time32SecondType>();
            let milliseconds = seconds.try_unary::<_, Time32MillisecondType, _>(|seconds| {
                let out_of_range =
                    || ArrowError::CastError(format!("{seconds} s is not a time of day"));
                seconds.checked_mul(1000).ok_or_else(out_of_range)
            })?;
            Ok(Arc::new(milliseconds))
        }
        _ => cast_with_options(column, to, &FAIL_ON_OVERFLOW),
    }
}

/// Cast options for which a value that does not fit the type is an error.
const FAIL_ON_OVERFLOW: CastOptions<'static> = CastOptions {
    safe: false,
    format_options: FormatOptions::new(),
};

const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// For a decimal type with a negative scale, the same type with scale 0; otherwise `None`. The text of a decimal
/// with a negative scale ends with zeros, even that of 0: for a scale of -2 it is `000`, which is not JSON.
pub(crate) fn decimal_of_integers(data_type: &DataType) -> Option<DataType> {
    let (DataType::Decimal32(precision, scale)
    | DataType::Decimal64(precision, scale)
    | DataType::Decimal128(precision, scale)
    | DataType::Decimal256(precision, scale)) = data_type
    else {
        return None;
    };
    let zeros = u8::try_from(scale.checked_neg()?).ok()?;
    let precision = precision.saturating_add(zeros);
    match precision {
        _ if zeros == 0 => None,
        ..=DECIMAL128_MAX_PRECISION => Some(DataType::Decimal128(precision, 0)),
        _ => Some(DataType::Decimal256(
            precision.min(DECIMAL256_MAX_PRECISION),
            0,
        )),
    }
}

/// The field of a list's items, for all kinds of lists; `None` for other types.
pub(crate) fn list_item(data_type: &DataType) -> Option<&FieldRef> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => Some(item),
        _ => None,
    }
}

fn cast_list<O: OffsetSizeTrait>(
    column: &ArrayRef,
    item: &FieldRef,
) -> Result<ArrayRef, ArrowError> {
    let list = column.as_list::<O>();
    // The child array of a sliced list also contains items outside of the slice.
    let (start, end) = match list.value_offsets() {
        [start, .., end] => (start.as_usize(), end.as_usize()),
        _ => (0, 0),
    };
    let values = cast_column(&list.values().slice(start, end - start), item.data_type())?;
    let offsets = OffsetBuffer::from_lengths(list.offsets().lengths());
    let list =
        GenericListArray::<O>::try_new(Arc::clone(item), offsets, values, list.nulls().cloned())?;
    Ok(Arc::new(list))
}

fn cast_list_view<O: OffsetSizeTrait>(
    column: &ArrayRef,
    item: &FieldRef,
) -> Result<ArrayRef, ArrowError> {
    let list = column.as_list_view::<O>();
    let list = GenericListViewArray::<O>::try_new(
        Arc::clone(item),
        list.offsets().clone(),
        list.sizes().clone(),
        cast_column(list.values(), item.data_type())?,
        list.nulls().cloned(),
    )?;
    Ok(Arc::new(list))
}

/// Casts the keys and values of a map to these two fields. The names of the fields may differ.
fn cast_entries(entries: &StructArray, fields: &Fields) -> Result<StructArray, ArrowError> {
    let columns = entries.columns().iter().zip(fields);
    let columns = columns.map(|(column, field)| cast_column(column, field.data_type()));
    let columns = columns.collect::<Result<_, _>>()?;
    let nulls = entries.nulls().cloned();
    StructArray::try_new_with_length(fields.clone(), columns, nulls, entries.len())
}

/// Casts a struct to these fields. Fields are matched by name, and missing fields become null.
fn cast_struct(column: &StructArray, fields: &Fields) -> Result<StructArray, ArrowError> {
    let own_names = unique_names(column.fields());
    let same_names = column.fields().len() == fields.len()
        && (column.fields().iter().zip(fields)).all(|(own, field)| own.name() == field.name());
    let columns = fields.iter().enumerate().map(|(at, field)| {
        let source_column = if same_names {
            Some(column.column(at))
        } else {
            let at = own_names.iter().position(|name| name == field.name());
            at.map(|at| column.column(at))
        };
        match source_column {
            Some(own) => cast_column(own, field.data_type()),
            None => Ok(new_null_array(field.data_type(), column.len())),
        }
    });
    let columns = columns.collect::<Result<_, _>>()?;
    let nulls = column.nulls().cloned();
    StructArray::try_new_with_length(fields.clone(), columns, nulls, column.len())
}

#[cfg(test)]
mod tests {
    use arrow::array::{
        DictionaryArray, Int8Array, Int32Array, ListArray, StringArray, TimestampSecondArray,
    };
    use arrow::datatypes::{Field, Int8Type};

    use super::*;
    use crate::carry::parts::{any_part, change_parts};

    fn without_dictionary(data_type: &DataType) -> Option<DataType> {
        match data_type {
            DataType::Dictionary(_, values) => Some(values.as_ref().clone()),
            _ => None,
        }
    }

    #[test]
    fn parts_of_nested_columns_are_changed_and_slices_stay_slices() {
        let values: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("b")]));
        let key_array = Int8Array::from(vec![Some(0), Some(1), None, Some(2), Some(2), Some(0)]);
        let dictionary = DictionaryArray::<Int8Type>::new(key_array, values);
        let item_field = Arc::new(Field::new("item", dictionary.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths([1, 2, 3]);
        let lists = ListArray::new(Arc::clone(&item_field), offsets, Arc::new(dictionary), None);
        let field = Field::new("lists", lists.data_type().clone(), true);
        let column: ArrayRef = Arc::new(StructArray::from(vec![(
            Arc::new(field),
            Arc::new(lists) as ArrayRef,
        )]));
        let column = column.slice(1, 2);
        let target_type = change_parts(column.data_type(), &without_dictionary);
        assert!(!any_part(&target_type, &|part| without_dictionary(part).is_some()));
        let changed_column = cast_column(&column, &target_type).unwrap();
        let lists = changed_column.as_struct().column(0).as_list::<i32>();
        assert_eq!(
            lists.value(0).as_ref(),
            &StringArray::from(vec![None::<&str>; 2])
        );
        assert_eq!(
            lists.value(1).as_ref(),
            &StringArray::from(vec!["b", "b", "a"])
        );
    }

    #[test]
    fn a_value_that_does_not_fit_is_an_error() {
        let milliseconds = DataType::Timestamp(TimeUnit::Millisecond, None);
        let seconds = |value| Arc::new(TimestampSecondArray::from(vec![value])) as ArrayRef;
        assert!(cast_column(&seconds(1), &milliseconds).is_ok());
        assert!(cast_column(&seconds(1 << 60), &milliseconds).is_err());
        let times = Arc::new(Int32Array::from(vec![i32::MAX])) as ArrayRef;
        let times = cast(&times, &DataType::Time32(TimeUnit::Second)).unwrap();
        assert!(cast_column(&times, &DataType::Time32(TimeUnit::Millisecond)).is_err());
    }
}
