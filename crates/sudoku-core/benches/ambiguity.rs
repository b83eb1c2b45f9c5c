//! Measures on one thread how many puzzles with several solutions a second get the digits of their cells in all solutions:
//! `cargo bench --bench ambiguity`. The puzzles are minimal puzzles without some of their clues. Where there are at most
//! 10,000 solutions, the digits are compared with those of the listed solutions.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::time::Instant;

use sudoku_core::board::Cell;
use sudoku_core::generate::GradeTarget;
use sudoku_core::random::Rng;
use sudoku_core::solve::{Limits, list_solutions, solution_digits_all};
use sudoku_core::{Generator, Grid, Kernel, Puzzle};

const PUZZLES: u64 = 2000;
const MOST_LISTED: u32 = 10_000;

/// Minimal puzzles without this number of their clues.
fn puzzles_without(removed: usize) -> Vec<Puzzle> {
    let generator = Generator {
        target: GradeTarget::Any,
        ..Generator::any(7)
    };
    let made = (0..PUZZLES).filter_map(|n| generator.puzzle(n));
    let mut rng = Rng::new(removed as u64);
    made.map(|made| {
        let mut cells = made.puzzle.as_str().as_bytes().to_vec();
        for _ in 0..removed {
            let clues: Vec<usize> = (0..81).filter(|cell| cells[*cell] != b'.').collect();
            cells[clues[rng.below(clues.len())]] = b'.';
        }
        let text = String::from_utf8(cells).expect("ASCII");
        text.parse().expect("a puzzle")
    })
    .collect()
}

/// The cells that are equal in all these solutions, as a grid.
fn equal_cells(solutions: &[Grid]) -> String {
    let cell_text = |cell: Cell| {
        let digit = solutions[0].get(cell);
        let is_equal = solutions.iter().all(|grid| grid.get(cell) == digit);
        match digit {
            Some(digit) if is_equal => char::from(b'0' + digit.value()),
            _ => '.',
        }
    };
    Cell::all().map(cell_text).collect()
}

fn main() {
    let kernel = Kernel::fastest();
    let limits = Limits::default();
    let listing = Limits {
        solutions: MOST_LISTED + 1,
        ..limits
    };
    for removed in [1, 3, 6] {
        let puzzles = puzzles_without(removed);
        let start = Instant::now();
        let digits = solution_digits_all(kernel, &puzzles, limits.nodes);
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let lists = list_solutions(kernel, &puzzles, listing);
        let listing_seconds = start.elapsed().as_secs_f64();
        let (mut compared, mut ambiguous) = (0, 0);
        for (digits, list) in digits.iter().zip(&lists) {
            let digits = digits.as_ref().expect("no limit is reached");
            assert!(digits.has_solution());
            ambiguous += digits.ambiguous_cells();
            if list.grids.len() <= MOST_LISTED as usize {
                compared += 1;
                assert_eq!(digits.backbone(), equal_cells(&list.grids));
            }
        }
        assert_eq!(digits.len(), puzzles.len());
        println!(
            "without {removed} clues: {:.0} puzzles a second, {:.1} ambiguous cells on average; {compared} compared; \
             listing up to {MOST_LISTED} solutions takes {:.1} times as long",
            puzzles.len() as f64 / seconds,
            ambiguous as f64 / puzzles.len() as f64,
            listing_seconds / seconds,
        );
    }
}
