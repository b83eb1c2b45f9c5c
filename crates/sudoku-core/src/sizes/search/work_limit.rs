//! Converts the limit of search nodes into a limit of work, which is the same for all sizes of boards.

use crate::solve::Limits;

/// The work that one search node of a 9 × 9 puzzle stands for, in visited cells.
const WORK_OF_A_NODE: u64 = 1000;

/// The limit of work is at least the work of this many nodes. If the limit of nodes is smaller than this, only
/// the number of nodes ends the search.
const LEAST_NODES: u64 = 10_000;

/// The number of visited cells at which a search gives up. The limit of nodes stands for time, and a node of
/// a larger board takes more time.
pub(crate) fn work_limit(limits: Limits) -> u64 {
    (limits.nodes.max(LEAST_NODES)).saturating_mul(WORK_OF_A_NODE)
}
