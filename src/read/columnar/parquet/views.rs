//! Chooses the types as which columns are decoded: text and bytes are decoded as views.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, Fields};

/// Replaces the types of text and bytes by view types. The values are converted back after a batch has been cut
/// to size.
pub(super) fn views(fields: &Fields) -> Fields {
    fields.iter().map(field).collect()
}

fn field(field: &FieldRef) -> FieldRef {
    let data_type = data_type(field.data_type());
    Arc::new(Field::clone(field).with_data_type(data_type))
}

fn data_type(stored: &DataType) -> DataType {
    match stored {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::Dictionary(_, values) => match data_type(values) {
            view @ (DataType::Utf8View | DataType::BinaryView) => view,
            _ => stored.clone(),
        },
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(field(item), *size),
        DataType::Struct(fields) => DataType::Struct(views(fields)),
        other => other.clone(),
    }
}
