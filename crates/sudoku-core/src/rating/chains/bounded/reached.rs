//! The result of a run, and the test whether it is the same on the next board.

use super::net::{RunGrid, is_at_most_single};
use crate::rating::chains::bits::Bits;

/// A set of nodes: candidates on, candidates off.
pub(super) type NodeSets<const W: usize> = [Bits<W>; 2];

pub(super) const ON: usize = 0;
pub(super) const OFF: usize = 1;

/// The result of a run: the nodes that have few enough ancestors.
pub(super) struct Reached<const W: usize> {
    /// The candidates that are on, and those that are off.
    pub(super) sets: NodeSets<W>,
    /// All nodes of the run in order, also those with too many ancestors. The rest of the memory is unused.
    pub(super) orders: [Vec<u16>; 2],
    /// The number of nodes of each state.
    pub(super) ends: [usize; 2],
    /// For each node of the run, how many nodes it and its ancestors are.
    pub(super) counts: [Vec<u16>; 2],
    /// What the run has left of the slots. If a slot has got a node that is on, what was left then.
    pub(super) grid: RunGrid,
    /// The limit of the run.
    pub(super) limit: u32,
    /// The number of nodes of both ends of a contradiction.
    pub(super) contradiction: Option<u32>,
    /// Whether the run ended early, or has nodes with too many ancestors.
    pub(super) is_cut: bool,
}

impl<const W: usize> Default for Reached<W> {
    fn default() -> Reached<W> {
        Reached {
            sets: [Bits::EMPTY; 2],
            // Off-nodes are written before it is known whether they are new.
            orders: [vec![0; 64 * W + 1], vec![0; 64 * W + 1]],
            ends: [0; 2],
            counts: [vec![0; 64 * W], vec![0; 64 * W]],
            grid: RunGrid::EMPTY,
            limit: 0,
            contradiction: None,
            is_cut: false,
        }
    }
}

impl<const W: usize> Reached<W> {
    /// The nodes of a state in order, also those with too many ancestors.
    pub(super) fn order(&self, state: usize) -> &[u16] {
        &self.orders[state][..self.ends[state]]
    }

    /// How many nodes a node of the sets and its ancestors are.
    #[inline(always)]
    pub(super) fn count(&self, state: usize, n: usize) -> u32 {
        u32::from(self.counts[state][n])
    }

    /// The number of nodes of the run.
    pub(super) fn node_count(&self) -> u64 {
        (self.ends[ON] + self.ends[OFF]) as u64
    }

    /// Whether the run has all nodes that can be part of hints with at most this many nodes.
    pub(super) fn is_enough_for(&self, limit: u32) -> bool {
        !self.is_cut || limit <= self.limit
    }

    /// Brings a dynamic run up to date with a board that has lost candidates. Returns whether it is still the run of
    /// that board.
    ///
    /// A run depends on a slot only when it leaves at most one candidate there. So it stays the same, but for the
    /// lost candidates themselves, if every slot from which it has removed any keeps two others.
    pub(super) fn keep(&mut self, lost: &Lost<W>, now: &RunGrid) -> bool {
        let is_same = lost.slots.iter().all(|(slot, gone)| {
            let left = self.grid.slot(*slot) & !gone;
            left == now.slot(*slot) || !is_at_most_single(left)
        });
        if is_same {
            for (slot, gone) in &lost.slots {
                self.grid.clear(*slot, *gone);
            }
            for set in &mut self.sets {
                set.remove(&lost.candidates);
            }
        }
        is_same
    }
}

/// The candidates that a board has lost: as a set, and by slot.
pub(super) struct Lost<const W: usize> {
    pub(super) candidates: Bits<W>,
    pub(super) slots: Vec<(u16, u16)>,
}
