//! Unpacks columns that are copied to the output: converts dictionaries and run-end encoded columns to plain columns.
//!
//! ```text
//! dictionary of text            → a dictionary with keys of 32 bits, without nulls among its values
//! dictionary of anything else   → its values
//! run-end encoded               → its values
//! ```
//!
//! Two fields of a struct with one name get different names.
//!
//! Conditions, partition folders and writers then have to handle fewer types. The values stay the same.

use arrow::array::{Array, ArrayRef, AsArray, make_array};
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;

use crate::carry::cast::cast_column;
use crate::carry::field_names::with_unique_names;
use crate::carry::parts::{any_part, change_parts};
use crate::error::{Error, InputError};

/// The type that a column has after unpacking. `stored` is its type in the file.
pub(super) fn unpacked_type(stored: &DataType) -> DataType {
    match stored {
        // The dictionaries of several row groups can be joined to a larger one, whose keys need 32 bits.
        DataType::Dictionary(_, values) if is_text(values) => {
            DataType::Dictionary(Box::new(DataType::Int32), values.clone())
        }
        _ => with_unique_names(&change_parts(stored, &type_without_packing)),
    }
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8)
}

fn type_without_packing(packed: &DataType) -> Option<DataType> {
    match packed {
        // Types without views are used, because a view of a single value would keep the whole dictionary in memory.
        DataType::Dictionary(_, values) => Some(match values.as_ref() {
            DataType::Utf8View => DataType::Utf8,
            DataType::BinaryView => DataType::Binary,
            values => values.clone(),
        }),
        DataType::RunEndEncoded(_, values) => Some(values.data_type().clone()),
        _ => None,
    }
}

/// Converts a column to its unpacked type.
pub(super) fn unpack(column: &ArrayRef, unpacked: &DataType) -> Result<ArrayRef, ArrowError> {
    without_null_values(cast_column(column, unpacked)?)
}

/// Replaces each key whose value is null by a null key.
fn without_null_values(column: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some(dictionary) = column.as_any_dictionary_opt() else {
        return Ok(column);
    };
    if dictionary.values().null_count() == 0 {
        return Ok(column);
    }
    let nulls = column.logical_nulls();
    let data = column.to_data().into_builder().nulls(nulls).build()?;
    Ok(make_array(data))
}

/// Whether a type contains fixed-size lists whose size is 0.
pub(super) fn has_empty_lists(data_type: &DataType) -> bool {
    any_part(data_type, &|part| {
        matches!(part, DataType::FixedSizeList(_, 0))
    })
}

/// Refuses a column that the decoders cannot represent.
pub(super) fn refuse_unreadable(path: &str, field: &Field) -> Result<(), Error> {
    if !has_empty_lists(field.data_type()) {
        Ok(())
    } else {
        Err(InputError::Unsupported {
            input: path.to_owned(),
            column: field.name().clone(),
            problem: format!(
                "{}, and lists of a fixed size of 0 are not supported: ",
                field.data_type()
            ),
        }
        .into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{DictionaryArray, Int8Array, StringArray};
    use arrow::datatypes::Int8Type;

    use super::*;

    #[test]
    fn a_null_among_the_values_becomes_one_among_the_keys() {
        let values: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
        let key_array = Int8Array::from(vec![Some(1), Some(0), None, Some(0)]);
        let column: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(key_array, values));
        let unpacked = unpack(&column.slice(1, 3), &unpacked_type(column.data_type())).unwrap();
        let wide_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        assert_eq!(*unpacked.data_type(), wide_type);
        let nulls: Vec<bool> = (0..3).map(|row| unpacked.is_null(row)).collect();
        assert_eq!(nulls, [false, true, false]);
        let unpacked = unpack(&column, &unpacked_type(column.data_type())).unwrap();
        assert!(unpacked.is_null(0) && unpacked.is_valid(1));
    }
}
