//! Measures the `sudoku` crate (JCZSolve) on one thread: `cargo run --release -- FILE…`. The files have one puzzle on
//! each line. The solver searches each puzzle for a second solution, to know whether the first is the only one.
//!
//! `cargo run --release -- generate N` generates N minimal puzzles; `generate.py` measures that.

use std::time::{Duration, Instant};

use sudoku::{Sudoku, Symmetry};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, count] = &arguments[..]
        && mode == "generate"
    {
        return generate(count.parse().expect("a number of puzzles"));
    }
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let puzzles: Vec<Sudoku> = text
            .lines()
            .filter(|line| line.len() >= 81 && !line.starts_with('#'))
            .map(|line| Sudoku::from_str_line(&line[..81]).expect("every line is a puzzle"))
            .collect();
        let (time, counts) = fastest(|| {
            let mut counts = [0; 3];
            for puzzle in &puzzles {
                counts[puzzle.solutions_count_up_to(2)] += 1;
            }
            counts
        });
        let rate = puzzles.len() as f64 / time.as_secs_f64();
        let [none, unique, multiple] = counts;
        println!(
            "solve sudoku-crate {file} {rate:.0} unique={unique} none={none} multiple={multiple}"
        );
    }
}

/// Generates minimal puzzles without symmetry, and prints their average number of clues.
fn generate(count: u32) {
    let clues: u32 = (0..count)
        .map(|_| {
            let solved = Sudoku::generate_solved();
            let puzzle = Sudoku::generate_with_symmetry_from(solved, Symmetry::None);
            u32::from(puzzle.n_clues())
        })
        .sum();
    println!(
        "generate sudoku-crate puzzles={count} clues={:.2}",
        f64::from(clues) / f64::from(count)
    );
}

/// Runs `pass` at least three times and for at least half a second, like the benchmark of our solver. Returns the
/// shortest time and the last result.
fn fastest<T>(mut pass: impl FnMut() -> T) -> (Duration, T) {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    let mut passes = 0;
    loop {
        let start = Instant::now();
        let result = pass();
        best = best.min(start.elapsed());
        passes += 1;
        if passes >= 3 && begin.elapsed() > Duration::from_millis(500) {
            return (best, result);
        }
    }
}
