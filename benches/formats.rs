//! Measures writing and reading of every format with the whole pipeline, as `convert` does, on all cores:
//! `cargo bench --bench formats -- [ROWS]`.
//!
//! The table has ROWS puzzles, a column of solutions and two carried columns. The puzzles are those of the
//! sample with renamed digits.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use sudoku_pipeline::formats::{open, output_formats};
use sudoku_pipeline::job::{self, Job, JobInput, Watch};
use sudoku_pipeline::read::ReadOptions;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::table::reject::Reject;
use sudoku_pipeline::write::{
    Compression, FileOutput, OutputFormat, Table, TableMetadata, TargetOptions,
};

/// Ends the program at a reject, because every record is a puzzle.
struct NoRejects;

impl Watch for NoRejects {
    fn rejected(&mut self, _: &str, reject: &Reject) {
        panic!("{reject:?}");
    }
}

/// The number of runs of each measurement. The result is the shortest time.
const ROUNDS: usize = 3;

fn main() {
    let requested_rows = std::env::args().find_map(|argument| argument.parse().ok());
    let rows: u64 = requested_rows.unwrap_or(200_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("source.parquet");
    let text = folder.path().join("source.csv");
    std::fs::write(&text, common::generated_table(rows)).expect("room for the puzzles");
    convert(
        &text,
        &source,
        OutputFormat::PARQUET,
        Compression::None,
        rows,
    );

    println!("| format | size | writing | | reading | |");
    println!("|---|---|---|---|---|---|");
    // A format without an ending is a folder of files, which this table of single files leaves out.
    for format in output_formats().filter(|format| format.folder.is_none()) {
        let compressions = match format.id {
            "csv" => vec![Compression::None, Compression::Gzip, Compression::Zstd],
            _ => vec![Compression::None],
        };
        for compression in compressions {
            let ending = format!("{}{}", format.extension(), compression.ending());
            let file = folder.path().join(format!("table.{ending}"));
            let write_time = fastest(|| convert(&source, &file, format, compression, rows));
            let bytes = std::fs::metadata(&file).expect("it is written").len();
            let read = fastest(|| read_all(&file, rows));
            println!(
                "| {}{} | {:.1} MB | {} | {} |",
                format.id,
                compression.ending(),
                bytes as f64 / 1e6,
                speed(rows, bytes, write_time),
                speed(rows, bytes, read)
            );
        }
    }
    let table = std::fs::read_to_string(&text).expect("it was written");
    for (name, spell) in READ_ONLY {
        let file = folder.path().join("read.txt");
        let text_in_format: String = table.lines().skip(1).map(spell).collect();
        let text_in_format = match *name {
            "opensudoku" => format!("<opensudoku>\n{text_in_format}</opensudoku>\n"),
            _ => text_in_format,
        };
        std::fs::write(&file, &text_in_format).expect("room for the puzzles");
        let bytes = text_in_format.len() as u64;
        let read = fastest(|| read_all(&file, rows));
        println!(
            "| {name} | {:.1} MB | | | {} |",
            bytes as f64 / 1e6,
            speed(rows, bytes, read)
        );
    }
}

/// Formats a row of the table in another format. The argument is a line with number, set, puzzle and solution.
type FormatRow = fn(&str) -> String;

/// The formats that can be read but not written.
const READ_ONLY: &[(&str, FormatRow)] = &[
    ("puzzle_bank", |row| {
        let puzzle = puzzle(row).replace('.', "0");
        format!("{:012x} {puzzle}  1.2\n", row.len())
    }),
    ("puzzle_count", |row| format!("{}:1\n", puzzle(row))),
    ("hodoku", |row| format!(":0000:x:{}:::\n", puzzle(row))),
    ("opensudoku", |row| {
        format!("<game data=\"{}\"/>\n", puzzle(row).replace('.', "0"))
    }),
    ("pencil marks", |row| {
        let spell_cell = |cell: char| match cell {
            '.' => "123456789".to_owned(),
            clue => ('1'..='9')
                .map(|digit| if digit == clue { digit } else { '.' })
                .collect(),
        };
        puzzle(row).chars().map(spell_cell).collect::<String>() + "\n"
    }),
];

fn puzzle(row: &str) -> &str {
    row.split(',').nth(2).expect("a row has a puzzle")
}

fn speed(rows: u64, bytes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!(
        "{:.2} million rows/s | {:.0} MB/s",
        rows as f64 / seconds / 1e6,
        bytes as f64 / seconds / 1e6
    )
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Measures a conversion, and asserts that every row was written.
fn convert(from: &Path, to: &Path, format: OutputFormat, compression: Compression, rows: u64) {
    let table = Table {
        path: Some(to.to_owned()),
        format,
        compression,
        options: TargetOptions { overwrite: true },
    };
    run(from, Some(&table), rows);
}

/// Measures reading, normalising and validating, without writing.
fn read_all(from: &Path, rows: u64) {
    run(from, None, rows);
}

fn run(from: &Path, table: Option<&Table>, rows: u64) {
    let path = from.to_str().expect("a plain name");
    let input = open(path, &ReadOptions::default()).expect("it can be read");
    let mut groups = vec![ColumnGroup::Puzzle];
    groups.extend(input.info.has_solutions.then_some(ColumnGroup::Given));
    let layout = Layout::new(&groups, &[], &input.carried);
    let table = table.map(|table| {
        let metadata = TableMetadata::for_command("bench");
        table
            .start(layout.schema(), &metadata)
            .expect("it can be written")
    });
    let carried = input.carried.clone();
    let input = JobInput {
        path: path.to_owned(),
        row_groups: None,
        metadata: input.metadata.clone(),
        opened: Some(input),
        fetched: None,
    };
    let output = Box::new(FileOutput::new(table, None));
    let done = job::run(Job {
        watch: &mut NoRejects,
        ..Job::new(vec![input], carried, layout, output)
    });
    let tally = done.expect("the run succeeds").tally;
    assert_eq!(tally.written(), rows, "{path}");
}
