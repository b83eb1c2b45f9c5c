//! The depth-first search that the solving methods `backtrack`, `elimination` and `filter` share.

use super::rules::RuleCounts;
use crate::board::{Candidates, Cell, CellSet, Contradiction};
use crate::solve::{Limits, Solution};

/// The result of solving a puzzle by one method, with the counts that the method makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRun {
    /// The number of solutions, the first solution, and the number of search nodes.
    pub solution: Solution,
    /// The largest number of cells that were filled at the same time, including clues; `None` if the
    /// method does not count it.
    pub filled: Option<u8>,
    /// How often each inference rule has changed the board; `None` if the method has no rules.
    pub rules: Option<RuleCounts>,
}

crate::enum_with_ids! {
    /// The rule that chooses the cell of a guess.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Order {
        /// The first unsolved cell in row order.
        Fixed = "fixed",
        /// The first cell with the fewest candidates ("minimum remaining values").
        Mrv = "mrv",
    }
}

impl Order {
    fn choose(self, board: &Candidates) -> Option<Cell> {
        let unsolved_cells = board.unsolved();
        match self {
            Order::Fixed => unsolved_cells.first(),
            Order::Mrv => unsolved_cells.min_by_key(|cell| board.digits(*cell).len()),
        }
    }
}

impl SearchRun {
    /// The result of a method that counts nothing but search nodes and backtracks.
    pub fn from_solution(solution: Solution) -> SearchRun {
        SearchRun {
            filled: solution.first.map(|_| 81),
            solution,
            rules: None,
        }
    }

    /// The result before a search starts, with all counts 0.
    pub(super) fn empty() -> SearchRun {
        SearchRun {
            solution: Solution {
                count: 0,
                first: None,
                nodes: 0,
                backtracks: 0,
                gave_up: false,
            },
            filled: Some(0),
            rules: Some(RuleCounts::NONE),
        }
    }

    /// Keeps the largest number of filled cells that has been reported so far.
    pub(super) fn record_filled(&mut self, filled: usize) {
        self.filled = self.filled.max(Some(filled as u8));
    }

    /// Counts a guess and returns true. If the limit of search nodes is reached, gives up and returns false.
    pub(super) fn may_guess(&mut self, limits: Limits) -> bool {
        self.solution.gave_up = self.solution.nodes == limits.nodes;
        self.solution.nodes += u64::from(!self.solution.gave_up);
        !self.solution.gave_up
    }
}

/// Searches a board depth first: calls `propagate`, then guesses the lowest candidate of the cell that
/// `order` chooses, and later excludes that candidate.
pub(super) fn search_depth_first(
    board: Candidates,
    limits: Limits,
    order: Order,
    mut propagate: impl FnMut(&mut Candidates, &mut RuleCounts) -> Result<(), Contradiction>,
) -> SearchRun {
    let mut run = SearchRun::empty();
    let mut rules = RuleCounts::NONE;
    let mut open_boards: Vec<Candidates> = Vec::new();
    let mut next_board = Some(board);
    loop {
        let board = next_board.take().or_else(|| {
            let open_board = open_boards.pop();
            run.solution.backtracks += u64::from(open_board.is_some());
            open_board
        });
        let Some(mut board) = board else { break };
        let is_refuted = propagate(&mut board, &mut rules).is_err();
        run.record_filled(81 - board.unsolved().len());
        if is_refuted {
            continue;
        }
        let Some(cell) = order.choose(&board) else {
            run.solution.count += 1;
            run.solution
                .first
                .get_or_insert_with(|| board.solved_grid());
            if run.solution.count == limits.solutions {
                break;
            }
            continue;
        };
        let mut digits = board.digits(cell);
        let is_last = digits.len() == 1;
        let Some(digit) = digits.next() else { continue };
        if is_last {
            board.place(cell, digit);
            next_board = Some(board);
            continue;
        }
        if !run.may_guess(limits) {
            break;
        }
        let mut guessed_board = board.clone();
        guessed_board.place(cell, digit);
        board.eliminate(digit, CellSet::of(cell));
        open_boards.push(board);
        next_board = Some(guessed_board);
    }
    run.rules = Some(rules);
    run
}
