//! Measures the `sudoku` crate (JCZSolve) on one thread: `cargo run --release -- FILE…`. The files have one
//! puzzle on each line. Each puzzle is searched for a second solution, to know whether the first is the only one.

use std::time::{Duration, Instant};

use sudoku::Sudoku;

fn main() {
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

/// Repeats the pass at least three times and for at least half a second, as the benchmark of our solver
/// does. Returns the shortest time and the last result.
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
