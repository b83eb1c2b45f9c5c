//! Tests that random commands, inputs, formats and options give the same files and messages with any number of threads.
//! `THREADS_CASES=N` sets the number of cases, `THREADS_SEED=N` their seed, and `THREADS_ROWS=N` the rows of the inputs.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use arrow::ipc::CompressionType;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use sudoku_core::random::Rng;

use crate::inputs::pieces::{parquet_in_groups, table};
use crate::tables::{arrow_file, parquet};
use crate::util::{TestDir, stderr};

const THREADS: [&str; 5] = ["1", "2", "3", "7", "16"];

const INPUTS: [&str; 11] = [
    "odd.parquet",
    "pages.parquet",
    "v2.parquet",
    "plain.parquet",
    "empty.parquet",
    "one.parquet",
    "in.arrow",
    "in.npy",
    "in.csv.gz",
    "in.csv.zst",
    "folder",
];

/// Commands that write a table or parts.
const TABLES: [&str; 11] = [
    "convert",
    "solve",
    "grade --ladder basic",
    "augment --copies 2 --seed 3",
    "dedup",
    "dedup --by exact --duplicates duplicates.csv",
    "split --into a=0.7,b=rest --by exact",
    "split --into a=0.7,b=rest --by exact --stratify level",
    "split --into a=100,b=rest,c=9 --by exact",
    "split --into a=30,b=0.5,c=rest --by isomorph --stratify level",
    "audit --duplicates-by exact --shared-by exact",
];

const OUTPUTS: [&str; 9] = [
    "out.parquet",
    "out.arrow",
    "out.csv",
    "out.csv.gz",
    "out.csv.zst",
    "out.ndjson",
    "out.txt --keep none",
    "out.npy --keep none",
    "out/",
];

/// Options of an output folder.
const FOLDERS: [&str; 5] = [
    "--format csv",
    "--format parquet --max-rows-per-file 700",
    "--partition-by level",
    "--partition-by level --max-rows-per-file 300 --format csv --compression gzip",
    "--shard 1/2",
];

const SELECTIONS: [&str; 7] = [
    "",
    "--limit 3000",
    "--skip 1500 --limit 2001",
    "--sample 0.3 --seed 5",
    "--sample 0.5 --seed 2 --limit 700",
    "--where n<4000",
    "--where level='hard'",
];

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |number| number.parse().unwrap())
}

/// Writes tables with odd row groups: of one row, of none, with dictionaries, with and without page index, and with the
/// second version of pages.
fn write_inputs(dir: &TestDir, rows: usize) {
    let table = table(rows);
    let groups = [1, 0, 1, rows / 3, 300, 0, rows - rows / 3 - 302];
    dir.write("odd.parquet", parquet_in_groups(&table, &groups));
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let builder = || WriterProperties::builder().set_compression(zstd);
    let small_pages = builder()
        .set_data_page_size_limit(20_000)
        .set_write_batch_size(64);
    dir.write(
        "pages.parquet",
        parquet(&table, small_pages.clone().build()),
    );
    let version_2 = small_pages
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_offset_index_disabled(true)
        .set_statistics_enabled(EnabledStatistics::None);
    dir.write("v2.parquet", parquet(&table, version_2.build()));
    let plain = WriterProperties::builder().set_dictionary_enabled(false);
    dir.write("plain.parquet", parquet(&table, plain.build()));
    let part = |start: usize, rows: usize| -> RecordBatch { table.slice(start, rows) };
    dir.write("empty.parquet", parquet(&part(0, 0), builder().build()));
    dir.write("one.parquet", parquet(&part(3, 1), builder().build()));
    let lz4 = Some(CompressionType::LZ4_FRAME);
    dir.write("in.arrow", arrow_file(&table, 1_700, lz4));
    for output in ["in.csv.gz", "in.csv.zst", "in.npy --keep none"] {
        dir.succeed(&format!(
            "convert plain.parquet -q -o {output} --rejects rejects.csv --overwrite"
        ));
    }
    std::fs::remove_file(dir.path("rejects.csv")).unwrap();
    std::fs::create_dir(dir.path("folder")).unwrap();
    for (file, rows) in [100, rows / 2, 1, 0, rows / 4].into_iter().enumerate() {
        let name = format!("folder/{file}.parquet");
        dir.write(
            &name,
            parquet_in_groups(&part(file * 50, rows), &[rows / 3, rows - rows / 3]),
        );
    }
    dir.write(
        "other.csv",
        dir.succeed("convert pages.parquet -q -o - --format csv --skip 900 --limit 1500"),
    );
}

