//! Tests that columnar inputs, whose pieces workers decode, give the same output with any number of threads.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use arrow::ipc::CompressionType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::tables::{arrow_file, batch, digits, npy, parquet};
use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

/// The numbers of threads. With one, the reader thread decodes all rows.
const THREADS: [&str; 5] = ["1", "2", "3", "7", "16"];

/// A table whose puzzles have different digits. Some are no puzzles.
pub(crate) fn table(rows: usize) -> RecordBatch {
    let rename = |grid: &str, row: usize| -> String {
        let digits = grid.bytes().map(|cell| match cell {
            b'1'..=b'9' => b'1' + (cell - b'1' + (row % 9) as u8) % 9,
            blank => blank,
        });
        digits.map(char::from).collect()
    };
    let puzzles = (0..rows).map(|row| match row % 977 {
        5 => None,
        6 => Some("no puzzle".to_owned()),
        _ => Some(rename(PUZZLE, row)),
    });
    let solutions = (0..rows).map(|row| Some(rename(SOLUTION, row)));
    let levels = (0..rows).map(|row| ["easy", "hard"][row / 50 % 2]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("puzzle", Arc::new(StringArray::from_iter(puzzles))),
        ("solution", Arc::new(StringArray::from_iter(solutions))),
        ("level", Arc::new(StringArray::from_iter_values(levels))),
        ("n", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
    ];
    batch(columns)
}

/// The properties of files with many pages.
fn properties() -> parquet::file::properties::WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_data_page_size_limit(50_000)
        .set_write_batch_size(100)
}

/// A Parquet file whose row groups have these numbers of rows.
pub(crate) fn parquet_in_groups(table: &RecordBatch, groups: &[usize]) -> Vec<u8> {
    let properties = Some(properties().build());
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), properties).unwrap();
    let mut start = 0;
    for rows in groups {
        writer.write(&table.slice(start, *rows)).unwrap();
        writer.flush().unwrap();
        start += rows;
    }
    writer.into_inner().unwrap()
}

/// Writes inputs of about 25,000 rows in the columnar formats, and returns their names.
fn write_inputs(dir: &TestDir) -> [&'static str; 5] {
    let table = table(25_000);
    let version_2 = properties().set_writer_version(WriterVersion::PARQUET_2_0);
    dir.write("whole.parquet", parquet(&table, version_2.build()));
    let groups = [1, 0, 1, 4097, 300, 9000, 11_601];
    dir.write("groups.parquet", parquet_in_groups(&table, &groups));
    let lz4 = Some(CompressionType::LZ4_FRAME);
    dir.write("in.arrow", arrow_file(&table, 7_000, lz4));
    let puzzles = table.column(0).as_string::<i32>();
    let grids = puzzles.iter().flatten().filter(|grid| grid.len() == 81);
    let grids: Vec<u8> = grids.flat_map(digits).collect();
    let shape = format!("({}, 81)", grids.len() / 81);
    dir.write("in.npy", npy("|u1", &shape, &grids));
    std::fs::create_dir(dir.path("folder")).unwrap();
    for (file, rows) in [100, 9_000, 1, 4096, 0, 7_000].into_iter().enumerate() {
        let part = table.slice(file * 1000, rows);
        dir.write(
            &format!("folder/{file}.parquet"),
            parquet_in_groups(&part, &[rows / 3, rows - rows / 3]),
        );
    }
    [
        "whole.parquet",
        "groups.parquet",
        "in.arrow",
        "in.npy",
        "folder",
    ]
}

#[test]
fn the_output_is_the_same_with_any_number_of_threads() {
    let dir = TestDir::new();
    for input in write_inputs(&dir) {
        for options in [
            "convert",
            "convert --limit 9000",
            "convert --skip 5000 --limit 7001",
            "convert --sample 0.1 --seed 3 --limit 900",
            "convert --where puzzle<'5'",
            "convert --shard 1/2",
            "dedup --by exact",
        ] {
            let mut outputs = Vec::new();
            for threads in THREADS {
                dir.succeed(&format!(
                    "{options} {input} -o out.parquet --rejects rejects.csv --threads {threads} --overwrite"
                ));
                outputs.push((dir.read("out.parquet"), dir.read("rejects.csv")));
            }
            let first = outputs.first();
            assert!(
                outputs.iter().all(|output| Some(output) == first),
                "{options} {input}"
            );
        }
    }
}

#[test]
fn damage_in_a_piece_keeps_the_rows_before_it_with_any_number_of_threads() {
    let dir = TestDir::new();
    let whole = parquet(
        &table(25_000),
        properties().set_dictionary_enabled(false).build(),
    );
    dir.write("b.parquet", parquet(&table(5_000), properties().build()));
    // The pages of the puzzles have some hundred bytes each.
    for at in [50, 3_000, 7_000, 9_000] {
        let mut bytes = whole.clone();
        bytes[at..at + 500].fill(0xa5);
        dir.write("a.parquet", bytes);
        for options in [
            "",
            "--keep-going",
            "--keep-going --limit 20000",
            "--keep-going --skip 3000 --limit 23000",
        ] {
            let mut outcomes = Vec::new();
            for threads in THREADS {
                let output = dir.run(&format!(
                    "convert a.parquet b.parquet -q {options} -o out.csv --summary s.json --threads {threads} --overwrite"
                ));
                let summary: serde_json::Value =
                    serde_json::from_slice(&dir.read("s.json")).unwrap();
                let rows = std::fs::read(dir.path("out.csv")).ok();
                let counts = ["rows_in", "rejects", "damaged", "read_bytes"];
                let counts = counts.map(|name| summary[name].clone());
                outcomes.push((output.status.code(), stderr(&output), rows, counts));
                let _ = std::fs::remove_file(dir.path("out.csv"));
            }
            let first = outcomes.first().unwrap();
            assert!(
                outcomes.iter().all(|outcome| outcome == first),
                "{at} {options}: {:?}",
                outcomes
                    .iter()
                    .map(|outcome| (&outcome.1, &outcome.3))
                    .collect::<Vec<_>>()
            );
            if options.is_empty() {
                assert_eq!(first.0, Some(3), "{}", first.1);
            }
        }
    }
}

#[test]
fn a_run_that_is_stopped_by_damage_is_resumed_with_other_threads() {
    let dir = TestDir::new();
    let table = table(12_000);
    let whole = parquet(&table, properties().set_dictionary_enabled(false).build());
    let mut damaged = whole.clone();
    damaged[3_000..3_500].fill(0xa5);
    for name in ["a", "b", "c"] {
        dir.write(&format!("{name}.parquet"), &whole);
    }
    let run = "convert a.parquet b.parquet c.parquet";
    dir.succeed(&format!("{run} -o expected/ --threads 1"));
    dir.write("b.parquet", damaged);
    dir.fail(&format!("{run} -o out/ --threads 3"), 3);
    dir.write("b.parquet", &whole);
    dir.succeed(&format!("{run} -o out/ --resume --threads 7"));
    let tables = |folder: &str| {
        let files = dir.tree(folder).into_iter();
        files
            .filter(|(name, _)| name.ends_with(".parquet"))
            .map(|(_, bytes)| bytes)
            .collect::<Vec<_>>()
    };
    assert_eq!(tables("expected").len(), 3);
    assert!(tables("expected") == tables("out"));
}
