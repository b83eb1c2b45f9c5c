//! The symbols that each cell of a puzzle of a size other than 9 × 9 has in its solutions.

use crate::sizes::search::learn::{ClauseLearning, LearnLimits, VariableGroups};
use crate::sizes::search::work_limit::work_limit;
use crate::sizes::{SizedBoard, SizedGrid};
use crate::solve::{Limits, Probe, SolutionDigits, probe_cells};

/// The digits that each cell has in the solutions of a puzzle of any size, found as
/// [`solution_digits_all`](crate::solve::solution_digits_all) does. `None` if the searches together need more than
/// `nodes` nodes, or the work that so many nodes of a 9 × 9 puzzle take.
///
/// ```
/// use sudoku_core::sizes::{Alphabets, parse, solution_digits_sized};
///
/// // The digits 1 and 2 of the last two rows can be exchanged.
/// let puzzle = parse(b"12343412........", None, &Alphabets::default()).expect("16 cells")?;
/// let digits = solution_digits_sized(&puzzle.clues, 1000).expect("few nodes");
/// assert_eq!(digits.ambiguous_cells(), 8);
/// assert_eq!(digits.backbone(), "12343412........");
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn solution_digits_sized(puzzle: &SizedGrid, nodes: u64) -> Option<SolutionDigits> {
    let order = puzzle.size().order();
    let no_solution = || SolutionDigits::from_masks(order, vec![0; puzzle.size().cells()]);
    let Some(mut board) = SizedBoard::without_contradiction(puzzle) else {
        return Some(no_solution());
    };
    if board.fill_singles(&mut 0).is_err() {
        return Some(no_solution());
    }
    let limits = Limits {
        solutions: 1,
        nodes,
    };
    let mut budget = LearnLimits {
        solutions: 1,
        guesses: nodes,
        work_limit: work_limit(limits),
        kept_solutions: 1,
    };
    probe_cells(order, board.candidates.to_vec(), |restricted, seen| {
        search_one(&board, restricted, seen, &mut budget)
    })
}

