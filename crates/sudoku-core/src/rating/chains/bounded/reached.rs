//! The result of a run, and the test whether it is the same on the next board.

use super::net::{MOST_OFF, RunGrid, is_at_most_single};
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
    /// For each node of the run, how many nodes it and its ancestors are, and where their set is.
    pub(super) notes: [Vec<NodeNote>; 2],
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
            orders: [vec![0; 64 * W + MOST_OFF], vec![0; 64 * W + MOST_OFF]],
            ends: [0; 2],
            notes: [vec![NodeNote(0); 64 * W], vec![NodeNote(0); 64 * W]],
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
        self.notes[state][n].0 & 0xffff
    }

    /// The place of the set of ancestors of a node, in the memory of the run that found it.
    #[inline(always)]
    pub(super) fn place(&self, state: usize, n: usize) -> usize {
        (self.notes[state][n].0 >> 16) as usize
    }

    /// The number of nodes of the run.
    pub(super) fn node_count(&self) -> u64 {
        (self.ends[ON] + self.ends[OFF]) as u64
    }

    /// Whether the run has all nodes that can be part of hints with at most this many nodes.
    pub(super) fn is_enough_for(&self, limit: u32) -> bool {
        !self.is_cut || limit <= self.limit
    }

    /// Whether a dynamic run of an earlier board is still the run of the board `now`, which has lost candidates.
    ///
    /// A run depends on a slot only when it leaves at most one candidate there. So it stays the same, but for the
    /// lost candidates themselves, if every slot from which it has removed any keeps two others. The candidates
    /// that the board has lost stay in the results of the run.
    pub(super) fn stays(&self, lost: &Lost<W>, now: &RunGrid) -> bool {
        lost.slots.iter().all(|slot| {
            let now = now.slot(*slot);
            let left = self.grid.slot(*slot) & now;
            !is_at_most_single(left) || left == now
        })
    }
}

/// How far a run has come, by state.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    /// The number of nodes that have been followed.
    pub(super) heads: [usize; 2],
    /// The number of nodes.
    pub(super) ends: [usize; 2],
    /// The end of the nodes that have few enough ancestors to be followed: behind it are only nodes with more.
    pub(super) live_ends: [usize; 2],
}

/// The number of nodes that a node and its ancestors are, and above 16 bits the place of their set.
#[derive(Clone, Copy)]
pub(super) struct NodeNote(u32);

impl NodeNote {
    #[inline(always)]
    pub(super) fn new(place: usize, count: u32) -> NodeNote {
        NodeNote((place as u32) << 16 | count)
    }
}

/// The candidates that a board has lost, and the slots in which they were.
pub(super) struct Lost<const W: usize> {
    pub(super) candidates: Bits<W>,
    pub(super) slots: Vec<u16>,
}
