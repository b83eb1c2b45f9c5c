//! The lists of a column that may be grids.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::error::ArrowError;

/// The range of each list's elements; `None` for null.
pub(in crate::read) struct ListRanges {
    pub(in crate::read) ranges: Vec<Option<Range<usize>>>,
}

impl ListRanges {
    /// The lists of a column, and all their elements.
    pub(in crate::read) fn from_column(
        column: &ArrayRef,
    ) -> Result<(ListRanges, ArrayRef), ArrowError> {
        let ranges = |range: &dyn Fn(usize) -> Range<usize>| ListRanges {
            ranges: (0..column.len())
                .map(|row| column.is_valid(row).then(|| range(row)))
                .collect(),
        };
        if let Some(list) = column.as_list_opt::<i32>() {
            let ends = list.value_offsets();
            let lists = ranges(&|row| ends[row] as usize..ends[row + 1] as usize);
            return Ok((lists, Arc::clone(list.values())));
        }
        if let Some(list) = column.as_list_opt::<i64>() {
            let ends = list.value_offsets();
            let lists = ranges(&|row| ends[row] as usize..ends[row + 1] as usize);
            return Ok((lists, Arc::clone(list.values())));
        }
        if let Some(list) = column.as_fixed_size_list_opt() {
            let size = list.value_length() as usize;
            let lists = ranges(&|row| row * size..(row + 1) * size);
            return Ok((lists, Arc::clone(list.values())));
        }
        if let Some(list) = column.as_list_view_opt::<i32>() {
            let (starts, sizes) = (list.value_offsets(), list.value_sizes());
            let lists = ranges(&|row| {
                let start = starts[row] as usize;
                start..start + sizes[row] as usize
            });
            return Ok((lists, Arc::clone(list.values())));
        }
        if let Some(list) = column.as_list_view_opt::<i64>() {
            let (starts, sizes) = (list.value_offsets(), list.value_sizes());
            let lists = ranges(&|row| {
                let start = starts[row] as usize;
                start..start + sizes[row] as usize
            });
            return Ok((lists, Arc::clone(list.values())));
        }
        Err(ArrowError::SchemaError(format!(
            "{} is not a list",
            column.data_type()
        )))
    }
}
