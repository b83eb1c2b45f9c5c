//! Makes tables in the formats Parquet and Arrow, for other tests.

use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeListArray, Int64Array, ListArray, RecordBatch};
use arrow::datatypes::{Field, Int64Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

pub(crate) fn parquet(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

pub(crate) fn options(compression: Option<CompressionType>) -> IpcWriteOptions {
    let options = IpcWriteOptions::default();
    options.try_with_compression(compression).unwrap()
}

/// An Arrow file with a table, in record batches of this many rows.
pub(crate) fn arrow_file(
    batch: &RecordBatch,
    rows: usize,
    compression: Option<CompressionType>,
) -> Vec<u8> {
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options(compression))
            .unwrap();
    for start in (0..batch.num_rows()).step_by(rows) {
        let rows = rows.min(batch.num_rows() - start);
        writer.write(&batch.slice(start, rows)).unwrap();
    }
    writer.into_inner().unwrap()
}

pub(crate) fn arrow_stream(
    batch: &RecordBatch,
    rows: usize,
    compression: Option<CompressionType>,
) -> Vec<u8> {
    let mut writer =
        StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options(compression))
            .unwrap();
    for start in (0..batch.num_rows()).step_by(rows) {
        let rows = rows.min(batch.num_rows() - start);
        writer.write(&batch.slice(start, rows)).unwrap();
    }
    writer.into_inner().unwrap()
}

pub(crate) fn cells(grid: &str) -> impl Iterator<Item = Option<i64>> {
    grid.chars().map(|cell| cell.to_digit(10).map(i64::from))
}

pub(crate) fn lists_of_cells(grids: &[&str]) -> ArrayRef {
    let lists = grids.iter().map(|grid| Some(cells(grid)));
    Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lists))
}

/// The grids as lists of 9 lists of 9 numbers, with 0 for an empty cell.
pub(crate) fn nested(grids: &[&str]) -> ArrayRef {
    let numbers = grids.iter().flat_map(|grid| cells(grid));
    let numbers = Int64Array::from_iter_values(numbers.map(Option::unwrap_or_default));
    let list_of_nine = |values: ArrayRef| {
        let field = Arc::new(Field::new("item", values.data_type().clone(), true));
        Arc::new(FixedSizeListArray::new(field, 9, values, None))
    };
    list_of_nine(list_of_nine(Arc::new(numbers)))
}