/// Searches one solution of a board whose candidates are restricted further, and subtracts its guesses and work from
/// the budget.
fn search_one(
    board: &SizedBoard,
    restricted: &[u32],
    seen: &[u32],
    budget: &mut LearnLimits,
) -> Probe {
    let mut board = board.clone();
    board.candidates.copy_from_slice(restricted);
    if board.fill_singles(&mut 0).is_err() {
        return Probe::NoSolution;
    }
    let groups = VariableGroups::new(board.shape, &board.candidates, &board.is_open);
    // Symbols that are in no solution so far are guessed first, so that each solution adds many of them.
    let preferences: Vec<f64> = groups
        .cells_and_symbols()
        .map(|(cell, symbol)| f64::from(!seen[cell] >> symbol & 1))
        .collect();
    let mut preferences = preferences.into_iter();
    let result = ClauseLearning::search(groups, *budget, || preferences.next().unwrap_or(0.0));
    budget.guesses = budget.guesses.saturating_sub(result.guesses);
    budget.work_limit = budget.work_limit.saturating_sub(result.work());
    match result.solutions.into_iter().next() {
        Some(cells) => {
            for (cell, symbol) in cells {
                board.candidates[cell] = 1 << symbol;
            }
            Probe::Solution(board.candidates)
        }
        None if result.gave_up => Probe::GaveUp,
        None => Probe::NoSolution,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::random::Rng;
    use crate::sizes::search::solve::random_full;
    use crate::sizes::{Symbol, find_solutions_sized, list_solutions_sized, solve_sized};

    /// A puzzle with some clues of a random full grid. In every second one, a clue may be changed without a conflict, so
    /// that many of these have no solution.
    fn random_puzzle(size: Size, rng: &mut Rng) -> SizedGrid {
        let clue_count = size.cells() * (2 + rng.below(5)) / 10;
        let mut cells: Vec<_> = random_full(size, rng).unwrap().cells().collect();
        let mut order: Vec<usize> = (0..size.cells()).collect();
        rng.shuffle(&mut order);
        for cell in &order[clue_count..] {
            cells[*cell] = None;
        }
        let puzzle = SizedGrid::new(size, cells.iter().copied()).unwrap();
        if rng.below(2) == 0 {
            return puzzle;
        }
        let changed_puzzles = (0..60).map(|_| {
            let mut cells = cells.clone();
            cells[order[rng.below(clue_count)]] = Some(Symbol::new(rng.below(size.order())));
            SizedGrid::new(size, cells).unwrap()
        });
        let mut changed_puzzles =
            changed_puzzles.filter(|changed| changed.conflict().is_none() && *changed != puzzle);
        changed_puzzles.next().unwrap_or(puzzle)
    }

    #[test]
    fn probes_find_the_symbols_of_all_solutions() {
        let seed = 5806;
        let mut rng = Rng::new(seed);
        let limits = Limits {
            solutions: 1001,
            nodes: u64::MAX,
        };
        let (mut none, mut several, mut checked) = (0, 0, 0);
        while checked < 60 {
            let size = [Size::Four, Size::Six, Size::Six, Size::Twelve][checked % 4];
            let puzzle = random_puzzle(size, &mut rng);
            let (grids, _) = find_solutions_sized(&puzzle, limits);
            if grids.len() > 1000 {
                continue;
            }
            let mut masks = vec![0; size.cells()];
            for grid in &grids {
                for (mask, symbol) in masks.iter_mut().zip(grid.cells()) {
                    *mask |= 1 << symbol.unwrap().index();
                }
            }
            let expected = SolutionDigits::from_masks(size.order(), masks);
            let found = solution_digits_sized(&puzzle, u64::MAX);
            assert_eq!(found, Some(expected), "seed {seed}: {puzzle}");
            for nodes in [0, 3, 30] {
                let limited = solution_digits_sized(&puzzle, nodes);
                assert!(
                    limited.is_none() || limited == found,
                    "seed {seed}: {puzzle}"
                );
            }
            checked += 1;
            none += usize::from(grids.is_empty());
            several += usize::from(grids.len() > 1);
        }
        assert!(none > 3 && several > 20, "{none}, {several}");
    }

    #[test]
    fn large_empty_grids_have_an_answer() {
        for size in [Size::Twelve, Size::Sixteen] {
            let empty = SizedGrid::new(size, vec![None; size.cells()]).unwrap();
            let digits = solution_digits_sized(&empty, 1_000_000).unwrap();
            assert_eq!(digits.ambiguous_cells(), size.cells());
            assert!(digits.flags().all(|is_in_solution| is_in_solution));
            assert_eq!(digits.marks().len(), size.order().pow(3));
        }
    }

    #[test]
    fn listed_solutions_are_those_that_are_counted() {
        let seed = 5807;
        let mut rng = Rng::new(seed);
        for _ in 0..40 {
            let size = [Size::Four, Size::Six][rng.below(2)];
            let puzzle = random_puzzle(size, &mut rng);
            for (solutions, nodes) in [(2, 1000), (40, 1000), (40, 3), (2000, 1_000_000)] {
                let limits = Limits { solutions, nodes };
                let list = list_solutions_sized(&puzzle, limits);
                let counted = solve_sized(&puzzle, limits);
                let case_text = format!("seed {seed}: {puzzle}");
                assert_eq!(list.grids.len(), counted.count as usize, "{case_text}");
                assert_eq!(list.grids.first(), counted.first.as_ref(), "{case_text}");
                assert_eq!(list.gave_up, counted.gave_up, "{case_text}");
                let is_solution = |grid: &SizedGrid| grid.is_solution() && grid.extends(&puzzle);
                assert!(list.grids.iter().all(is_solution), "{case_text}");
            }
        }
    }
}
