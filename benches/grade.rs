//! The ladder alone, one thread: `cargo bench --bench grade -- FILE…`.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use sudoku_pipeline::grade::{Ladder, SEARCH};

fn main() {
    let ladder = Ladder::default();
    for file in common::files() {
        let puzzles = common::puzzles(&file);
        let (time, grades) = common::fastest(|| {
            puzzles
                .iter()
                .map(|puzzle| ladder.solve(puzzle))
                .collect::<Vec<_>>()
        });
        let solved = grades
            .iter()
            .filter(|(grade, _)| grade.rank < SEARCH)
            .count();
        let reached = grades
            .iter()
            .filter(|(_, solution)| solution.is_some())
            .count();
        assert_eq!(solved, reached, "what needs no search is solved");
        let rate = puzzles.len() as f64 / time.as_secs_f64();
        println!("grade scalar {file} {rate:.0} solved={solved}");
    }
}
