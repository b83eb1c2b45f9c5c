//! The search for digits that make a puzzle with one solution of a given pattern of clues.
//!
//! The clues of a random full grid are the start. Then the digits of clues are changed step by step. A puzzle with
//! fewer solutions is better. If there are too many solutions to count, a puzzle is better if singles leave fewer
//! candidates:
//!
//! ```text
//! random full grid ─▶ clues ─▶ 190 candidates ─▶ 150 ─▶ 100 ─▶ 40 solutions ─▶ 10 ─▶ 3 ─▶ 1
//! ```
//!
//! A search that accepts only better puzzles ends when every change makes the puzzle worse. So a change is
//! also accepted if the puzzle is no worse than the one some changes ago ("late acceptance", Burke and Bykov 2017).
//! At first this accepts nearly all changes, and fewer as the search stops improving.
//!
//! Singles nearly solve the puzzles of most patterns, even with 17 clues, and the number of candidates leads to
//! these puzzles. If singles leave most candidates of the only puzzle of a pattern, just the number of solutions leads
//! there. But counting hundreds of solutions takes ten to a hundred times as long as filling singles. So most
//! attempts are quick, and some are thorough: see [`Effort`].

use super::change::{Balance, random_change};
use crate::board::{Candidates, Cell, CellSet, Grid, fill_singles};
use crate::generate::generated::Generated;
use crate::generate::oracle::Oracle;

/// A change is compared with the puzzle as it was this many changes ago.
const LATE_ACCEPTANCE_LENGTH: usize = 30;

/// An attempt ends when its best puzzle has not become better for this many changes per clue.
const CHANGES_PER_CLUE: usize = 60;

/// How an attempt to fill a pattern compares puzzles, and which changes of the clues it may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    /// Solutions are counted up to this number; a larger number is only estimated from the candidates that
    /// singles leave.
    most_solutions: u32,
    /// Solutions are counted only if singles leave at most this many candidates. A grid has at most 729
    /// candidates.
    most_candidates: usize,
    /// Whether changes must keep the digits evenly distributed: see [`Balance::for_clues`].
    is_balanced: bool,
}

impl Effort {
    /// The usual effort. Counting the solutions of puzzles with more than 200 candidates would not help: in
    /// attempts with 17 clues, only one in ten thousand of these puzzles has fewer than 60 solutions.
    const QUICK: Effort = Effort {
        most_solutions: 60,
        most_candidates: 200,
        is_balanced: true,
    };

    /// The effort for patterns whose only puzzles have one digit in many cells: two in a hundred patterns
    /// with 17 clues.
    const QUICK_UNBALANCED: Effort = Effort {
        is_balanced: false,
        ..Effort::QUICK
    };

    /// The effort for patterns whose only puzzles have many candidates left after singles.
    const THOROUGH: Effort = Effort {
        most_solutions: 200,
        most_candidates: 729,
        is_balanced: true,
    };

    /// The effort for the few patterns whose only puzzles are far from any other puzzle with few solutions.
    const MOST_THOROUGH: Effort = Effort {
        most_solutions: 1000,
        most_candidates: 729,
        is_balanced: false,
    };

    /// The effort of attempt `number`. Quick attempts come first, because the puzzle of a pattern comes from
    /// the successful attempt with the lowest number. With 17 clues, six of 32 attempts are thorough, and these
    /// take about half of the time.
    fn for_attempt(number: u32) -> Effort {
        match number % 32 {
            0..14 => Effort::QUICK,
            14..25 => Effort::QUICK_UNBALANCED,
            25..31 => Effort::THOROUGH,
            _ => Effort::MOST_THOROUGH,
        }
    }
}

