//! Makes tables in the formats Parquet and Arrow, and arrays in those of NumPy, for other tests.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeListArray, Int64Array, ListArray, RecordBatch};
use arrow::datatypes::{Field, Int64Type};
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
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

/// The digits of the grid, with 0 for an empty cell.
pub(crate) fn digits(grid: &str) -> Vec<u8> {
    grid.bytes()
        .map(|cell| if cell == b'.' { 0 } else { cell - b'0' })
        .collect()
}

/// A NumPy array (`.npy`) with this type and shape, as `numpy.save` writes it. `items` are the bytes of its items.
pub(crate) fn npy(descr: &str, shape: &str, items: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // The magic bytes, the version, the length and the header have a multiple of 64 bytes together.
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    let header = format!("{header:<width$}\n", width = length - 1);
    let length = u16::try_from(length).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), items].concat()
}

/// A zip archive of these files, as `numpy.savez` and `savez_compressed` write it, with 64-bit sizes in the headers.
pub(crate) fn npz(files: &[(&str, Vec<u8>)], deflated: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let name = format!("{name}.npy");
        let mut crc = Crc::new();
        crc.update(content);
        let entry_data = if deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        } else {
            content.clone()
        };
        let offset = bytes.len() as u32;
        let method = if deflated { 8 } else { 0 };
        let header_fields = |sizes: [u32; 2], extra: u16| {
            let mut fields = vec![45, 0, 0, 0, method, 0, 0, 0, 33, 0];
            fields.extend(crc.sum().to_le_bytes());
            sizes
                .iter()
                .for_each(|size| fields.extend(size.to_le_bytes()));
            fields.extend((name.len() as u16).to_le_bytes());
            fields.extend(extra.to_le_bytes());
            fields
        };
        let (stored, size) = (entry_data.len() as u32, content.len() as u32);
        let zip64_field = [
            &[1, 0, 16, 0][..],
            &u64::from(size).to_le_bytes(),
            &u64::from(stored).to_le_bytes(),
        ];
        bytes.extend(
            [
                b"PK\x03\x04",
                &header_fields([u32::MAX; 2], 20)[..],
                name.as_bytes(),
            ]
            .concat(),
        );
        bytes.extend([&zip64_field.concat(), &entry_data[..]].concat());
        directory.extend(
            [
                b"PK\x01\x02\x2d\x03",
                &header_fields([stored, size], 0)[..],
                &[0; 10],
            ]
            .concat(),
        );
        directory.extend([&offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let (size, start) = (directory.len() as u32, bytes.len() as u32);
    bytes.extend(directory);
    bytes.extend([b"PK\x05\x06", &[0; 4][..], &count, &count].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}
