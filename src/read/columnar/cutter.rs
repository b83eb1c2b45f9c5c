//! Cuts decoded record batches into batches of a bounded size.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, UInt32Array, downcast_run_array};
use arrow::compute::take;
use arrow::datatypes::{ArrowNativeType, DataType};
use arrow::error::ArrowError;

use super::BATCH_ROWS;
use super::layout::ColumnLayout;
use crate::read::ColumnChunk;

/// A batch is cut until its values have at most this many bytes when written out, or it has one
/// row.
const CHUNK_BYTES: usize = 16 << 20;

/// Cuts decoded rows into chunks, in order.
pub(super) struct Cutter {
    layout: ColumnLayout,
    /// Rows that have not been cut yet, the last part first.
    rest: Vec<RecordBatch>,
    /// Whether chunks are copied, so that the record batches they come from can be freed.
    copies: bool,
}

impl Cutter {
    pub(super) fn new(layout: ColumnLayout, copies: bool) -> Cutter {
        Cutter {
            layout,
            rest: Vec::new(),
            copies,
        }
    }

    /// Adds rows to be cut. Call it only when all earlier rows have been returned.
    pub(super) fn put(&mut self, batch: RecordBatch) {
        self.rest.push(batch);
    }

    /// The next chunk; `None` if no rows are left.
    pub(super) fn next(&mut self) -> Result<Option<ColumnChunk>, ArrowError> {
        while let Some(batch) = self.rest.pop() {
            let rows = batch.num_rows();
            let taken = if rows > BATCH_ROWS {
                BATCH_ROWS
            } else if rows > 1 && expanded_bytes(batch.columns()) > CHUNK_BYTES {
                rows / 2
            } else {
                rows
            };
            if taken < rows {
                self.rest.push(batch.slice(taken, rows - taken));
                self.rest.push(batch.slice(0, taken));
            } else if rows > 0 {
                let batch = match self.copies {
                    true => deep_copy(&batch)?,
                    false => batch,
                };
                return self.layout.arrange(&batch).map(Some);
            }
        }
        Ok(None)
    }
}

/// The bytes of these values when each is written out. Dictionaries and views share values, so they
/// may expand to far more than their memory.
fn expanded_bytes(columns: &[ArrayRef]) -> usize {
    columns.iter().map(|column| bytes_of(column.as_ref())).sum()
}

fn bytes_of(column: &dyn Array) -> usize {
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
            let any = bytes_of(values.as_ref()).saturating_mul(rows);
            if any <= CHUNK_BYTES {
                return any;
            }
            let keys = dictionary.normalized_keys().into_iter();
            keys.map(|key| bytes_of(values.slice(key, 1).as_ref()))
                .sum()
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>();
            let (start, end) = (list.value_offsets()[0], list.value_offsets()[rows]);
            let (start, end) = (start as usize, end as usize);
            bytes_of(list.values().slice(start, end - start).as_ref())
        }
        DataType::LargeList(_) => {
            let list = column.as_list::<i64>();
            let (start, end) = (list.value_offsets()[0], list.value_offsets()[rows]);
            let (start, end) = (start as usize, end as usize);
            bytes_of(list.values().slice(start, end - start).as_ref())
        }
        DataType::FixedSizeList(..) => bytes_of(column.as_fixed_size_list().values().as_ref()),
        DataType::Map(..) => {
            let map = column.as_map();
            let (start, end) = (map.value_offsets()[0], map.value_offsets()[rows]);
            let (start, end) = (start as usize, end as usize);
            bytes_of(&map.entries().slice(start, end - start))
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
        DataType::Struct(_) => expanded_bytes(column.as_struct().columns()),
        _ => {
            let data = column.to_data();
            let size = data.get_slice_memory_size();
            size.unwrap_or_else(|_| data.get_array_memory_size())
        }
    }
}

/// The average size of `count` values out of these. A list view may contain a value several times.
fn average_bytes(values: &dyn Array, count: usize) -> usize {
    let bytes = bytes_of(values).saturating_mul(count);
    bytes.checked_div(values.len()).unwrap_or_default()
}

fn run_bytes(column: &dyn Array) -> usize {
    downcast_run_array!(
        column => {
            let values = column.values_slice();
            let mut start = 0;
            let bytes = column.run_ends().sliced_values().enumerate().map(|(run, end)| {
                let rows = end.as_usize() - start;
                start = end.as_usize();
                bytes_of(values.slice(run, 1).as_ref()).saturating_mul(rows)
            });
            bytes.fold(0, usize::saturating_add)
        }
        _ => 0
    )
}

/// A copy of the rows in memory of their own.
fn deep_copy(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let rows: UInt32Array = (0..batch.num_rows() as u32).collect();
    let columns = batch.columns().iter().map(|column| {
        let column = take(column, &rows, None)?;
        Ok(match column.data_type() {
            DataType::Utf8View => Arc::new(column.as_string_view().gc()) as ArrayRef,
            DataType::BinaryView => Arc::new(column.as_binary_view().gc()) as ArrayRef,
            _ => column,
        })
    });
    RecordBatch::try_new(
        batch.schema(),
        columns.collect::<Result<Vec<_>, ArrowError>>()?,
    )
}
