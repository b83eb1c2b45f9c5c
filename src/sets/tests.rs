//! Tests that spilling to disk does not change the output.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use sudoku_core::random::Rng;

use super::{
    DedupOutput, IndexMemory, OverlapOutput, PartSize, SharedFindings, Split, SplitOutput,
    SplitPart,
};
use crate::error::Error;
use crate::pool::Pool;
use crate::table::class::{ClassBy, ClassMembers};
use crate::table::class_key::ClassKey;
use crate::write::{
    Background, BatchResult, Compression, EncodeTask, FileOutput, Output, OutputFormat, OutputSet,
    Table, TableFolder, TableMetadata, TargetOptions,
};

/// The number of rows in a batch.
const ROWS_PER_BATCH: usize = 100;

/// Two inputs. Each row is a text that identifies its class.
type Inputs = [Vec<String>; 2];

fn random_inputs(seed: u64) -> Inputs {
    let mut rng = Rng::new(seed);
    let mut input = |rows: usize| (0..rows).map(|_| rng.below(1500).to_string()).collect();
    [input(1450), input(1050)]
}

fn puzzle_batch(rows: &[String]) -> RecordBatch {
    let puzzle_texts = rows.iter().map(|row| format!("puzzle {row}"));
    let puzzle_column: ArrayRef = Arc::new(StringArray::from_iter_values(puzzle_texts));
    let lengths = rows.iter().map(|row| row.len() as u64);
    let lengths: ArrayRef = Arc::new(UInt64Array::from_iter_values(lengths));
    RecordBatch::try_from_iter([("puzzle", puzzle_column), ("length", lengths)]).unwrap()
}

fn csv_table(folder: &Path, name: &str) -> Table {
    Table {
        path: Some(folder.join(name)),
        format: OutputFormat::CSV,
        compression: Compression::None,
        options: TargetOptions { overwrite: false },
    }
}

fn encode_and_append(output: &mut impl Output, encode_tasks: Vec<EncodeTask>) {
    for task in encode_tasks {
        let index = task.group.index;
        let encoded = task.group.encode().unwrap();
        output.append(task.table, index, encoded).unwrap();
    }
}

/// Passes the batches of the inputs to an output, as a job with this number of worker threads does. With 0, the output looks
/// up all rows on the calling thread, one after the other.
fn run_output(mut output: impl Output, inputs: &Inputs, threads: usize) -> Result<(), Error> {
    let background = (threads > 0).then(|| {
        let pool = Pool::start(threads).unwrap();
        Background::new(Arc::new(pool), || {})
    });
    if let Some(background) = &background {
        output.use_background(background);
    }
    for (input, rows) in inputs.iter().enumerate() {
        output.begin_input(input)?;
        for (at, rows) in rows.chunks(ROWS_PER_BATCH).enumerate() {
            let class_members = vec![ClassMembers {
                rows: (0..rows.len() as u64)
                    .map(|row| (at * ROWS_PER_BATCH) as u64 + row)
                    .collect(),
                keys: rows
                    .iter()
                    .map(|row| ClassKey::from_text(row.as_bytes()))
                    .collect(),
                by_text: 0,
                by_isomorph: 0,
            }];
            let mut result = BatchResult {
                rows: output.wants_rows().then(|| puzzle_batch(rows)),
                class_members,
                ..BatchResult::default()
            };
            let encode_tasks = output.batch("", &mut result)?;
            encode_and_append(&mut output, encode_tasks);
        }
        let encode_tasks = output.end_input(None)?;
        encode_and_append(&mut output, encode_tasks);
    }
    if let Some(background) = &background {
        background.wait()?;
        let encode_tasks = output.advance()?;
        encode_and_append(&mut output, encode_tasks);
        assert_eq!(background.batches_in_progress(), 0);
    }
    while let Some(encode_tasks) = output.deferred()? {
        encode_and_append(&mut output, encode_tasks);
    }
    let encode_tasks = output.end()?;
    encode_and_append(&mut output, encode_tasks);
    let mut set = OutputSet::default();
    Box::new(output).finish(&mut set)?;
    set.publish()
}

fn index_memory(folder: &Path, bytes: Option<u64>) -> IndexMemory {
    IndexMemory {
        limit_bytes: bytes,
        temp_folder: folder.to_owned(),
    }
}

fn input_names() -> Vec<String> {
    vec!["a.csv".to_owned(), "b.csv".to_owned()]
}

