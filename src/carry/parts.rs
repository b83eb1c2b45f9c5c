//! The parts of nested types: the items of lists, the entries of maps, and the fields of structs.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, Fields};

use super::logical::child_fields;

/// Replaces types inside a nested type. `replacement` returns the new type, or `None` to keep the old one. It is called
/// first for the whole type, and then for the types of list items and struct fields, at any depth.
pub(crate) fn change_parts(
    data_type: &DataType,
    replacement: &impl Fn(&DataType) -> Option<DataType>,
) -> DataType {
    if let Some(changed) = replacement(data_type) {
        return change_parts(&changed, replacement);
    }
    with_parts(data_type, |field| {
        let data_type = change_parts(field.data_type(), replacement);
        if data_type == *field.data_type() {
            Arc::clone(field)
        } else {
            Arc::new(Field::clone(field).with_data_type(data_type))
        }
    })
}

/// Applies `field` to the direct children of a type: the items of a list, the entries of a map, or the fields of
/// a struct. Returns the resulting type.
pub(crate) fn with_parts(
    data_type: &DataType,
    field: impl FnMut(&FieldRef) -> FieldRef,
) -> DataType {
    let mut field = field;
    match data_type {
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::ListView(item) => DataType::ListView(field(item)),
        DataType::LargeListView(item) => DataType::LargeListView(field(item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(field(item), *size),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect::<Fields>()),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        other => other.clone(),
    }
}

/// Whether `is_match` is true for the type itself, or for the type of a list item or struct field at any depth.
pub(crate) fn any_part(data_type: &DataType, is_match: &impl Fn(&DataType) -> bool) -> bool {
    if is_match(data_type) {
        return true;
    }
    match data_type {
        DataType::RunEndEncoded(_, item) => any_part(item.data_type(), is_match),
        DataType::Dictionary(_, values) => any_part(values, is_match),
        DataType::Union(fields, _) => fields
            .iter()
            .any(|(_, field)| any_part(field.data_type(), is_match)),
        other => child_fields(other)
            .iter()
            .any(|part| any_part(part.data_type(), is_match)),
    }
}
