//! Computes the size of columns when they are written, in bytes.

use arrow::array::{AnyDictionaryArray, Array, ArrayRef, AsArray, downcast_run_array};
use arrow::datatypes::{ArrowNativeType, DataType};

/// The size in bytes up to which an upper bound of a dictionary column's size is used instead of the exact size. The
/// bound is the size of all values of the dictionary, times the number of rows.
const SMALL_BATCH_BYTES: usize = 256 << 10;

/// How a format stores dictionary columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DictionaryPacking {
    /// Each value of the dictionary is stored once, and each row has a key, as in Parquet.
    Kept,
    /// Each row has its value. No dictionary is stored.
    Written,
}

/// The size of these columns in bytes when they are written. It can be much larger than their size in memory,
/// where dictionaries and views share values.
pub(crate) fn written_bytes(columns: &[ArrayRef], packing: DictionaryPacking) -> usize {
    let columns = columns.iter().map(|column| {
        let column = column.as_ref();
        match (packing, column.as_any_dictionary_opt()) {
            (DictionaryPacking::Kept, Some(dictionary)) => {
                let key_bytes = dictionary.keys().len() * size_of::<i32>();
                column_bytes(column)
                    .min(key_bytes.saturating_add(column_bytes(dictionary.values().as_ref())))
            }
            _ => column_bytes(column),
        }
    });
    columns.fold(0, usize::saturating_add)
}

fn column_bytes(column: &dyn Array) -> usize {
    let rows = column.len();
    match column.data_type() {
        DataType::Utf8View => {
            let views = column.as_string_view();
            views.lengths().map(|length| length as usize).sum()
        }
        DataType::BinaryView => {
            let views = column.as_binary_view();
            views.lengths().map(|length| length as usize).sum()
        }
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values = dictionary.values();
            let most_bytes = column_bytes(values.as_ref()).saturating_mul(rows);
            if most_bytes <= SMALL_BATCH_BYTES {
                return most_bytes;
            }
            dictionary_bytes(dictionary)
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>();
            let (start, end) = (list.value_offsets()[0], list.value_offsets()[rows]);
            let (start, end) = (start as usize, end as usize);
            column_bytes(list.values().slice(start, end - start).as_ref())
        }
        DataType::LargeList(_) => {
            let list = column.as_list::<i64>();
            let (start, end) = (list.value_offsets()[0], list.value_offsets()[rows]);
            let (start, end) = (start as usize, end as usize);
            column_bytes(list.values().slice(start, end - start).as_ref())
        }
        DataType::FixedSizeList(..) => column_bytes(column.as_fixed_size_list().values().as_ref()),
        DataType::Map(..) => {
            let map = column.as_map();
            let (start, end) = (map.value_offsets()[0], map.value_offsets()[rows]);
            let (start, end) = (start as usize, end as usize);
            column_bytes(&map.entries().slice(start, end - start))
        }
        DataType::ListView(_) => {
            let list = column.as_list_view::<i32>();
            let values: usize = list.sizes().iter().map(|size| *size as usize).sum();
            average_bytes(list.values().as_ref(), values)
        }
        DataType::LargeListView(_) => {
            let list = column.as_list_view::<i64>();
            let values: usize = list.sizes().iter().map(|size| *size as usize).sum();
            average_bytes(list.values().as_ref(), values)
        }
        DataType::RunEndEncoded(..) => run_bytes(column),
        DataType::Struct(_) => {
            written_bytes(column.as_struct().columns(), DictionaryPacking::Written)
        }
        _ => {
            let data = column.to_data();
            let size = data.get_slice_memory_size();
            size.unwrap_or_else(|_| data.get_array_memory_size())
        }
    }
}

/// The size of `count` of these values in bytes, estimated from their average. In a list view, several lists may share
/// a value.
fn average_bytes(values: &dyn Array, count: usize) -> usize {
    let bytes = column_bytes(values).saturating_mul(count);
    bytes.checked_div(values.len()).unwrap_or_default()
}

fn run_bytes(column: &dyn Array) -> usize {
    downcast_run_array!(
        column => {
            let values = column.values_slice();
            let mut run_start = 0;
            let bytes = column.run_ends().sliced_values().enumerate().map(|(run, end)| {
                let rows = end.as_usize() - run_start;
                run_start = end.as_usize();
                column_bytes(values.slice(run, 1).as_ref()).saturating_mul(rows)
            });
            bytes.fold(0, usize::saturating_add)
        }
        _ => 0
    )
}

/// The size of a dictionary column in bytes, if each row's value is written instead of its key.
fn dictionary_bytes(dictionary: &dyn AnyDictionaryArray) -> usize {
    let values = dictionary.values();
    if values.is_empty() {
        return 0;
    }
    // The keys of null rows are arbitrary.
    let nulls = dictionary.nulls();
    let mut sizes: Vec<Option<usize>> = vec![None; values.len()];
    let keys_by_row = dictionary.normalized_keys().into_iter().enumerate();
    let keys_by_row = keys_by_row.filter(|(row, _)| nulls.is_none_or(|nulls| nulls.is_valid(*row)));
    let bytes = keys_by_row.map(|(_, key)| {
        *sizes[key].get_or_insert_with(|| column_bytes(values.slice(key, 1).as_ref()))
    });
    bytes.fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use arrow::array::{DictionaryArray, Int32Array, StringArray, StringViewArray};
    use arrow::datatypes::Int32Type;

    #[test]
    fn shared_values_count_as_often_as_they_are_written() {
        let long_text = "x".repeat(1 << 20);
        let values: ArrayRef = Arc::new(StringArray::from(vec![long_text.as_str()]));
        let key_array = Int32Array::from(vec![Some(0), None, Some(0)]);
        let dictionary: ArrayRef = Arc::new(DictionaryArray::<Int32Type>::new(key_array, values));
        let written_size = written_bytes(&[Arc::clone(&dictionary)], DictionaryPacking::Written);
        assert!(
            (2 << 20..(2 << 20) + 100).contains(&written_size),
            "{written_size}"
        );
        let kept_size = written_bytes(&[dictionary], DictionaryPacking::Kept);
        assert!(
            (1 << 20..(1 << 20) + 100).contains(&kept_size),
            "{kept_size}"
        );
        let views: ArrayRef = Arc::new(StringViewArray::from(vec![long_text.as_str(); 3]));
        let written_size = written_bytes(&[views.slice(1, 2)], DictionaryPacking::Kept);
        assert_eq!(written_size, 2 << 20);
    }
}
