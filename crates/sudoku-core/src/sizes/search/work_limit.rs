//! The limit of the work of a search.

use crate::solve::Limits;

/// The cost of a node of a 9 × 9 puzzle, in visited cells.
const WORK_OF_A_NODE: u64 = 1000;

/// The limit of work is at least that of this many nodes. Smaller limits are thus limits of nodes alone.
const LEAST_NODES: u64 = 10_000;

/// The number of visited cells after which a search gives up. The limit of nodes stands for a time, and on
/// larger boards a node takes more time.
pub(crate) fn work_limit(limits: Limits) -> u64 {
    (limits.nodes.max(LEAST_NODES)).saturating_mul(WORK_OF_A_NODE)
}
