//! Caches the branches of a board (the boards that follow from its candidates), so that all forcing techniques share
//! them.

use super::branches::Branches;
use super::{lanes, propagate};
use crate::grade::Position;
use crate::grade::position::Derived;

/// For each candidate, the board that follows from assuming it, by singles alone.
pub(super) struct WithSingles(pub(super) Branches);

impl Derived for WithSingles {
    fn from_position(board: &Position) -> WithSingles {
        WithSingles(Branches::with_singles(board))
    }
}

/// For each candidate, the board that follows from assuming it, by the techniques from full house to jellyfish (ranks
/// 1–15).
pub(super) struct WithBasics(pub(super) Branches);

impl Derived for WithBasics {
    fn from_position(board: &Position) -> WithBasics {
        let singles = &board.derived::<WithSingles>().0;
        WithBasics(match board.vectors() {
            Some(vectors) => lanes::basics(vectors, board, singles),
            None => singles.extend(propagate::basics),
        })
    }
}
