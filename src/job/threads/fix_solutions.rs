//! `--fix-solutions`: replaces wrong solutions of the input by the correct ones.

use sudoku_core::Puzzle;
use sudoku_core::sizes::solve_sized;
use sudoku_core::solve::{Kernel, Limits, Solution, Status, solve_all};
use sudoku_core::text::Given;

use crate::report::FixedSolutions;
use crate::table::outcome::{GivenVerdict, Outcome, Subject};

/// Replaces each wrong given solution by the puzzle's only solution, or removes it if the puzzle does not
/// have exactly one. Puzzles that have not been solved yet are solved.
pub(crate) fn fix_solutions(outcomes: &mut [Outcome], kernel: Kernel) -> FixedSolutions {
    let limits = Limits::default();
    let wrong = outcomes.iter_mut();
    let wrong = wrong.filter(|outcome| outcome.given_verdict() == Some(GivenVerdict::Wrong));
    let mut nine = Vec::new();
    let mut fixed = FixedSolutions::default();
    for outcome in wrong {
        match &mut outcome.puzzle {
            Subject::Nine(puzzle) => match &outcome.solution {
                Some(solution) => fixed.count_fix(fix_solution(&mut puzzle.given, solution)),
                None => nine.push(puzzle),
            },
            Subject::Sized(puzzle) => {
                let unsolved = || solve_sized(&puzzle.clues, limits);
                let solution = puzzle.solution.clone().unwrap_or_else(unsolved);
                fixed.count_fix(fix_solution(&mut puzzle.given, &solution));
            }
        }
    }
    let puzzles: Vec<&Puzzle> = nine.iter().map(|puzzle| &**puzzle).collect();
    let solutions = solve_all(kernel, &puzzles, limits);
    for (puzzle, solution) in nine.into_iter().zip(&solutions) {
        fixed.count_fix(fix_solution(&mut puzzle.given, solution));
    }
    fixed
}

/// Replaces or removes a given solution. Returns whether it was replaced.
fn fix_solution<G: Clone>(given: &mut Given<G>, solution: &Solution<G>) -> bool {
    let right =
        (solution.first.as_ref()).filter(|_| Status::from_solution(solution) == Status::Unique);
    *given = right.map_or(Given::Absent, |grid| Given::Grid(grid.clone()));
    right.is_some()
}
