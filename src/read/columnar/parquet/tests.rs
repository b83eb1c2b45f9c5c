//! Reads Parquet files that the tests write in memory.

use std::fs::File;
use std::sync::atomic::Ordering;

use super::*;
use crate::read::{Carried, Keep};
use ::parquet::arrow::ArrowWriter;
use ::parquet::file::properties::WriterProperties;
use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field};

const PUZZLE: &str =
    "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

fn parquet_bytes(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns
            .into_iter()
            .map(|(name, column)| (name, column, true)),
    )
    .unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn open_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Input, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.parquet");
    std::fs::write(&path, bytes).unwrap();
    let file = File::open(&path).unwrap();
    let file = RandomAccess::new(Arc::new(file), bytes.len() as u64);
    open("in.parquet", file, options)
}

fn strings<const N: usize>(values: [Option<&str>; N]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn numbers(count: i64) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(0..count))
}

/// The puzzles and the solutions of an input as text.
fn rows(input: &mut Input) -> Result<Vec<String>, Error> {
    let mut all_rows = Vec::new();
    while let Some(batch) = input.source.next(Vec::new())? {
        assert_eq!(batch.first_row, all_rows.len() as u64);
        let records = input.parser.parse(&batch)?;
        assert_eq!(records.rows.len(), batch.rows);
        for row in records.rows {
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let puzzle = match &row.puzzle {
                Ok(puzzle) => text(puzzle),
                Err(reason) => reason.kind.id().to_owned(),
            };
            let solution = row.solution.map(|solution| text(&solution));
            all_rows.push(format!("{puzzle} {}", solution.unwrap_or_default()));
        }
    }
    Ok(all_rows)
}

#[test]
fn columns_are_found_by_name_and_carried_with_their_type() {
    let bytes = parquet_bytes(vec![
        ("n", numbers(3)),
        ("solution", strings([Some("s"), None, Some("")])),
        ("Puzzle", strings([Some("p"), None, Some("q")])),
    ]);
    let mut input = open_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert!(input.info.has_solutions);
    assert_eq!(*input.carried[0], Field::new("n", DataType::Int64, true));
    let batch = input.source.next(Vec::new()).unwrap().unwrap();
    let Carried::Columns(carried) = input.parser.parse(&batch).unwrap().carried else {
        panic!("Parquet carries columns");
    };
    assert_eq!(carried, [numbers(3)]);
    assert_eq!(input.bytes_read.load(Ordering::Relaxed), bytes.len() as u64);

    let without_columns = ReadOptions {
        keep: Keep::None,
        ..ReadOptions::default()
    };
    let mut input = open_bytes(&bytes, &without_columns).unwrap();
    assert!(input.carried.is_empty());
    assert_eq!(rows(&mut input).unwrap(), ["p s", "null_value ", "q "]);
}

#[test]
fn every_kind_of_text_is_read() {
    let text = strings([Some(PUZZLE), None, Some(PUZZLE)]);
    let dictionary = |key| DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8));
    for kind in [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
        dictionary(DataType::Int32),
        dictionary(DataType::UInt8),
    ] {
        let column = cast(&text, &kind).unwrap();
        let mut input = open_bytes(
            &parquet_bytes(vec![("board", column)]),
            &ReadOptions::default(),
        )
        .unwrap();
        let expected = [
            format!("{PUZZLE} "),
            "null_value ".to_owned(),
            format!("{PUZZLE} "),
        ];
        assert_eq!(rows(&mut input).unwrap(), expected, "{kind}");
    }
}

#[test]
fn a_column_that_is_no_text_is_named_with_its_type() {
    let bytes = parquet_bytes(vec![("grid", numbers(1)), ("a", strings([Some("p")]))]);
    let message = open_bytes(&bytes, &ReadOptions::default())
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        message,
        "in.parquet: column \"grid\" holds Int64; grids are read from columns of text, and from lists \
         of numbers or of texts"
    );
    let bytes = parquet_bytes(vec![("grid", numbers(1)), ("board", strings([Some("p")]))]);
    let mut input = open_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(
        rows(&mut input).unwrap(),
        ["p "],
        "the one that is text is taken"
    );
}

#[test]
fn many_rows_come_in_batches_and_progress_is_reported() {
    let puzzles = vec![PUZZLE; 10_000];
    let column: ArrayRef = Arc::new(StringArray::from(puzzles));
    let mut input = open_bytes(
        &parquet_bytes(vec![("quiz", column)]),
        &ReadOptions::default(),
    )
    .unwrap();
    let mut sizes = Vec::new();
    let mut progress = Vec::new();
    while let Some(batch) = input.source.next(Vec::new()).unwrap() {
        sizes.push(batch.rows);
        progress.push(input.bytes_read.load(Ordering::Relaxed));
    }
    assert_eq!(sizes, [4096, 4096, 1808]);
    assert!(progress.is_sorted());
    assert_eq!(progress.last().copied(), input.info.bytes);
}

#[test]
fn row_groups_can_be_read_alone_and_rows_keep_their_numbers() {
    let texts: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
    let column: ArrayRef = Arc::new(StringArray::from(texts));
    let batch = RecordBatch::try_from_iter([("quiz", column)]).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(300));
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    let bytes = writer.into_inner().unwrap();
    let only_groups = |groups: &[usize]| ReadOptions {
        row_groups: Some(groups.to_vec()),
        ..ReadOptions::default()
    };
    for (groups, expected) in [
        (vec![1], (300..600).collect::<Vec<u64>>()),
        (vec![3, 0], (0..300).chain(900..1000).collect()),
        (vec![], vec![]),
    ] {
        let mut input = open_bytes(&bytes, &only_groups(&groups)).unwrap();
        let mut numbers = Vec::new();
        while let Some(batch) = input.source.next(Vec::new()).unwrap() {
            let records = input.parser.parse(&batch).unwrap();
            for (row, record) in (batch.first_row..).zip(records.rows) {
                assert_eq!(record.raw, row.to_string().as_bytes());
                numbers.push(row);
            }
        }
        assert_eq!(numbers, expected, "{groups:?}");
    }
    let error = open_bytes(&bytes, &only_groups(&[4])).err().unwrap();
    assert_eq!(
        error.to_string(),
        "in.parquet has 4 row groups, and no row group 4"
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.parquet");
    let path = path.to_str().unwrap();
    std::fs::write(path, &bytes).unwrap();
    assert_eq!(crate::formats::parquet_row_groups(path).unwrap(), Some(4));
    std::fs::write(path, "puzzle\n").unwrap();
    assert_eq!(crate::formats::parquet_row_groups(path).unwrap(), None);
    let csv = folder.path().join("in.csv");
    std::fs::write(&csv, "puzzle\n").unwrap();
    let error = crate::formats::open(csv.to_str().unwrap(), &only_groups(&[0])).err();
    assert!(
        error
            .unwrap()
            .to_string()
            .ends_with("only Parquet files have row groups, and this is not one")
    );
}
