//! Wings: a pivot cell and two pincer cells; one of the pincers must hold a certain digit.

mod listed;
mod quick;
pub(crate) mod w_wing;
pub(crate) mod xy_wing;
pub(crate) mod xyz_wing;

use crate::board::CellSet;
use crate::grade::Position;

/// The cells with two candidates, and the cells that may be pivots. If `pivot_size` is 3, the possible pivots are the
/// cells with at least three candidates.
fn pivots(board: &Position, pivot_size: usize) -> (CellSet, CellSet) {
    let [_, two, three] = board.at_least();
    let bivalue = board.unsolved() & two.without(three);
    match pivot_size {
        2 => (bivalue, bivalue),
        _ => (bivalue, board.unsolved() & three),
    }
}
