//! The producers of hints in the order in which they are asked.

pub(super) mod aligned_exclusion;
mod bug;
mod direct_hidden_set;
pub(super) mod fish;
pub(super) mod hidden_set;
pub(super) mod locking;
pub(super) mod naked_set;
mod naked_single;
mod singles;
mod unique_loop;
mod wings;

use super::board::Board;
use super::chains;
use super::hint::Hint;
use super::work::Workspace;

/// A technique, or several that are searched together.
pub(super) struct Producer {
    /// The lowest rating of its hints.
    pub(super) lowest: f64,
    pub(super) search: Search,
}

/// Takes a hint and ends the search, or lets it go on.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Hint) -> Option<Hint>;

/// How a producer searches.
pub(super) enum Search {
    /// Lists all hints in the reference's order until the visit takes one. What one hint leaves of
    /// another is found by this producer or by one before it; so the order in which they are applied
    /// changes nothing, and all of one rating can be applied at once.
    Each(fn(&Board, Visit<'_>) -> Option<Hint>),
    /// Gives the first hint in the reference's order.
    First(fn(&Board, &mut Workspace) -> Option<Hint>),
}

impl Producer {
    /// The first hint on the board, in the reference's order.
    pub(super) fn find(&self, board: &Board, work: &mut Workspace) -> Option<Hint> {
        match self.search {
            Search::Each(each) => each(board, &mut Some),
            Search::First(first) => first(board, work),
        }
    }
}

/// All producers. The order is part of the definition of the rating: the first one that finds
/// anything is taken, although a later one may have a hint with a lower rating.
pub(super) static PRODUCERS: [&Producer; 30] = [
    &singles::HIDDEN_SINGLE,
    &locking::DIRECT_LOCKING,
    &direct_hidden_set::DIRECT_HIDDEN_PAIR,
    &naked_single::NAKED_SINGLE,
    &direct_hidden_set::DIRECT_HIDDEN_TRIPLET,
    &locking::LOCKING,
    &naked_set::NAKED_PAIR,
    &fish::X_WING,
    &hidden_set::HIDDEN_PAIR,
    &naked_set::NAKED_TRIPLET,
    &fish::SWORDFISH,
    &hidden_set::HIDDEN_TRIPLET,
    &wings::XY_WING,
    &wings::XYZ_WING,
    &unique_loop::UNIQUE_LOOP,
    &naked_set::NAKED_QUAD,
    &fish::JELLYFISH,
    &hidden_set::HIDDEN_QUAD,
    &bug::BUG,
    &aligned_exclusion::ALIGNED_PAIR,
    &chains::FORCING_CHAINS_AND_CYCLES,
    &aligned_exclusion::ALIGNED_TRIPLET,
    &chains::NISHIO,
    &chains::MULTIPLE,
    &chains::DYNAMIC,
    &chains::DYNAMIC_PLUS,
    &chains::NESTED_FORCING,
    &chains::NESTED_MULTIPLE,
    &chains::NESTED_DYNAMIC,
    &chains::NESTED_DYNAMIC_FORCING,
];
