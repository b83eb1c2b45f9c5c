//! Measures how fast puzzles are rated as HoDoKu does, on one thread: `cargo bench -p sudoku-core --bench
//! hodoku -- FILE…`. Each line of a file must begin with a puzzle that has exactly one solution.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::time::Instant;

use sudoku_core::Grid;
use sudoku_core::rating::hodoku::{HodokuOutcome, HodokuVersion, rate};

/// The number of times that each file is rated; the shortest time counts.
const PASSES: usize = 5;

fn main() {
    for file in std::env::args().skip(1).filter(|arg| !arg.starts_with('-')) {
        let text = std::fs::read_to_string(&file).expect("a file");
        let puzzles: Vec<Grid> = (text.lines())
            .filter_map(|line| line.get(..81)?.parse().ok())
            .collect();
        let rate_all = || -> Vec<HodokuOutcome> {
            let rate = |puzzle: &Grid| rate(puzzle, HodokuVersion::default());
            puzzles.iter().map(rate).collect()
        };
        let expected = rate_all();
        let mut seconds = f64::MAX;
        for _ in 0..PASSES {
            let start = Instant::now();
            let outcomes = rate_all();
            seconds = seconds.min(start.elapsed().as_secs_f64());
            assert_eq!(outcomes, expected);
        }
        let ratings = expected.iter().filter_map(|outcome| outcome.rating());
        let scores: u64 = ratings.clone().map(|rating| u64::from(rating.score)).sum();
        println!(
            "hodoku {file} {:.0} a second: puzzles={} exact={} score={scores}",
            puzzles.len() as f64 / seconds,
            puzzles.len(),
            ratings.count(),
        );
    }
}
