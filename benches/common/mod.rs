//! Functions that the benchmarks share: reading puzzles from files, and timing several passes.

use std::time::{Duration, Instant};

use sudoku_core::solve::{KERNEL_VARIABLE, Kernel};
use sudoku_core::text::normalise;
use sudoku_core::text::{Puzzle, validate};
use sudoku_pipeline::formats::open;
use sudoku_pipeline::read::ReadOptions;

/// The files that the command line names; by default the sample of puzzles in the repository.
#[allow(dead_code, reason = "the bench of the formats makes its own files")]
pub(crate) fn files() -> Vec<String> {
    let mut files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with("--"))
        .collect();
    if files.is_empty() {
        files.push(concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.csv.gz").into());
    }
    files
}

/// The kernel (instruction set) that the environment variable names; by default all kernels that this machine supports.
#[allow(dead_code, reason = "some benches time whole runs")]
pub(crate) fn kernels() -> Vec<Kernel> {
    match std::env::var_os(KERNEL_VARIABLE) {
        Some(_) => vec![Kernel::from_env().expect("a kernel that this machine has")],
        None => Kernel::available(),
    }
}

/// The puzzles in a file of any input format.
pub(crate) fn puzzles(path: &str) -> Vec<Puzzle> {
    let mut input = open(path, &ReadOptions::default()).expect("the file can be read");
    let mut puzzles = Vec::new();
    while let Some(batch) = input.source.next(Vec::new()).expect("the file is whole") {
        let records = input
            .parser
            .parse(&batch)
            .expect("its records can be parsed");
        puzzles.extend(records.rows.into_iter().map(|record| {
            let text = record.puzzle.expect("every record has a puzzle");
            let start = normalise(&text).expect("every puzzle is a grid");
            validate(start, None).expect("no clues contradict each other")
        }));
    }
    puzzles
}

/// Runs `pass` at least three times and for at least half a second. Returns the shortest time and the last result.
#[allow(dead_code, reason = "some benches time whole runs")]
pub(crate) fn fastest<T>(mut pass: impl FnMut() -> T) -> (Duration, T) {
    let begin_time = Instant::now();
    let mut best_time = Duration::MAX;
    let mut passes = 0;
    loop {
        let start = Instant::now();
        let result = pass();
        best_time = best_time.min(start.elapsed());
        passes += 1;
        if passes >= 3 && begin_time.elapsed() > Duration::from_millis(500) {
            return (best_time, result);
        }
    }
}
