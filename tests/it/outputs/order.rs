//! Tests that rows are in input order, and that the output does not depend on the number of threads.

use std::fs::File;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::util::{PUZZLE, TestDir, numbers};

#[test]
fn one_thread_and_many_write_the_same_bytes() {
    let dir = TestDir::new();
    dir.succeed("generate 3000 --seed 6 -o in.csv.gz");
    let mut rows = dir.succeed("convert in.csv.gz -o - --format csv");
    for at in [1, 777, 1500, 2999] {
        rows.insert_str(
            rows.match_indices('\n').nth(at).unwrap().0 + 1,
            "bad row,\n",
        );
    }
    dir.write("in.csv", rows);
    let tables = [
        "parquet", "csv", "csv.gz", "tsv.zst", "ndjson", "arrow", "arrows",
    ];
    for ending in tables {
        let output = &format!("out.{ending}");
        let mut outputs = Vec::new();
        for threads in ["1", "2", "5"] {
            dir.succeed(&format!(
                "grade in.csv -o {output} --threads {threads} --overwrite"
            ));
            let rejects = output.replacen("out.", "out.rejects.", 1);
            outputs.push((dir.read(output), dir.read(&rejects)));
        }
        assert!(
            outputs[0] == outputs[1] && outputs[1] == outputs[2],
            "{output}"
        );
    }
}

#[test]
fn puzzle_blocks_are_numbered_in_table_order_with_any_number_of_threads() {
    let dir = TestDir::new();
    let count = 40_000;
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(count));
    for ending in ["euler", "sdk.gz", "ss", "txt"] {
        let output = &format!("out.{ending}");
        let mut outputs = Vec::new();
        for threads in ["1", "3"] {
            dir.succeed(&format!(
                "convert in.txt -o {output} --threads {threads} --overwrite"
            ));
            outputs.push(dir.read(output));
        }
        assert!(outputs[0] == outputs[1], "{output}");
    }
    let blocks = String::from_utf8(dir.read("out.euler")).unwrap();
    let numbers = blocks
        .lines()
        .filter_map(|line| line.strip_prefix("Grid "))
        .map(|number| number.parse::<usize>().unwrap());
    assert!(numbers.eq(1..=count));
    assert!(blocks.starts_with("Grid 01\n530070000\n600195000\n"));
}

#[test]
fn rows_stay_in_input_order_across_batches_and_row_groups() {
    let dir = TestDir::new();
    let count = 140_000;
    let text: String = (0..count).map(|id| format!("{id},{PUZZLE}\n")).collect();
    dir.write("in.csv", format!("id,puzzle\n{text}"));
    dir.succeed("convert in.csv -o out.parquet");
    let table = dir.parquet("out.parquet");
    let ids: Vec<_> = numbers(&table, "id").into_iter().flatten().collect();
    assert_eq!(ids, (0..count).collect::<Vec<u64>>());
    let file = File::open(dir.path("out.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let row_group_sizes: Vec<_> = reader
        .metadata()
        .row_groups()
        .iter()
        .map(parquet::file::metadata::RowGroupMetaData::num_rows)
        .collect();
    assert_eq!(row_group_sizes, [65_536, 65_536, 140_000 - 131_072]);
}