/// Returns the counts without the number of rows on disk, and then this number.
fn finding_counts(findings: &SharedFindings) -> (String, u64) {
    let mut counts = findings.get().counts.clone();
    let on_disk = counts.remove("rows_on_disk").unwrap();
    (format!("{counts:?}"), on_disk.as_u64().unwrap())
}

/// Runs `dedup`. Returns its two tables, its counts, and the number of rows that waited on disk.
fn run_dedup(inputs: &Inputs, bytes: Option<u64>, threads: usize) -> (String, String, String, u64) {
    let folder = tempfile::tempdir().unwrap();
    let schema = puzzle_batch(&[]).schema();
    let metadata = TableMetadata::default();
    let rows = csv_table(folder.path(), "rows.csv");
    let rows = FileOutput::new(Some(rows.start(&schema, &metadata).unwrap()), None);
    let (output, findings) =
        DedupOutput::new(rows, input_names(), index_memory(folder.path(), bytes));
    let duplicates = csv_table(folder.path(), "duplicates.csv");
    let output = output.with_duplicates(&duplicates, &schema, &metadata);
    run_output(output.unwrap(), inputs, threads).unwrap();
    let read_output = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (counts, on_disk) = finding_counts(&findings);
    (
        read_output("rows.csv"),
        read_output("duplicates.csv"),
        counts,
        on_disk,
    )
}

/// Runs `overlap`. Returns its table, its counts, and the number of rows that were spilled to disk.
fn run_overlap(
    inputs: &Inputs,
    bytes: Option<u64>,
    writes: bool,
    threads: usize,
) -> (String, String, u64) {
    let folder = tempfile::tempdir().unwrap();
    let rejects = FileOutput::new(None, None);
    let memory = index_memory(folder.path(), bytes);
    let (mut output, findings) =
        OverlapOutput::new(rejects, input_names(), 1, &[ClassBy::Exact], &memory);
    let pairs = csv_table(folder.path(), "pairs.csv");
    if writes {
        output = output
            .with_pairs(&pairs, &TableMetadata::default())
            .unwrap();
    }
    run_output(output, inputs, threads).unwrap();
    let pairs = std::fs::read_to_string(folder.path().join("pairs.csv"));
    let (counts, on_disk) = finding_counts(&findings);
    (pairs.unwrap_or_default(), counts, on_disk)
}

/// Runs `split`. Returns the tables of the parts, and the counts. The stratum of a row is computed from the number of
/// its class.
fn run_split(
    inputs: &Inputs,
    bytes: Option<u64>,
    sizes: [PartSize; 3],
    balanced: bool,
    threads: usize,
) -> [String; 4] {
    let folder = tempfile::tempdir().unwrap();
    let schema = puzzle_batch(&[]).schema();
    let names = ["a", "b", "c"];
    let target_folder = TableFolder {
        path: folder.path().join("sets"),
        format: OutputFormat::CSV,
        compression: Compression::None,
        overwrite: false,
    };
    let split = Split {
        parts: (names.iter().zip(sizes))
            .map(|(name, size)| SplitPart {
                name: (*name).to_owned(),
                size,
            })
            .collect(),
        seed: 5,
        stratify: balanced.then(|| "length".to_owned()).into_iter().collect(),
        about: serde_json::Map::new(),
    };
    let rejects = FileOutput::new(None, None);
    let on_disk = index_memory(folder.path(), bytes);
    let metadata = TableMetadata::default();
    let split_output = SplitOutput::open(
        split,
        &target_folder,
        &schema,
        &metadata,
        rejects,
        on_disk,
        None,
    );
    let (output, findings) = split_output.unwrap();
    run_output(output, inputs, threads).unwrap();
    let sets = folder.path().join("sets");
    let [a, b, c] =
        names.map(|name| std::fs::read_to_string(sets.join(format!("{name}.csv"))).unwrap());
    [a, b, c, format!("{:?}", findings.get().counts)]
}

