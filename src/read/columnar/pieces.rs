//! Tests that the pieces of a columnar input give the batches, the error and the counts that reading it without pieces
//! gives, for whole and for damaged files.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::ipc::CompressionType;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};

use super::damage;
use crate::formats::open;
use crate::read::{Batch, Part, Payload, PieceLimits, ReadOptions};
use sudoku_core::random::Rng;

/// A table of puzzles with some null and broken ones, a dictionary, numbers and texts of different lengths.
fn table(rows: usize) -> RecordBatch {
    let mut rng = Rng::new(3);
    let puzzles: StringArray = (0..rows)
        .map(|row| {
            let digits: String = (0..81).map(|_| rng.below(10).to_string()).collect();
            (row % 97 > 0).then_some(digits)
        })
        .collect();
    let levels: ArrayRef =
        Arc::new(StringArray::from_iter((0..rows).map(|row| {
            (row % 7 > 0).then_some(["easy", "a longer name of a level"][rng.below(2)])
        })));
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let notes = (0..rows).map(|row| "note ".repeat(if row % 500 < 3 { 4_000 } else { row % 9 }));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("puzzle", Arc::new(puzzles)),
        ("level", cast(&levels, &dictionary).unwrap()),
        ("n", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("note", Arc::new(StringArray::from_iter_values(notes))),
    ];
    let columns = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// The table as a Parquet file whose row groups have these numbers of rows. The last one has the rest.
fn as_parquet(table: &RecordBatch, groups: &[usize], properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), Some(properties)).unwrap();
    let mut start = 0;
    for rows in groups {
        writer.write(&table.slice(start, *rows)).unwrap();
        writer.flush().unwrap();
        start += rows;
    }
    let rest = table.num_rows() - start;
    writer.write(&table.slice(start, rest)).unwrap();
    writer.into_inner().unwrap()
}

/// The table as an Arrow file whose record batches have these numbers of rows. The last one has the rest.
fn as_arrow(table: &RecordBatch, batches: &[usize], codec: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default();
    let options = options.try_with_compression(codec).unwrap();
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &table.schema(), options).unwrap();
    let mut start = 0;
    for rows in batches {
        writer.write(&table.slice(start, *rows)).unwrap();
        start += rows;
    }
    let rest = table.num_rows() - start;
    writer.write(&table.slice(start, rest)).unwrap();
    writer.into_inner().unwrap()
}

/// A NumPy array of bytes.
fn as_npy(rows: usize) -> Vec<u8> {
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, 81), }}");
    let mut npy = b"\x93NUMPY\x01\0\x76\0".to_vec();
    npy.extend_from_slice(format!("{header:<117}\n").as_bytes());
    npy.extend((0..rows * 81).map(|at| (at % 10) as u8));
    npy
}

/// Files with all kinds of row groups, pages, and record batches.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let properties = || {
        WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_data_page_size_limit(20_000)
            .set_write_batch_size(100)
    };
    let large_groups = || properties().set_max_row_group_row_count(Some(30_000));
    let (small, large) = (table(9_000), table(22_000));
    let odd_groups = [1, 1, 5, 0, 4096, 4097, 1, 300];
    let version_2 = || large_groups().set_writer_version(WriterVersion::PARQUET_2_0);
    vec![
        ("one group", as_parquet(&large, &[], large_groups().build())),
        (
            "no dictionary, no index",
            as_parquet(
                &large,
                &[],
                large_groups()
                    .set_dictionary_enabled(false)
                    .set_statistics_enabled(EnabledStatistics::None)
                    .set_offset_index_disabled(true)
                    .build(),
            ),
        ),
        (
            "pages of version 2",
            as_parquet(&large, &[], version_2().build()),
        ),
        (
            "odd groups",
            as_parquet(&small, &odd_groups, properties().build()),
        ),
        ("one page a column", {
            let properties = WriterProperties::builder();
            let properties = properties.set_max_row_group_row_count(Some(30_000));
            as_parquet(&large, &[20_000], properties.build())
        }),
        ("plain Arrow", as_arrow(&small, &[1, 0, 5000], None)),
        (
            "compressed Arrow",
            as_arrow(
                &small,
                &[1, 0, 5000, 0, 1],
                Some(CompressionType::LZ4_FRAME),
            ),
        ),
        ("NumPy", as_npy(9_000)),
    ]
}

/// What a run gets from an input.
#[derive(PartialEq)]
struct Read {
    /// The first row, the columns and the unreadable rows of each batch.
    batches: Vec<(u64, RecordBatch, String)>,
    /// The error with what it leaves unread.
    error: Option<(String, u64, Option<u64>)>,
    /// The position at the end.
    bytes_read: u64,
}

impl Read {
    fn add(&mut self, batch: Batch) {
        let Payload::Columns(chunk) = batch.payload else {
            panic!("a columnar file has columns");
        };
        let unreadable = chunk.unreadable.iter();
        let unreadable = unreadable.map(|(row, reason)| format!("{row} {reason:?}"));
        let unreadable = unreadable.collect::<Vec<_>>().join("\n");
        self.batches
            .push((batch.first_row, chunk.columns, unreadable));
    }

