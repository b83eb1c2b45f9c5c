//! Measures the solver alone on one thread, and checks its solutions: `cargo bench --bench solve -- FILE…`.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use sudoku_core::board::{Candidates, Grid};
use sudoku_core::solve::Kernel;
use sudoku_core::solve::Status;
use sudoku_core::solve::{Limits, Solution};
use sudoku_core::text::Puzzle;

fn main() {
    for file in common::files() {
        let puzzles = common::puzzles(&file);
        for kernel in common::kernels() {
            bench(kernel, &file, &puzzles);
        }
    }
}

fn bench(kernel: Kernel, file: &str, puzzles: &[Puzzle]) {
    let solver = kernel.solver();
    let mut solutions: Vec<Solution> = Vec::with_capacity(puzzles.len());
    let (time, ()) = common::fastest(|| {
        solutions.clear();
        let boards: Vec<Candidates> = puzzles.iter().map(Puzzle::board).collect();
        solver.solve(&boards, Limits::default(), &mut solutions);
    });
    for (puzzle, solution) in puzzles.iter().zip(&solutions) {
        let valid = |grid: &Grid| grid.is_solution() && puzzle.allows(grid);
        assert!(solution.first.as_ref().is_none_or(valid), "{puzzle}");
    }
    let count = |status| {
        solutions
            .iter()
            .filter(|s| Status::from_solution(s) == status)
            .count()
    };
    let [unique, multiple, none, gave_up] = Status::ALL.map(count);
    assert_eq!(unique + multiple + none + gave_up, puzzles.len());
    let rate = puzzles.len() as f64 / time.as_secs_f64();
    let name = kernel.name();
    println!("solve {name} {file} {rate:.0} unique={unique} none={none} multiple={multiple}");
}
