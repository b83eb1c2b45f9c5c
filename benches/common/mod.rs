//! Functions that the benchmarks share: reading puzzles from files, and timing several passes.

use std::time::{Duration, Instant};

use sudoku_core::random::Rng;
use sudoku_core::solve::{KERNEL_VARIABLE, Kernel, Limits};
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

/// A CSV table with puzzles, solutions, a number and a short text.
#[allow(dead_code, reason = "only two benches make files")]
pub(crate) fn generated_table(rows: u64) -> String {
    let sample = puzzles(concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample.csv.gz"));
    let mut solutions = Vec::new();
    let limits = Limits {
        solutions: 2,
        nodes: 100_000,
    };
    let boards: Vec<_> = sample.iter().map(Puzzle::board).collect();
    let solver = Kernel::fastest().solver();
    solver.solve(&boards, limits, &mut solutions);
    let mut text = String::from("id,set,puzzle,solution\n");
    for id in 0..rows {
        let sample_index = (id % sample.len() as u64) as usize;
        let mut digits = *b"123456789";
        let mut rng = Rng::for_item(1, id);
        for last in (1..9).rev() {
            digits.swap(last, rng.below(last + 1));
        }
        let rename_digits = |grid: &str| -> String {
            let cells = grid.bytes().map(|cell| match cell {
                b'1'..=b'9' => digits[usize::from(cell - b'1')],
                blank => blank,
            });
            cells.map(char::from).collect()
        };
        let set = ["train", "test", "validation"][rng.below(3)];
        let solution = solutions[sample_index]
            .first
            .as_ref()
            .expect("the sample has solutions");
        let (puzzle, solution) = (
            rename_digits(sample[sample_index].as_str()),
            rename_digits(solution.as_str()),
        );
        text += &format!("{id},{set},{puzzle},{solution}\n");
    }
    text
}
