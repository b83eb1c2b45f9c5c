//! Measures grading alone, without solving, on one thread: `cargo bench --bench grade -- [--ladder=NAME] FILE…`. The
//! ladder is the ordered list of techniques. Every puzzle of the files must have exactly one solution.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use sudoku_core::grade::{Grade, Ladder, SEARCH, Start};

/// The number of puzzles that a worker grades at a time.
const BATCH: usize = 1500;

fn main() {
    let name = std::env::args().find_map(|arg| arg.strip_prefix("--ladder=").map(str::to_owned));
    let ladder = name.map_or_else(Ladder::default, |name| {
        Ladder::named(&name).expect("the name of a ladder, or techniques")
    });
    for file in common::files() {
        let puzzles = common::puzzles(&file);
        let mut expected_grades: Option<Vec<Grade>> = None;
        for kernel in common::kernels() {
            let mut grades: Vec<Grade> = Vec::with_capacity(puzzles.len());
            let (time, ()) = common::fastest(|| {
                grades.clear();
                for batch in puzzles.chunks(BATCH) {
                    let progress = ladder.begin(kernel, batch.iter().map(Start::from));
                    grades.extend(ladder.finish(kernel, progress));
                }
            });
            let is_solved = |grade: &&Grade| grade.rank < SEARCH && !grade.beyond;
            let solved_count = grades.iter().filter(is_solved).count();
            let rate = puzzles.len() as f64 / time.as_secs_f64();
            println!(
                "grade {} {file} {rate:.0} solved={solved_count}",
                kernel.name()
            );
            assert_eq!(
                expected_grades.get_or_insert_with(|| grades.clone()),
                &grades
            );
        }
    }
}