/// Makes attempt `number` at filling the pattern with digits. Ends early when `is_needless` returns true.
pub(in crate::generate) async fn fill(
    oracle: &impl Oracle,
    cells: CellSet,
    number: u32,
    is_needless: impl Fn() -> bool,
) -> Option<Generated> {
    let effort = Effort::for_attempt(number);
    let balance = if effort.is_balanced {
        Balance::for_clues(cells.len())
    } else {
        Balance::ANY
    };
    let full_grid = oracle.full_grid().await;
    let cells: Vec<Cell> = cells.into_iter().collect();
    let mut puzzle = Grid::EMPTY;
    for &cell in &cells {
        puzzle.set(cell, full_grid.get(cell));
    }
    let mut badness = u32::MAX;
    let mut best_badness = u32::MAX;
    let mut earlier_badness = [u32::MAX; LATE_ACCEPTANCE_LENGTH];
    let mut proposal = puzzle;
    let (mut changes, mut since_best) = (0, 0);
    while since_best < CHANGES_PER_CLUE * cells.len() && !is_needless() {
        let highest_accepted = badness.max(earlier_badness[changes % LATE_ACCEPTANCE_LENGTH]);
        let badness_of_proposal = judge(oracle, effort, &proposal, highest_accepted).await;
        if let Some((next_badness, solution)) = badness_of_proposal {
            (puzzle, badness) = (proposal, next_badness);
            if let (1, Some(solution)) = (badness, solution) {
                return Some(Generated::new(puzzle, solution));
            }
        }
        if badness < best_badness {
            (best_badness, since_best) = (badness, 0);
        }
        earlier_badness[changes % LATE_ACCEPTANCE_LENGTH] = badness;
        (changes, since_best) = (changes + 1, since_best + 1);
        proposal = random_change(&mut oracle.rng(), &puzzle, &cells, balance)?;
    }
    None
}

/// How far a puzzle is from having one solution: the number of its solutions; if there are too many to count, a
/// higher number that grows with the number of candidates that singles leave. If there is one solution, it is
/// returned too. `None` if the puzzle has no solution, or if the result exceeds `highest_badness`.
async fn judge(
    oracle: &impl Oracle,
    effort: Effort,
    puzzle: &Grid,
    highest_badness: u32,
) -> Option<(u32, Option<Grid>)> {
    let mut board = Candidates::new(puzzle);
    fill_singles(&mut board, |_, _| false).ok()?;
    let candidates: usize = board.all_places().iter().map(|places| places.len()).sum();
    let badness_from_candidates = effort.most_solutions.saturating_add(candidates as u32);
    let badness_by_candidates =
        (badness_from_candidates <= highest_badness).then_some((badness_from_candidates, None));
    if candidates > effort.most_candidates {
        return badness_by_candidates;
    }
    let limit = effort.most_solutions.min(highest_badness.saturating_add(1));
    let (count, solution) = oracle.count_solutions(puzzle, limit).await;
    match count {
        0 => None,
        _ if count == effort.most_solutions => badness_by_candidates,
        _ => (count <= highest_badness).then_some((count, solution)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::oracle::ScalarOracle;
    use crate::random::Rng;

    fn badness_of_puzzle(puzzle: &str, effort: Effort, most: u32) -> Option<u32> {
        let puzzle = Grid::from_normal_form(puzzle.as_bytes()).unwrap();
        let oracle = ScalarOracle::new(Rng::new(1));
        ScalarOracle::run(judge(&oracle, effort, &puzzle, most)).map(|(badness, _)| badness)
    }

    /// Regression test for a pattern whose only known puzzle keeps 310 candidates after singles.
    #[test]
    fn only_thorough_attempts_count_the_solutions_of_puzzles_with_many_candidates() {
        let hard_puzzle =
            "..............1..2.34....5.......53..6.......27...8.......3.......549...6.......7";
        assert_eq!(
            badness_of_puzzle(hard_puzzle, Effort::QUICK, u32::MAX),
            Some(60 + 310)
        );
        assert_eq!(
            badness_of_puzzle(hard_puzzle, Effort::THOROUGH, u32::MAX),
            Some(1)
        );
        assert_eq!(badness_of_puzzle(hard_puzzle, Effort::QUICK, 100), None);
        // The puzzle without one of its clues has several solutions.
        let several_solutions = hard_puzzle.replacen('1', ".", 1);
        let badness =
            badness_of_puzzle(&several_solutions, Effort::MOST_THOROUGH, u32::MAX).unwrap();
        assert!(badness > 1, "{badness}");
        assert_eq!(
            badness_of_puzzle(&several_solutions, Effort::MOST_THOROUGH, 1),
            None
        );
        // This puzzle has two clues in conflict, so it has no solution.
        let no_solution = hard_puzzle.replacen('3', "4", 1);
        assert_eq!(
            badness_of_puzzle(&no_solution, Effort::THOROUGH, u32::MAX),
            None
        );
    }

    #[test]
    fn the_first_attempts_are_quick() {
        let attempt_count = |effort| {
            (0..64)
                .filter(|n| Effort::for_attempt(*n) == effort)
                .count()
        };
        assert_eq!(Effort::for_attempt(0), Effort::QUICK);
        let efforts = [
            Effort::QUICK,
            Effort::QUICK_UNBALANCED,
            Effort::THOROUGH,
            Effort::MOST_THOROUGH,
        ];
        assert_eq!(efforts.map(attempt_count), [28, 22, 12, 2]);
    }
}