#[test]
fn parts_do_not_depend_on_the_memory() {
    let shares = [
        PartSize::Share(0.7),
        PartSize::Share(0.2),
        PartSize::Share(0.1),
    ];
    let fixed_numbers = [
        PartSize::Share(1.0),
        PartSize::Rows(300),
        PartSize::Rows(150),
    ];
    for seed in [7, 8] {
        let inputs = random_inputs(seed);
        for (sizes, balanced) in [
            (shares, false),
            (shares, true),
            (fixed_numbers, false),
            (fixed_numbers, true),
        ] {
            let in_memory = run_split(&inputs, None, sizes, balanced, 0);
            let rows: usize = in_memory[..3]
                .iter()
                .map(|text| text.lines().count() - 1)
                .sum();
            assert_eq!(rows, 2500);
            for bytes in [0, 12_000] {
                let on_disk = run_split(&inputs, Some(bytes), sizes, balanced, 0);
                assert_eq!(
                    on_disk, in_memory,
                    "seed {seed}, {bytes} bytes, {sizes:?}, {balanced}"
                );
            }
            // All rows of a class must be in the same part.
            let classes = in_memory[..3]
                .iter()
                .map(|text| text.lines().skip(1).collect());
            let classes: Vec<HashSet<&str>> = classes.collect();
            assert!(classes[0].is_disjoint(&classes[1]) && classes[1].is_disjoint(&classes[2]));
        }
    }
}

#[test]
fn duplicates_that_wait_on_disk_are_those_that_memory_finds() {
    for seed in [3, 4] {
        let inputs = random_inputs(seed);
        let (rows, duplicates, counts, on_disk) = run_dedup(&inputs, None, 0);
        assert_eq!(on_disk, 0);
        assert_eq!(rows.lines().count() + duplicates.lines().count(), 2500 + 2);
        for (bytes, waiting) in [(0, 2500..2501), (12_000, 1..2500)] {
            let spilled = run_dedup(&inputs, Some(bytes), 0);
            assert_eq!(spilled.0, rows, "seed {seed}, {bytes} bytes");
            assert_eq!(spilled.1, duplicates, "seed {seed}, {bytes} bytes");
            assert_eq!(spilled.2, counts, "seed {seed}, {bytes} bytes");
            assert!(waiting.contains(&spilled.3), "{bytes} bytes: {}", spilled.3);
        }
    }
}

#[test]
fn twins_that_wait_on_disk_are_those_that_memory_finds() {
    for seed in [5, 6] {
        let inputs = random_inputs(seed);
        let (pairs, counts, on_disk) = run_overlap(&inputs, None, true, 0);
        assert_eq!(on_disk, 0);
        assert!(pairs.lines().count() > 300, "{pairs}");
        for bytes in [0, 12_000] {
            let spilled = run_overlap(&inputs, Some(bytes), true, 0);
            let expected = (pairs.clone(), counts.clone(), 1050);
            assert_eq!(spilled, expected, "seed {seed}, {bytes} bytes");
            let overlap_result = run_overlap(&inputs, Some(bytes), false, 0);
            assert_eq!(
                overlap_result,
                (String::new(), counts.clone(), 1050),
                "only counted"
            );
        }
    }
}

/// All results of the commands, for inputs and a memory limit.
fn run_all(inputs: &Inputs, bytes: Option<u64>, threads: usize) -> Vec<String> {
    let (rows, duplicates, counts, on_disk) = run_dedup(inputs, bytes, threads);
    let mut results = vec![rows, duplicates, counts, on_disk.to_string()];
    for writes in [true, false] {
        let (pairs, counts, on_disk) = run_overlap(inputs, bytes, writes, threads);
        results.extend([pairs, counts, on_disk.to_string()]);
    }
    let shares = [0.5, 0.3, 0.2].map(PartSize::Share);
    let numbers = [PartSize::Rows(700), PartSize::Share(1.0), PartSize::Rows(9)];
    for sizes in [shares, numbers] {
        for is_balanced in [false, true] {
            results.extend(run_split(inputs, bytes, sizes, is_balanced, threads));
        }
    }
    results
}

#[test]
fn worker_threads_find_what_one_thread_finds_row_after_row() {
    for (seed, classes) in [(21, 1500), (22, 40), (23, 1_000_000)] {
        let mut rng = Rng::new(seed);
        let mut input = |rows: usize| (0..rows).map(|_| rng.below(classes).to_string()).collect();
        let inputs = [input(2950), input(3040)];
        // Some of these limits are reached in the middle of a batch.
        for bytes in [
            None,
            Some(0),
            Some(12_000),
            Some(33_000),
            Some(120_000),
            Some(1 << 20),
        ] {
            let row_after_row = run_all(&inputs, bytes, 0);
            for threads in [1, 3, 16] {
                let results = run_all(&inputs, bytes, threads);
                assert_eq!(
                    results, row_after_row,
                    "seed {seed}, {bytes:?} bytes, {threads} threads"
                );
            }
        }
    }
}
