//! Finds the lists in a column. Each list may be a grid.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, OffsetSizeTrait};
use arrow::error::ArrowError;

/// For each list in a column, the range of its elements; `None` for a null list.
pub(in crate::read) struct ListRanges {
    pub(in crate::read) ranges: Vec<Option<Range<usize>>>,
}

impl ListRanges {
    /// The lists in a column, and the array of all their elements; `None` if the column has another type.
    pub(in crate::read) fn from_column(
        column: &ArrayRef,
    ) -> Result<(ListRanges, ArrayRef), ArrowError> {
        if let Some(list) = column.as_fixed_size_list_opt() {
            let size = list.value_length() as usize;
            let lists = ListRanges::new(column, |row| row * size..(row + 1) * size);
            return Ok((lists, Arc::clone(list.values())));
        }
        let lists = lists::<i32>(column).or_else(|| lists::<i64>(column));
        lists
            .ok_or_else(|| ArrowError::SchemaError(format!("{} is not a list", column.data_type())))
    }

    fn new(column: &ArrayRef, range: impl Fn(usize) -> Range<usize>) -> ListRanges {
        let ranges = (0..column.len()).map(|row| column.is_valid(row).then(|| range(row)));
        ListRanges {
            ranges: ranges.collect(),
        }
    }
}

/// The lists in a column with offsets of the type `O`, and the array of all their elements.
fn lists<O: OffsetSizeTrait>(column: &ArrayRef) -> Option<(ListRanges, ArrayRef)> {
    if let Some(list) = column.as_list_opt::<O>() {
        let offsets = list.value_offsets();
        let range = |row: usize| offsets[row].as_usize()..offsets[row + 1].as_usize();
        return Some((ListRanges::new(column, range), Arc::clone(list.values())));
    }
    let list = column.as_list_view_opt::<O>()?;
    let (starts, sizes) = (list.value_offsets(), list.value_sizes());
    let range = |row: usize| {
        let list_start = starts[row].as_usize();
        list_start..list_start + sizes[row].as_usize()
    };
    Some((ListRanges::new(column, range), Arc::clone(list.values())))
}
