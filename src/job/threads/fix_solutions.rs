//! `--fix-solutions`: replaces wrong solutions of the input by the correct ones.

use sudoku_core::Puzzle;
use sudoku_core::sizes::solve_sized;
use sudoku_core::solve::{Kernel, Limits, Solution, Status, solve_all};
use sudoku_core::text::Given;

use crate::counts::FixedSolutions;
use crate::table::outcome::{GivenVerdict, Outcome, Subject};

/// Replaces each wrong given solution by the puzzle's only solution. A wrong solution of a puzzle without
/// exactly one solution is removed. Puzzles that have not been solved yet are solved.
pub(crate) fn fix_solutions(outcomes: &mut [Outcome], kernel: Kernel) -> FixedSolutions {
    let limits = Limits::default();
    let wrong_outcomes = outcomes.iter_mut();
    let wrong_outcomes =
        wrong_outcomes.filter(|outcome| outcome.given_verdict() == Some(GivenVerdict::Wrong));
    let mut nine_by_nine = Vec::new();
    let mut fixed_solutions = FixedSolutions::default();
    for outcome in wrong_outcomes {
        match &mut outcome.puzzle {
            Subject::Nine(puzzle) => match &outcome.solution {
                Some(solution) => {
                    fixed_solutions.count_fix(fix_solution(&mut puzzle.given, solution));
                }
                None => nine_by_nine.push(puzzle),
            },
            Subject::Sized(puzzle) => {
                let solve_clues = || solve_sized(&puzzle.clues, limits);
                let solution = puzzle.solution.clone().unwrap_or_else(solve_clues);
                fixed_solutions.count_fix(fix_solution(&mut puzzle.given, &solution));
            }
        }
    }
    let puzzles: Vec<&Puzzle> = nine_by_nine.iter().map(|puzzle| &**puzzle).collect();
    let solutions = solve_all(kernel, &puzzles, limits);
    for (puzzle, solution) in nine_by_nine.into_iter().zip(&solutions) {
        fixed_solutions.count_fix(fix_solution(&mut puzzle.given, solution));
    }
    fixed_solutions
}

/// Replaces or removes a given solution. Returns whether it was replaced.
fn fix_solution<G: Clone>(given: &mut Given<G>, solution: &Solution<G>) -> bool {
    let unique_solution =
        (solution.first.as_ref()).filter(|_| Status::from_solution(solution) == Status::Unique);
    *given = unique_solution.map_or(Given::Absent, |grid| Given::Grid(grid.clone()));
    unique_solution.is_some()
}
