//! The result of a run (a search from one assumption), and the test of whether it is still valid on the next board.

use super::net::{MOST_OFF, RunGrid, is_at_most_single};
use crate::rating::chains::bits::BitSet;

/// Two sets of numbered candidates, indexed by [`ON`] and [`OFF`]: those that are on, and those that are off.
pub(super) type NodeSets<const W: usize> = [BitSet<W>; 2];

pub(super) const ON: usize = 0;
pub(super) const OFF: usize = 1;

/// The result of a run: the nodes that it found, with few enough ancestors to be part of a hint within the limit.
pub(super) struct RunResult<const W: usize> {
    /// By state, the nodes with few enough ancestors to be part of a hint.
    pub(super) sets: NodeSets<W>,
    /// By state, all nodes of the run in the order in which they were found, also those with too many ancestors.
    /// Only the first `ends` entries are used.
    pub(super) orders: [Vec<u16>; 2],
    /// By state (on or off), how many nodes the run has found.
    pub(super) ends: [usize; 2],
    /// By state and candidate, the number of nodes in the chain that leads to the node, and where its set of ancestors
    /// is stored.
    pub(super) notes: [Vec<NodeNote>; 2],
    /// The candidates of each cell, and of each digit in each house, after the run. Where the run made a candidate true,
    /// the candidates from just before that are kept.
    pub(super) grid: RunGrid,
    /// The limit of the run: the largest number of nodes of a hint.
    pub(super) limit: u32,
    /// If the run is contradictory: the number of nodes in the two chains that lead to the contradiction.
    pub(super) contradiction: Option<u32>,
    /// Whether the run stopped early, or found nodes with too many ancestors.
    pub(super) is_cut: bool,
}

impl<const W: usize> Default for RunResult<W> {
    fn default() -> RunResult<W> {
        RunResult {
            sets: [BitSet::EMPTY; 2],
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

impl<const W: usize> RunResult<W> {
    /// The nodes of a state in the order in which they were found, also those with too many ancestors.
    pub(super) fn order(&self, state: usize) -> &[u16] {
        &self.orders[state][..self.ends[state]]
    }

    /// The number of nodes in the chain that ends at this node: the node and all its ancestors.
    #[inline(always)]
    pub(super) fn count(&self, state: usize, n: usize) -> u32 {
        self.notes[state][n].0 & 0xffff
    }

    /// The index of the node's set of ancestors in the `ancestors` of the run.
    #[inline(always)]
    pub(super) fn ancestors_index(&self, state: usize, n: usize) -> usize {
        (self.notes[state][n].0 >> 16) as usize
    }

    /// The number of nodes that the run has found.
    pub(super) fn node_count(&self) -> u64 {
        (self.ends[ON] + self.ends[OFF]) as u64
    }

    /// Whether the run has all nodes that can be part of hints with at most `limit` nodes.
    pub(super) fn is_enough_for(&self, limit: u32) -> bool {
        !self.is_cut || limit <= self.limit
    }

    /// Whether the result of a dynamic run on an earlier board is still valid on the board `now`, which has lost some
    /// candidates.
    ///
    /// A run depends on a slot only if it leaves at most one candidate there. So a lost candidate changes nothing
    /// if each of its slots keeps two candidates after the run. Slots that are empty now are not in `lost`. The sets
    /// of the run still contain the lost candidates.
    pub(super) fn stays_valid(&self, lost: &LostCandidates<W>, now: &RunGrid) -> bool {
        let mut lost_slots = lost.slots.iter();
        lost_slots.all(|slot| !is_at_most_single(self.grid.slot(*slot) & now.slot(*slot)))
    }
}

/// The progress of a run. All values are indexes into the orders of nodes, by state.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    /// The first node whose consequences have not been computed yet.
    pub(super) heads: [usize; 2],
    /// By state, the number of nodes found so far.
    pub(super) ends: [usize; 2],
    /// One past the last node with few enough ancestors; the nodes behind it need not be followed.
    pub(super) live_ends: [usize; 2],
}

/// A packed pair: the number of nodes in the chain of a node in the lower 16 bits, and the index of its set of
/// ancestors above them.
#[derive(Clone, Copy)]
pub(super) struct NodeNote(u32);

impl NodeNote {
    #[inline(always)]
    pub(super) fn new(place: usize, count: u32) -> NodeNote {
        NodeNote((place as u32) << 16 | count)
    }
}

/// The candidates that a board has lost since the last search, and the slots that contained them.
pub(super) struct LostCandidates<const W: usize> {
    pub(super) candidates: BitSet<W>,
    pub(super) slots: Vec<u16>,
}
