//! Which types of columns may hold grids.

use arrow::datatypes::DataType;

use crate::carry::cast::list_item;

/// Whether a column of this type may hold grids: lists of numbers or texts, or lists of such lists.
pub(in crate::read) fn may_hold_grids(data_type: &DataType) -> bool {
    let is_cell = |data_type: &DataType| {
        data_type.is_integer() || data_type.is_floating() || is_text(data_type)
    };
    let item_type =
        |data_type: &DataType| list_item(data_type).map(|item| item.data_type().clone());
    let is_list_of_cells =
        |data_type: &DataType| item_type(data_type).is_some_and(|item| is_cell(&item));
    is_list_of_cells(data_type) || item_type(data_type).is_some_and(|item| is_list_of_cells(&item))
}

/// Whether a column of this type has grids of numbers.
pub(in crate::read) fn has_numbers(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => has_numbers(values),
        DataType::RunEndEncoded(_, values) => has_numbers(values.data_type()),
        lists => {
            let item = list_item(lists).map(|item| item.data_type().clone());
            let cell = item.map(|item| match list_item(&item) {
                Some(cell) => cell.data_type().clone(),
                None => item,
            });
            cell.is_some_and(|cell| !is_text(&cell))
        }
    }
}

pub(super) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}
