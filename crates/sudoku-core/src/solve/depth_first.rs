//! Depth-first search for the solutions of a puzzle, over boards of any kind.

use super::{Limits, Solution};

/// A board after all deductions.
pub(crate) enum Deduced<B, G> {
    /// It has no solution.
    Contradiction,
    /// Every cell is decided.
    Solved(G),
    /// The search has done all the work that it may.
    GaveUp,
    /// A guess: the board with it, unless it fails at once, and the board without it.
    Guess(Option<B>, B),
}

/// Counts the solutions of a board, and keeps the first. A guess is followed first, and taken back
/// later.
pub(crate) fn depth_first<B, G>(
    board: B,
    limits: Limits,
    mut deduce: impl FnMut(B) -> Deduced<B, G>,
) -> Solution<G> {
    let mut solution = Solution::NONE;
    let mut open = vec![board];
    while let Some(board) = open.pop() {
        match deduce(board) {
            Deduced::Contradiction => {}
            Deduced::Solved(grid) => {
                solution.count += 1;
                solution.first.get_or_insert(grid);
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
                open.push(without);
                open.extend(with);
            }
        }
    }
    // Each guess leaves a board open, and each step back takes one.
    solution.backtracks = solution.nodes - open.len() as u64;
    solution
}
