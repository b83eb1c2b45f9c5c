//! A depth-first search for the solutions of a puzzle, generic over the type of its board.

use super::{Limits, Solution};

/// What a search has found out about a board by applying all rules.
pub(crate) enum Deduced<B, G> {
    /// The board has no solution.
    Contradiction,
    /// Every cell is filled: the board is this solution.
    Solved(G),
    /// The limit of work ended the search.
    GaveUp,
    /// A guess is needed. On the first board, the guess has been made; it is `None` if the guess fails at once.
    /// The second board excludes the guess.
    Guess(Option<B>, B),
}

/// Counts the solutions of a board, and keeps the first one. The board with a guess is searched before the
/// board that excludes the guess.
pub(crate) fn depth_first<B, G>(
    board: B,
    limits: Limits,
    deduce: impl FnMut(B) -> Deduced<B, G>,
) -> Solution<G> {
    let mut first_solution = None;
    let counts = depth_first_each(board, limits, deduce, |grid| {
        first_solution.get_or_insert(grid);
    });
    Solution {
        first: first_solution,
        count: counts.count,
        nodes: counts.nodes,
        backtracks: counts.backtracks,
        gave_up: counts.gave_up,
    }
}

/// Like [`depth_first`], but calls `found` with each solution, in the order of the search.
pub(crate) fn depth_first_each<B, G>(
    board: B,
    limits: Limits,
    mut deduce: impl FnMut(B) -> Deduced<B, G>,
    mut found: impl FnMut(G),
) -> Solution<()> {
    let mut solution = Solution::NONE;
    let mut open_boards = vec![board];
    while let Some(board) = open_boards.pop() {
        match deduce(board) {
            Deduced::Contradiction => {}
            Deduced::Solved(grid) => {
                solution.count += 1;
                found(grid);
                if solution.count == limits.solutions {
                    break;
                }
            }
            Deduced::GaveUp => {
                solution.gave_up = true;
                break;
            }
            Deduced::Guess(..) if solution.nodes == limits.nodes => {
                solution.gave_up = true;
                break;
            }
            Deduced::Guess(with, without) => {
                solution.nodes += 1;
                open_boards.push(without);
                open_boards.extend(with);
            }
        }
    }
    // Each guess adds a board to `open_boards`, and each backtrack removes one. So the number of backtracks is
    // the number of guesses minus the number of boards that remain.
    solution.backtracks = solution.nodes - open_boards.len() as u64;
    solution
}
