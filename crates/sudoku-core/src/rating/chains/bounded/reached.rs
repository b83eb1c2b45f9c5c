//! The result of a run (a search from one assumption), and a test of whether it is still valid on the next board.

use super::net::{MOST_OFF, RunGrid, is_at_most_single};
use crate::bit_rows::BitSet;

/// Two sets of numbered candidates, indexed by [`ON`] and [`OFF`]: those that are on, and those that are off.
pub(super) type NodeSets<const W: usize> = [BitSet<W>; 2];

pub(super) const ON: usize = 0;
pub(super) const OFF: usize = 1;

/// The result of a run: the nodes that can be part of a hint within the length limit.
pub(super) struct RunResult<const W: usize> {
    /// For both states (on and off), the nodes that can be part of a hint, because they have few enough ancestors.
    pub(super) sets: NodeSets<W>,
    /// For both states (on and off), all nodes of the run in the order in which they were found, even nodes with too
    /// many ancestors. Only the first `ends` entries are used.
    pub(super) orders: [Vec<u16>; 2],
    /// For both states (on and off), the number of nodes that the run has found.
    pub(super) ends: [usize; 2],
    /// For each node, by state (on or off) and candidate: the number of nodes in its chain, and the index of its set of
    /// ancestors.
    pub(super) notes: [Vec<NodeNote>; 2],
    /// The candidates of each cell, and of each digit in each house, at the end of the run. If the run has set a
    /// candidate on there, these are the candidates from just before that.
    pub(super) grid: RunGrid,
    /// The length limit of the run: the largest number of nodes in a hint.
    pub(super) limit: u32,
    /// If the run found a contradiction, the number of nodes in the two chains that lead to it; otherwise `None`.
    pub(super) contradiction: Option<u32>,
    /// Whether the run may lack nodes: it stopped early, or some nodes had too many ancestors.
    pub(super) is_cut: bool,
}

impl<const W: usize> Default for RunResult<W> {
    fn default() -> RunResult<W> {
        RunResult {
            sets: [BitSet::EMPTY; 2],
            // Off-nodes are written before they are known to be new, so there is room for a few more.
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
    /// The nodes of a state (on or off) in the order in which they were found, even nodes with too many ancestors.
    pub(super) fn order(&self, state: usize) -> &[u16] {
        &self.orders[state][..self.ends[state]]
    }

    /// The number of nodes in the chain that ends at this node: the node itself and all its ancestors.
    #[inline(always)]
    pub(super) fn count(&self, state: usize, n: usize) -> u32 {
        self.notes[state][n].0 & 0xffff
    }

    /// The index in [`BoundedRun::ancestors`](super::run::BoundedRun::ancestors) of the node's set of ancestors.
    #[inline(always)]
    pub(super) fn ancestors_index(&self, state: usize, n: usize) -> usize {
        (self.notes[state][n].0 >> 16) as usize
    }

    /// The number of nodes that the run has found.
    pub(super) fn node_count(&self) -> u64 {
        (self.ends[ON] + self.ends[OFF]) as u64
    }

    /// Whether the run has found all nodes that can be part of a hint with at most `limit` nodes.
    pub(super) fn is_enough_for(&self, limit: u32) -> bool {
        !self.is_cut || limit <= self.limit
    }

    /// Whether the result of a dynamic run is still valid on the board `now`, which has lost candidates since the run.
    ///
    /// A slot (a cell, or a digit in a house) matters to a run only if the run leaves at most one candidate there. So a
    /// lost candidate changes nothing if each of its slots has two other candidates after the run. `lost` lacks slots
    /// that are empty now. The sets of the run still contain the lost candidates.
    pub(super) fn stays_valid(&self, lost: &LostCandidates<W>, now: &RunGrid) -> bool {
        let mut lost_slots = lost.slots.iter();
        lost_slots.all(|slot| !is_at_most_single(self.grid.slot(*slot) & now.slot(*slot)))
    }
}

/// How far a run has come. All values are indexes into its lists of nodes, for both states (on and off):
///
/// ```text
/// orders[state]   │ followed │ to follow: can have a child │ too long to have a child │ free
///                 0          heads                         live_ends                  ends
/// ```
///
/// A run is cut when `heads` has reached `live_ends` for both states, and there are nodes behind it.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    /// The index of the first node whose consequences have not been computed yet.
    pub(super) heads: [usize; 2],
    /// The number of nodes found so far.
    pub(super) ends: [usize; 2],
    /// The end of the nodes that must be followed: the nodes after it have too many ancestors.
    pub(super) live_ends: [usize; 2],
}

/// Two numbers of a node in one word: the number of nodes in its chain (lower 16 bits), and the index of its set of
/// ancestors (upper 16 bits).
#[derive(Clone, Copy)]
pub(super) struct NodeNote(u32);

impl NodeNote {
    #[inline(always)]
    pub(super) fn new(place: usize, count: u32) -> NodeNote {
        NodeNote((place as u32) << 16 | count)
    }
}

/// The candidates that the board has lost since the last search, and the slots (cells, or digits in houses) that had
/// them.
pub(super) struct LostCandidates<const W: usize> {
    pub(super) candidates: BitSet<W>,
    pub(super) slots: Vec<u16>,
}
