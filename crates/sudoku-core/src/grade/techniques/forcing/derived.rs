//! Caches the branches of a board, so that all forcing techniques share them.

use super::branches::Branches;
use super::{lanes, propagate};
use crate::grade::Position;
use crate::grade::position::Derived;

/// The boards that follow from each candidate by singles alone.
pub(super) struct WithSingles(pub(super) Branches);

impl Derived for WithSingles {
    fn from_position(board: &Position) -> WithSingles {
        WithSingles(Branches::with_singles(board))
    }
}

/// The boards that follow from each candidate by the techniques from full house to jellyfish (ranks 1–15).
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
