//! The list of producers, which are Sudoku Explainer's searches for techniques, in the order in which they are tried.

use super::board::Board;
use super::chains::{self, ChainKind};
use super::hint::{Hint, VisitHint};
use super::producers::{
    aligned_exclusion, bug, direct_hidden_set, fish, hidden_set, locking, naked_set, naked_single,
    singles, unique_loop, wings,
};
use super::values::names;
use super::workspace::Workspace;

/// A producer: a search for hints (steps with a rating) of one or several techniques.
pub(super) struct Producer {
    /// The lowest rating that a hint of this producer can have.
    pub(super) lowest: f64,
    pub(super) finder: Finder,
}

/// The search function of a producer, of one of two kinds.
#[derive(Clone, Copy)]
pub(super) enum Finder {
    /// Visits all hints in the order of Sudoku Explainer, until the visitor returns one. If one hint removes a part of
    /// another, this producer or an earlier one finds the rest of that hint. So the order of these hints does not
    /// matter, and all hints with the same rating can be applied at the same time.
    All(VisitAllHints),
    /// Returns the first hint in the order of Sudoku Explainer.
    First(FindFirstHint),
}

type VisitAllHints = fn(&Board, VisitHint<'_>) -> Option<Hint>;
type FindFirstHint = fn(&Board, &mut Workspace) -> Option<Hint>;

impl Producer {
    /// The first hint of this producer on the board, in the order of Sudoku Explainer; `None` if it finds none.
    pub(super) fn find(&self, board: &Board, work: &mut Workspace) -> Option<Hint> {
        match self.finder {
            Finder::All(visit_all) => visit_all(board, &mut Some),
            Finder::First(find_first) => find_first(board, work),
        }
    }
}

const fn all_hints(lowest: f64, visit_all: VisitAllHints) -> Producer {
    let finder = Finder::All(visit_all);
    Producer { lowest, finder }
}

const fn first_hint(lowest: f64, find_first: FindFirstHint) -> Producer {
    let finder = Finder::First(find_first);
    Producer { lowest, finder }
}

macro_rules! chains {
    ($kind:expr) => {
        first_hint($kind.base(), |board, work| {
            let (memory, budget) = (&mut work.chains, &mut work.budget);
            chains::best(board, $kind, work.highest, memory, budget)
        })
    };
}

/// All producers. Their order is part of the definition of a rating: the first producer that finds a hint is used, even
/// if a later one would find a hint with a lower rating.
pub(super) static PRODUCERS: [Producer; 30] = [
    all_hints(1.0, singles::visit_hints),
    all_hints(1.7, locking::direct),
    all_hints(2.0, |board, visit| {
        direct_hidden_set::visit_hints(board, 2, names::DIRECT_HIDDEN_PAIR, 2.0, visit)
    }),
    all_hints(2.3, naked_single::visit_hints),
    all_hints(2.5, |board, visit| {
        direct_hidden_set::visit_hints(board, 3, names::DIRECT_HIDDEN_TRIPLET, 2.5, visit)
    }),
    all_hints(2.6, locking::visit_hints),
    all_hints(3.0, |board, visit| {
        naked_set::visit_hints(board, 2, names::NAKED_PAIR, 3.0, visit)
    }),
    all_hints(3.2, |board, visit| {
        fish::visit_hints(board, 2, names::X_WING, 3.2, visit)
    }),
    all_hints(3.4, |board, visit| {
        hidden_set::visit_hints(board, 2, names::HIDDEN_PAIR, 3.4, visit)
    }),
    all_hints(3.6, |board, visit| {
        naked_set::visit_hints(board, 3, names::NAKED_TRIPLET, 3.6, visit)
    }),
    all_hints(3.8, |board, visit| {
        fish::visit_hints(board, 3, names::SWORDFISH, 3.8, visit)
    }),
    all_hints(4.0, |board, visit| {
        hidden_set::visit_hints(board, 3, names::HIDDEN_TRIPLET, 4.0, visit)
    }),
    all_hints(4.2, |board, visit| {
        wings::visit_hints(board, 2, names::XY_WING, 4.2, visit)
    }),
    all_hints(4.4, |board, visit| {
        wings::visit_hints(board, 3, names::XYZ_WING, 4.4, visit)
    }),
    first_hint(4.5, |board, work| {
        unique_loop::best(board, &mut work.loops, &mut work.budget)
    }),
    first_hint(5.0, |board, _| {
        naked_set::visit_hints(board, 4, names::NAKED_QUAD, 5.0, &mut Some)
    }),
    first_hint(5.2, |board, _| {
        fish::visit_hints(board, 4, names::JELLYFISH, 5.2, &mut Some)
    }),
    first_hint(5.4, |board, _| {
        hidden_set::visit_hints(board, 4, names::HIDDEN_QUAD, 5.4, &mut Some)
    }),
    first_hint(5.6, |board, _| bug::first_hint(board)),
    first_hint(6.2, |board, work| {
        aligned_exclusion::first_pair(board, &mut work.pairs)
    }),
    first_hint(6.5, |board, work| {
        chains::forcing(board, &mut work.chains, &mut work.budget)
    }),
    first_hint(7.5, |board, work| {
        aligned_exclusion::first_triplet(board, work.vectors, &mut work.triplets)
    }),
    chains!(ChainKind::NISHIO),
    chains!(ChainKind::MULTIPLE),
    chains!(ChainKind::DYNAMIC),
    chains!(ChainKind::DYNAMIC_PLUS),
    chains!(ChainKind::NESTED_FORCING),
    chains!(ChainKind::NESTED_MULTIPLE),
    chains!(ChainKind::NESTED_DYNAMIC),
    chains!(ChainKind::NESTED_DYNAMIC_FORCING),
];
