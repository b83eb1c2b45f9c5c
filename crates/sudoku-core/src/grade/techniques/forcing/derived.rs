//! The branches of a position, which are computed once and shared by all techniques.

use super::branches::Branches;
use super::{lanes, propagate};
use crate::grade::Position;
use crate::grade::position::Derived;

/// The branches of all candidates, to which singles have been applied until none was left.
pub(super) struct WithSingles(pub(super) Branches);

impl Derived for WithSingles {
    fn from_position(board: &Position) -> WithSingles {
        WithSingles(Branches::with_singles(board))
    }
}

/// The branches of all candidates, to which ranks 1–15 (full house to jellyfish) have been applied until they
/// found nothing.
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