/// A random command, without its number of threads.
fn random_command(rng: &mut Rng) -> String {
    let mut choose = |from: &[&str]| from[rng.below(from.len())].to_owned();
    let input = choose(&INPUTS);
    let selection = choose(&SELECTIONS);
    let all =
        |command: &str| format!("{command} {selection} -q --keep-going --summary summary.json");
    match choose(&[
        "table", "table", "table", "table", "trace", "overlap", "validate",
    ])
    .as_str()
    {
        "trace" => all(&format!("trace {input} --limit 60 -o out.parquet")),
        "overlap" => all(&format!("overlap {input} other.csv -o out.csv --by exact")),
        "validate" => all(&format!("validate {input} -o out.csv")),
        _ => {
            let command = choose(&TABLES);
            let output = match command.split(' ').next() {
                Some("split" | "audit") => format!("out/ --format {}", choose(&["csv", "parquet"])),
                _ => choose(&OUTPUTS),
            };
            let second = if command.starts_with("audit") {
                " other.csv"
            } else {
                ""
            };
            let folder = match output.as_str() {
                "out/" if !command.starts_with("dedup") => choose(&FOLDERS),
                _ => String::new(),
            };
            all(&format!(
                "{command} {input}{second} -o {output} {folder} --rejects rejects.csv"
            ))
        }
    }
}

/// Runs a command, and returns its exit code, its messages and all files that it has written.
fn outcome(
    dir: &TestDir,
    command: &str,
    threads: &str,
) -> (Option<i32>, String, BTreeMap<String, Vec<u8>>) {
    let output = dir.run(&format!("{command} --threads {threads}"));
    let mut files = dir.tree("out");
    for name in dir.files() {
        let is_input = INPUTS.contains(&name.as_str()) || name == "other.csv";
        if !is_input && name != "out" {
            files.insert(name.clone(), dir.read(&name));
            std::fs::remove_file(dir.path(&name)).unwrap();
        }
    }
    let _ = std::fs::remove_dir_all(dir.path("out"));
    files.remove("summary.json");
    (output.status.code(), stderr(&output), files)
}

#[test]
fn any_command_gives_the_same_files_with_any_number_of_threads() {
    let (cases, seed) = (number("THREADS_CASES", 14), number("THREADS_SEED", 1));
    let dir = TestDir::new();
    write_inputs(&dir, number("THREADS_ROWS", 6_000));
    let mut rng = Rng::new(seed as u64);
    let mut refused = 0;
    for case in 0..cases {
        let command = random_command(&mut rng);
        eprintln!("seed {seed}, case {case}: pipeline {command}");
        let first = outcome(&dir, &command, THREADS[0]);
        assert!(!first.1.contains("panicked"), "{command}: {}", first.1);
        // An empty input, a format that cannot hold a column, or options that exclude each other.
        refused += usize::from(!matches!(first.0, Some(0 | 5)));
        for threads in &THREADS[1..] {
            let other = outcome(&dir, &command, threads);
            let files = |outcome: &BTreeMap<String, Vec<u8>>| {
                let sizes = outcome
                    .iter()
                    .map(|(name, bytes)| format!("{name} {}", bytes.len()));
                sizes.collect::<Vec<_>>()
            };
            assert_eq!(
                (first.0, &first.1, files(&first.2)),
                (other.0, &other.1, files(&other.2)),
                "{command}: {threads} threads"
            );
            for (name, bytes) in &first.2 {
                assert!(
                    other.2[name] == *bytes,
                    "{command}: {name} with {threads} threads"
                );
            }
        }
    }
    eprintln!("{refused} of {cases} commands were refused");
    assert!(refused < cases / 2 + 2, "{refused}");
}
