//! Tests that the same puzzles give the same table, whatever the input format.

use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::ipc::CompressionType;
use clap::ValueEnum;
use parquet::file::properties::WriterProperties;
use sudoku_pipeline::formats::output_formats;
use sudoku_pipeline::read::InputFormat;

use crate::inputs::spellings::{puzzles, texts};
use crate::tables::{
    arrow_file, arrow_stream, batch, digits, lists_of_cells, nested, npy, npz, parquet,
};
use crate::util::{TestDir, gzip};

const PUZZLE_COUNT: &str = "200";

/// Tables with the puzzles and other columns, in every columnar format.
fn tables(puzzles: &[String]) -> Vec<(String, &'static str, Vec<u8>)> {
    let puzzles: Vec<&str> = puzzles.iter().map(String::as_str).collect();
    let text: ArrayRef = Arc::new(StringArray::from(puzzles.clone()));
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let text_types = [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
        dictionary,
    ];
    let mut columns: Vec<(String, ArrayRef)> = text_types
        .iter()
        .map(|kind| (kind.to_string(), cast(&text, kind).unwrap()))
        .collect();
    columns.push(("lists".to_owned(), lists_of_cells(&puzzles)));
    columns.push(("lists of lists".to_owned(), nested(&puzzles)));
    let boards = npy("|u1", "(200, 9, 9)", &digits(&puzzles.concat()));
    let clues = npy("|u1", "(200,)", &[30; 200]);
    let archive = npz(&[("clues", clues), ("boards", boards.clone())], true);
    let mut files = vec![
        ("NumPy array".to_owned(), "npy", boards),
        ("NumPy archive".to_owned(), "npz", archive),
    ];
    for (kind, column) in columns {
        let clues = puzzles.iter().map(|puzzle| {
            let clues = puzzle.bytes().filter(|cell| *cell != b'.').count();
            Some(clues.to_string())
        });
        let clues: ArrayRef = Arc::new(clues.collect::<StringArray>());
        let batch = batch(vec![("clues", clues), ("question", column)]);
        let groups = WriterProperties::builder().set_max_row_group_row_count(Some(70));
        let lz4 = Some(CompressionType::LZ4_FRAME);
        for (container, format, bytes) in [
            ("Parquet", "parquet", parquet(&batch, groups.build())),
            ("Arrow file", "arrow", arrow_file(&batch, 70, None)),
            ("Arrow file, LZ4", "arrow", arrow_file(&batch, 200, lz4)),
            ("Arrow stream", "arrow", arrow_stream(&batch, 70, None)),
            (
                "packed stream",
                "arrow",
                gzip(&arrow_stream(&batch, 200, lz4)),
            ),
        ] {
            files.push((format!("{kind} in {container}"), format, bytes));
        }
    }
    files
}

/// The text without compression, and with each compression.
fn compressed_variants(text: &str) -> [Vec<u8>; 4] {
    let (first, second) = text.as_bytes().split_at(text.len() / 3);
    [
        text.as_bytes().to_vec(),
        format!("\u{feff}{text}").into_bytes(),
        // A gzip file with two members, like the output of `cat` for two gzip files.
        [gzip(first), gzip(second)].concat(),
        zstd::encode_all(text.as_bytes(), 0).unwrap(),
    ]
}

#[test]
fn the_same_puzzles_in_every_input_format_give_the_same_table() {
    let dir = TestDir::new();
    let puzzles = puzzles(&dir, PUZZLE_COUNT);
    let mut expected: Option<Vec<u8>> = None;
    let mut formats: Vec<&str> = Vec::new();
    let mut check = |name: &str, format: &'static str, bytes: &[u8]| {
        dir.write("in", bytes);
        let options: [&[&str]; 2] = [&[], &["--input-format", format, "--threads", "2"]];
        for options in options {
            let output = ["--keep", "none", "-o", "out.csv", "--overwrite"];
            dir.succeed(&[&["grade", "in"], &output[..], options].concat());
            assert!(!dir.exists("out.rejects.csv"), "{name}");
            let table = dir.read("out.csv");
            let expected = expected.get_or_insert_with(|| table.clone());
            assert!(*expected == table, "{name} {options:?}");
        }
        if formats.contains(&format) {
            return;
        }
        let text = dir.succeed("inspect in --json");
        let message: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(message["format"], format, "{name}");
        let counts = (&message["records"], &message["puzzles"]);
        assert_eq!(counts, (&200.into(), &200.into()), "{name}");
        formats.push(format);
    };
    for (name, format, text) in texts(&puzzles) {
        for bytes in compressed_variants(&text) {
            check(name, format, &bytes);
        }
        check(name, format, text.trim_end().as_bytes());
    }
    for (name, format, bytes) in tables(&puzzles) {
        check(&name, format, &bytes);
    }
    for format in InputFormat::value_variants() {
        assert!(formats.contains(&format.id), "{}", format.id);
    }
    let table = String::from_utf8(expected.unwrap()).unwrap();
    assert_eq!(table.lines().count(), 201);
    for (row, puzzle) in table.lines().skip(1).zip(&puzzles) {
        assert!(row.contains(puzzle), "{puzzle}: {row}");
    }
}

/// Tests that rows can be read back from every output format, with every compression.
#[test]
fn every_output_format_can_be_read_as_the_same_rows() {
    let dir = TestDir::new();
    let puzzles = puzzles(&dir, PUZZLE_COUNT);
    let expected = format!("puzzle\n{}\n", puzzles.join("\n"));
    dir.write("in.csv", &expected);
    for format in output_formats().filter(|format| !format.is_folder()) {
        let compression_endings: &[&str] = if format.is_text {
            &["", ".gz", ".zst"]
        } else {
            &[""]
        };
        for packing in compression_endings {
            let file = format!("t.{}{packing}", format.extension());
            dir.succeed(&format!("convert in.csv -o {file}"));
            let options_again = "-o again.csv --overwrite --keep none";
            dir.succeed((&format!("convert {file}"), options_again));
            assert!(dir.read("again.csv") == expected.as_bytes(), "{file}");
            assert!(!dir.exists("again.rejects.csv"), "{file}");
        }
    }
}