    fn describe(&self) -> String {
        let rows = self
            .batches
            .iter()
            .map(|(first, columns, _)| (*first, columns.num_rows()));
        let rows: Vec<_> = rows.collect();
        format!("{rows:?} {:?} {}", self.error, self.bytes_read)
    }
}

/// Reads a file, in pieces with these limits or without pieces. Also returns the number of pieces.
fn read(path: &str, limits: Option<&PieceLimits>) -> (Read, usize) {
    let mut result = Read {
        batches: Vec::new(),
        error: None,
        bytes_read: 0,
    };
    let mut pieces = 0;
    let mut input = match open(path, &ReadOptions::default()) {
        Ok(input) => input,
        Err(error) => {
            result.error = Some((error.to_string(), 0, None));
            return (result, pieces);
        }
    };
    // The run also reads the first batch when it opens the input.
    loop {
        let part = match limits {
            Some(limits) => input.source.next_part(Vec::new(), limits),
            None => input
                .source
                .next(Vec::new())
                .map(|batch| batch.map(Part::Batch)),
        };
        let (error, dropped, rows_lost) = match part {
            Ok(Some(Part::Batch(batch))) => {
                result.add(batch);
                continue;
            }
            Ok(Some(Part::Piece(mut piece))) => {
                pieces += 1;
                let mut position = piece.bytes_read.load(Ordering::Relaxed);
                let mut rows = 0;
                let error = loop {
                    let next = piece.source.next(Vec::new());
                    let now = piece.bytes_read.load(Ordering::Relaxed);
                    let more = now.wrapping_sub(position);
                    input.bytes_read.fetch_add(more, Ordering::Relaxed);
                    position = now;
                    match next {
                        Ok(Some(batch)) => {
                            assert_eq!(batch.first_row, piece.first_row + rows);
                            rows += batch.rows as u64;
                            result.add(batch);
                        }
                        Ok(None) => break None,
                        Err(error) => break Some(error),
                    }
                };
                match error {
                    None => {
                        assert_eq!(rows, piece.rows, "a piece has the rows that it states");
                        continue;
                    }
                    Some(error) => {
                        // The reader thread may have read further.
                        input.bytes_read.store(position, Ordering::Relaxed);
                        (error, piece.source.dropped(), piece.source.rows_lost())
                    }
                }
            }
            Ok(None) => break,
            Err(error) => (error, input.source.dropped(), input.source.rows_lost()),
        };
        result.error = Some((error.to_string(), dropped, rows_lost));
        break;
    }
    result.bytes_read = input.bytes_read.load(Ordering::Relaxed);
    (result, pieces)
}

/// Limits of pieces for few and for many threads, with and without a memory limit.
fn all_limits() -> [PieceLimits; 3] {
    let limits = |batches, most_batches, page_bytes, keeps_decoded| PieceLimits {
        batches,
        most_batches,
        page_bytes,
        keeps_decoded,
    };
    [
        limits(1, 1, 4 << 20, false),
        limits(2, 17, 64 << 20, true),
        limits(4, 2, 60_000, true),
    ]
}

#[test]
fn pieces_give_the_batches_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    let path = path.to_str().unwrap();
    let unnamed = damage::files()
        .into_iter()
        .map(|bytes| ("a file of the damage tests", bytes));
    for (name, bytes) in files().into_iter().chain(unnamed) {
        std::fs::write(path, bytes).unwrap();
        let (whole, _) = read(path, None);
        assert_eq!(whole.error, None, "{name}");
        for limits in all_limits() {
            let (in_pieces, pieces) = read(path, Some(&limits));
            assert!(whole == in_pieces, "{name}: {limits:?}");
            assert!(
                pieces > 0 || name.starts_with("a file"),
                "{name}: {limits:?}"
            );
        }
    }
}

#[test]
fn damage_in_a_piece_is_the_damage_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    let path = path.to_str().unwrap();
    let seed = 5;
    let cases = std::env::var("PIECE_CASES").map_or(8, |cases| cases.parse().unwrap());
    let (mut damaged, mut in_rows) = (0, 0);
    let unnamed = damage::files()
        .into_iter()
        .map(|bytes| ("a file of the damage tests", bytes));
    for (number, (name, whole)) in files().into_iter().chain(unnamed).enumerate() {
        for case in 0..cases {
            let mut rng = Rng::for_item(seed, number as u64 * 1_000_000 + case);
            let mut bytes = whole.clone();
            for _ in 0..=rng.below(2) {
                let last = bytes.len() - 1;
                let at = match rng.below(8) {
                    0 => last - rng.below(last.min(1200)),
                    _ => rng.below(last),
                };
                bytes[at] ^= 1 << rng.below(8);
            }
            if rng.below(20) == 0 {
                bytes.truncate(rng.below(bytes.len()));
            }
            std::fs::write(path, &bytes).unwrap();
            let (whole, _) = read(path, None);
            damaged += usize::from(whole.error.is_some());
            in_rows += usize::from(whole.error.is_some() && !whole.batches.is_empty());
            for limits in all_limits() {
                let (in_pieces, _) = read(path, Some(&limits));
                assert!(
                    whole == in_pieces,
                    "seed {seed}, {name}, case {case}, {limits:?}:\n{}\n{}",
                    whole.describe(),
                    in_pieces.describe()
                );
            }
        }
    }
    assert!(damaged > 30 && in_rows > 10, "{damaged} {in_rows}");
}
