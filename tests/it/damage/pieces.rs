//! Tests damage in every piece of files whose pieces several workers decode. `DAMAGED_PLACES=N` sets the number of places
//! in each file.

use std::ops::Range;

use arrow::array::RecordBatch;
use arrow::ipc::CompressionType;
use bytes::Bytes;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::inputs::pieces::{parquet_in_groups, table};
use crate::tables::{arrow_file, parquet};
use crate::util::{TestDir, stderr};

const ROWS: usize = 14_000;

/// The numbers of threads. With one, the reader thread decodes all rows.
const THREADS: [&str; 3] = ["1", "2", "16"];

/// The name of a file, its bytes, and the parts of it that have the puzzles.
type Stored = (&'static str, Vec<u8>, Vec<Range<usize>>);

/// The parts of a Parquet file that have the column of puzzles: one for each row group with rows.
fn parts_of_puzzles(file: &[u8]) -> Vec<Range<usize>> {
    let reader = SerializedFileReader::new(Bytes::from(file.to_vec())).unwrap();
    let groups = reader.metadata().row_groups().iter();
    let groups = groups.filter(|group| group.num_rows() > 0);
    let part = groups.map(|group| {
        let (start, length) = group.column(0).byte_range();
        start as usize..(start + length) as usize
    });
    part.collect()
}

/// The same table in files of several layouts.
fn files(dir: &TestDir, table: &RecordBatch) -> Vec<Stored> {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let small_pages = WriterProperties::builder()
        .set_compression(zstd)
        .set_data_page_size_limit(20_000)
        .set_write_batch_size(64);
    let plain = small_pages.clone().set_dictionary_enabled(false);
    let without_index = plain
        .clone()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_offset_index_disabled(true)
        .set_statistics_enabled(EnabledStatistics::None);
    let rest = ROWS - 4098 - 2000;
    let parquet_files = [
        (
            "groups",
            parquet_in_groups(table, &[1, 0, 4097, 0, 2000, rest]),
        ),
        ("dictionary", parquet(table, small_pages.build())),
        ("pages", parquet(table, plain.build())),
        ("version 2, no index", parquet(table, without_index.build())),
    ];
    let mut files: Vec<Stored> = Vec::new();
    for (layout, file) in parquet_files {
        let parts = parts_of_puzzles(&file);
        files.push((layout, file, parts));
    }
    let arrow = arrow_file(table, 1_700, Some(CompressionType::LZ4_FRAME));
    // The schema is before the record batches, and the footer is after them.
    let parts = std::iter::once(2_000..arrow.len() - 4_000).collect();
    files.push(("Arrow", arrow, parts));
    dir.write("whole.parquet", &files[0].1);
    for (layout, name) in [("gzip", "whole.csv.gz"), ("zstd", "whole.csv.zst")] {
        dir.succeed(&format!(
            "convert whole.parquet -q -o {name} --rejects r.csv --overwrite"
        ));
        let file = dir.read(name);
        let parts = std::iter::once(100..file.len() - 100).collect();
        files.push((layout, file, parts));
    }
    files
}

/// Places of a file, in the order of their rows: in each part, and at least `count`.
fn places(parts: &[Range<usize>], count: usize) -> Vec<usize> {
    let in_part = count.div_ceil(parts.len());
    let places = parts.iter().flat_map(|part| {
        (0..in_part).map(|at| part.start + part.len() * (2 * at + 1) / (2 * in_part))
    });
    places.collect()
}

/// What the user gets from a damaged file.
#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    messages: String,
    rows: String,
    counts: [serde_json::Value; 4],
}

fn convert(dir: &TestDir, layout: &str, file: &[u8], threads: &str) -> Outcome {
    let name = match layout {
        "Arrow" => "in.arrow",
        "gzip" => "in.csv.gz",
        "zstd" => "in.csv.zst",
        _ => "in.parquet",
    };
    dir.write(name, file);
    let _ = std::fs::remove_file(dir.path("out.csv"));
    let output = dir.run(&format!(
        "convert {name} -q --keep-going --max-rejects 100% -o out.csv --summary s.json --threads {threads} --overwrite"
    ));
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    let counts = ["rows_in", "rejects", "damaged", "read_bytes"];
    Outcome {
        code: output.status.code(),
        messages: stderr(&output),
        rows: std::fs::read_to_string(dir.path("out.csv")).unwrap_or_default(),
        counts: counts.map(|name| summary[name].clone()),
    }
}

#[test]
fn the_first_damage_is_reported_and_the_rows_before_it_are_kept() {
    let count = std::env::var("DAMAGED_PLACES").map_or(2, |count| count.parse().unwrap());
    let dir = TestDir::new();
    for (layout, whole, parts) in files(&dir, &table(ROWS)) {
        let intact = convert(&dir, layout, &whole, "16");
        assert_eq!(intact.code, Some(0), "{layout}: {}", intact.messages);
        let places = places(&parts, count);
        let is_compressed_text = ["gzip", "zstd"].contains(&layout);
        let mut rows_before = 0;
        for (number, place) in places.iter().enumerate() {
            let damaged_from = |end: usize| {
                let mut file = whole.clone();
                for place in &places[number..end] {
                    // A part of one row has fewer bytes.
                    let end = parts.iter().find(|part| part.contains(place)).unwrap().end;
                    file[*place..(*place + 60).min(end)].fill(0xa5);
                }
                file
            };
            let one_damage = damaged_from(number + 1);
            let expected = convert(&dir, layout, &one_damage, THREADS[0]);
            let is_reported = matches!(expected.code, Some(3 | 5));
            assert!(is_reported, "{layout}, byte {place}: {expected:?}");
            // What damaged members and frames are decompressed to is only checked at their end.
            if !is_compressed_text {
                assert!(
                    intact.rows.starts_with(&expected.rows),
                    "{layout}, byte {place}"
                );
                assert!(expected.rows.len() >= rows_before, "{layout}, byte {place}");
            }
            rows_before = expected.rows.len();
            for threads in THREADS {
                // With damage in later pieces too, the outcome is the same.
                let outcome = convert(&dir, layout, &damaged_from(places.len()), threads);
                assert!(
                    outcome == expected,
                    "{layout}, byte {place}, {threads} threads: {:?} {:?}, expected {:?} {:?}",
                    outcome.messages,
                    outcome.counts,
                    expected.messages,
                    expected.counts
                );
            }
        }
        // The values of all pages with a dictionary are in its first page.
        assert!(rows_before > 0 || layout == "dictionary", "{layout}");
    }
}
