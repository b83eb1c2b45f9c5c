//! Hints that consist of chains, and how Sudoku Explainer chooses among them.

use super::node::{Cause, Node};
use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::rating::board::{Board, houses_of};
use crate::rating::hint::Hint;

// The keys of hints that follow from several assumptions. Of hints with equal rating and length, the lower key wins.
pub(super) const KEY_DOUBLE: u8 = 1;
pub(super) const KEY_CELL: u8 = 5;
pub(super) const KEY_REGION: u8 = 6;
pub(super) const KEY_CONTRADICTION: u8 = 7;

/// A hint that consists of chains, with all their nodes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChainHint {
    pub(super) technique: &'static str,
    pub(super) rating: f64,
    /// The number of nodes in the chains, including nested chains.
    pub(super) length: u32,
    /// Of hints with equal rating and length, the one with the lower key comes first.
    pub(super) key: u8,
    pub(super) removed: CandidateSet,
    pub(super) placed: Option<(Cell, Digit)>,
    /// For each chain, its nodes with their reasons, from the end of the chain back to its start, in breadth-first
    /// order.
    pub(super) chains: Vec<Vec<(Node, Cause)>>,
    pub(super) is_cycle: bool,
}

impl ChainHint {
    pub(super) fn hint(self) -> Hint {
        Hint {
            technique: self.technique,
            rating: self.rating,
            removed: self.removed,
            placed: self.placed,
            length: self.length,
        }
    }

    #[cfg(test)]
    fn is_before(&self, other: &ChainHint) -> bool {
        (self.rating, self.length, self.key) < (other.rating, other.length, other.key)
    }

    /// The candidates that the chains need to be off: those that `initial` has and `grid` lacks.
    pub(super) fn lost_candidates(&self, initial: &Board, grid: &Board) -> CandidateSet {
        let mut lost_candidates = CandidateSet::EMPTY;
        for (node, cause) in self.chains.iter().flatten() {
            // A cycle holds in both directions. In the opposite direction its off-nodes are on, so they count too.
            if node.is_on() || self.is_cycle {
                add_lost(initial, grid, *node, *cause, &mut lost_candidates);
            }
        }
        lost_candidates
    }

    /// A value that is equal for hints with the same chains: all nodes of the chains, with a separator after each
    /// chain.
    pub(super) fn signature(&self) -> Vec<u16> {
        let mut signature = Vec::new();
        for chain in &self.chains {
            signature.extend(chain.iter().map(|(node, _)| node.index() as u16));
            signature.push(u16::MAX);
        }
        signature
    }
}

/// Adds the candidates that had to be removed before this node followed: the other candidates of its cell, or the other
/// places of its digit in the house.
fn add_lost(initial: &Board, grid: &Board, node: Node, cause: Cause, lost: &mut CandidateSet) {
    match cause {
        Cause::Cell => {
            let digits_now: DigitSet = grid.digits(node.cell());
            for digit in initial
                .digits(node.cell())
                .intersection(digits_now.complement())
            {
                lost.insert(digit, CellSet::of(node.cell()));
            }
        }
        Cause::House(house) => {
            // The house contains the cell of the node.
            debug_assert!(houses_of(node.cell()).iter().any(|(one, _)| *one == house));
            let digit = node.digit();
            let lost_cells = initial.cells(digit).without(grid.cells(digit)) & house.cells();
            lost.insert(digit, lost_cells);
        }
        Cause::Start | Cause::Rule(_) => {}
    }
}

/// The effect of a hint whose chains all end at `node`: the candidates that it removes, and the digit that it places,
/// if any. `None` if it removes nothing.
pub(super) fn effect(board: &Board, node: Node) -> Option<(CandidateSet, Option<(Cell, Digit)>)> {
    let (cell, digit) = (node.cell(), node.digit());
    let mut removed = CandidateSet::EMPTY;
    if !node.is_on() {
        removed.insert(digit, CellSet::of(cell));
        return Some((removed, None));
    }
    let mut other_digits = board.digits(cell);
    other_digits.remove(digit);
    other_digits.for_each(|other| removed.insert(other, CellSet::of(cell)));
    (!removed.is_empty()).then_some((removed, Some((cell, digit))))
}

/// The best of these hints; the first one if several are equal. This is easier to read than the fast searches, which
/// choose the same hint.
#[cfg(test)]
pub(super) fn best(found: Vec<ChainHint>) -> Option<ChainHint> {
    let better_of =
        |best: ChainHint, next: ChainHint| if next.is_before(&best) { next } else { best };
    found.into_iter().reduce(better_of)
}

/// Sorts the hints, and removes each hint that removes the same candidates as an earlier one.
pub(super) fn sort_and_deduplicate(found: &mut Vec<ChainHint>) {
    found.sort_by(|a, b| {
        let by_rating = a.rating.total_cmp(&b.rating);
        by_rating.then((a.length, a.key).cmp(&(b.length, b.key)))
    });
    let mut kept_removals: Vec<CandidateSet> = Vec::new();
    found.retain(|hint| {
        let is_new = !kept_removals.contains(&hint.removed);
        if is_new {
            kept_removals.push(hint.removed);
        }
        is_new
    });
}
