//! Chooses the Arrow types to which Parquet columns are decoded. Text and bytes are decoded to view types.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, Fields};

/// Replaces the types of text and bytes by view types. After a batch has been cut to size, the values are converted
/// back to the original types.
pub(super) fn with_view_types(fields: &Fields) -> Fields {
    fields.iter().map(view_field).collect()
}

fn view_field(field: &FieldRef) -> FieldRef {
    let data_type = view_type(field.data_type());
    Arc::new(Field::clone(field).with_data_type(data_type))
}

fn view_type(stored: &DataType) -> DataType {
    match stored {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::Dictionary(_, values) => match view_type(values) {
            view @ (DataType::Utf8View | DataType::BinaryView) => view,
            _ => stored.clone(),
        },
        DataType::List(item) => DataType::List(view_field(item)),
        DataType::LargeList(item) => DataType::LargeList(view_field(item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(view_field(item), *size),
        DataType::Struct(fields) => DataType::Struct(with_view_types(fields)),
        other => other.clone(),
    }
}
