//! The columns that can hold texts of grids, and the type to which they are converted.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{cast, take};
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::unpack::has_empty_lists;
use crate::read::grids;

/// The type to which a column of puzzles or solutions is converted when it is read; `None` if the column cannot hold
/// grids.
pub(super) fn text_type(stored: &DataType) -> Option<DataType> {
    match stored {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(DataType::Utf8),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Some(DataType::Binary),
        DataType::Dictionary(_, values) => text_type(values),
        DataType::RunEndEncoded(_, values) => text_type(values.data_type()),
        // The decoders lose rows of fixed-size lists whose size is 0, so such columns are not read as grids.
        lists if grids::may_hold_grids(lists) && !has_empty_lists(lists) => Some(DataType::Utf8),
        _ => None,
    }
}

/// The type to which a column of values that are read as JSON text is converted. Lists are JSON, too.
pub(super) fn json_or_text_type(stored: &DataType) -> DataType {
    match text_type(stored) {
        Some(text) if !grids::may_hold_grids(stored) => text,
        _ => DataType::Utf8,
    }
}

/// Converts a dictionary or run-end encoded column to one value per row. Other columns are returned unchanged.
pub(super) fn plain_values(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    if let DataType::RunEndEncoded(_, values) = column.data_type() {
        return plain_values(&cast(column, values.data_type())?);
    }
    match column.as_any_dictionary_opt() {
        Some(dictionary) => plain_values(&take(dictionary.values(), dictionary.keys(), None)?),
        None => Ok(Arc::clone(column)),
    }
}
