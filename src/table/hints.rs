//! Adds clues to puzzles, taken from their solutions.

use sudoku_core::board::{Cell, Digit, Grid};
use sudoku_core::explain::Walk;
use sudoku_core::solve::Status;
use sudoku_core::text::Puzzle;

use crate::table::outcome::{Outcome, Subject};

/// Adds `count` clues to each 9 × 9 puzzle with exactly one solution and without pencil marks. They are cells of the
/// solution: those that the steps of `explain` fill first. Other puzzles are not changed.
pub(crate) fn give_hints(outcomes: &mut [Outcome], count: usize) {
    for outcome in outcomes {
        if outcome.status() != Some(Status::Unique) {
            continue;
        }
        let solution = outcome.solution.as_ref().and_then(|found| found.first);
        let (Subject::Nine(puzzle), Some(solution)) = (&mut outcome.puzzle, solution) else {
            continue;
        };
        if puzzle.marks.is_some() {
            continue;
        }
        for (cell, digit) in cells_in_solving_order(puzzle, solution)
            .into_iter()
            .take(count)
        {
            puzzle.clues.set(cell, Some(digit));
        }
    }
}

/// The empty cells of a puzzle with their digits, in the order in which the steps of `explain` fill them. Cells
/// that no technique fills are last, in row order.
fn cells_in_solving_order(puzzle: &Puzzle, solution: Grid) -> Vec<(Cell, Digit)> {
    let walk = Walk::new(puzzle.clone(), solution);
    let mut hinted_cells = Vec::new();
    for step in walk.waves.iter().flat_map(|wave| &wave.steps) {
        for digit in Digit::ALL {
            hinted_cells.extend(step.effect.placed(digit).map(|cell| (cell, digit)));
        }
    }
    let is_empty = |cell: Cell| puzzle.clues.get(cell).is_none();
    let other_cells: Vec<_> = (solution.clues())
        .filter(|(cell, _)| is_empty(*cell) && !hinted_cells.iter().any(|(own, _)| own == cell))
        .collect();
    hinted_cells.extend(other_cells);
    hinted_cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_core::solve::{Kernel, Limits, solve_all};

    #[test]
    fn more_hints_add_cells_of_the_solution() {
        let text =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let puzzle: Puzzle = text.parse().unwrap();
        let solutions = solve_all(Kernel::fastest(), &[&puzzle], Limits::default());
        let solution = solutions[0].first.unwrap();
        let outcome_with_hints = |count: usize| {
            let mut outcome = Outcome::new(0, Subject::Nine(puzzle.clone()));
            outcome.solution = Some(solutions[0].clone());
            let mut outcomes = [outcome];
            give_hints(&mut outcomes, count);
            String::from_utf8(outcomes[0].text().to_vec()).unwrap()
        };
        let clues = |text: &str| text.bytes().filter(|cell| *cell != b'.').count();
        let mut last_text = text.to_owned();
        for count in 0..=60 {
            let outcome = outcome_with_hints(count);
            assert_eq!(clues(&outcome), (30 + count).min(81));
            let keeps_digit = |(own, new): (u8, u8)| own == b'.' || own == new;
            assert!(
                last_text.bytes().zip(outcome.bytes()).all(keeps_digit),
                "{count}"
            );
            assert!(
                outcome
                    .bytes()
                    .zip(solution.as_str().bytes())
                    .all(keeps_digit),
                "{count}"
            );
            last_text = outcome;
        }
    }
}
