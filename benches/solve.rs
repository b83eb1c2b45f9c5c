//! Measures the solver alone on one thread, and checks its solutions: `cargo bench --bench solve -- [--batch=N] FILE…`.
//! With `--batch`, each call of the solver gets N puzzles; otherwise all.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use sudoku_core::board::Grid;
use sudoku_core::solve::{Kernel, Limits, Solution, Status, solve_all};
use sudoku_core::text::Puzzle;

fn main() {
    let batch = std::env::args().find_map(|argument| {
        let batch = argument.strip_prefix("--batch=")?;
        Some(batch.parse().expect("a number of puzzles"))
    });
    for file in common::files() {
        let puzzles = common::puzzles(&file);
        for kernel in common::kernels() {
            bench(kernel, &file, &puzzles, batch.unwrap_or(puzzles.len()));
        }
    }
}

fn bench(kernel: Kernel, file: &str, puzzles: &[Puzzle], batch: usize) {
    let mut solutions: Vec<Solution> = Vec::with_capacity(puzzles.len());
    let (time, ()) = common::fastest(|| {
        solutions.clear();
        for some in puzzles.chunks(batch.max(1)) {
            solutions.extend(solve_all(kernel, some, Limits::default()));
        }
    });
    for (puzzle, solution) in puzzles.iter().zip(&solutions) {
        let is_valid = |grid: &Grid| grid.is_solution() && puzzle.allows(grid);
        assert!(solution.first.as_ref().is_none_or(is_valid), "{puzzle}");
    }
    let count_status = |status| {
        solutions
            .iter()
            .filter(|s| Status::from_solution(s) == status)
            .count()
    };
    let [unique, multiple, none, gave_up] = Status::ALL.map(count_status);
    assert_eq!(unique + multiple + none + gave_up, puzzles.len());
    let rate = puzzles.len() as f64 / time.as_secs_f64();
    let name = kernel.name();
    let nodes: u64 = solutions.iter().map(|s| s.nodes).sum();
    println!(
        "solve {name} {file} {rate:.0} unique={unique} none={none} multiple={multiple} nodes={nodes} batch={batch}"
    );
}
