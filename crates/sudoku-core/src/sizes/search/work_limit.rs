//! Converts the limit of nodes into a limit of work.

use crate::solve::Limits;

/// The work of one node of a 9 × 9 puzzle, in visited cells.
const WORK_OF_A_NODE: u64 = 1000;

/// The limit of work is never below the work of this many nodes. For smaller limits, only the number of
/// nodes counts.
const LEAST_NODES: u64 = 10_000;

/// The number of visited cells after which a search gives up. The limit of nodes stands for time, and a
/// node of a larger board takes more time.
pub(crate) fn work_limit(limits: Limits) -> u64 {
    (limits.nodes.max(LEAST_NODES)).saturating_mul(WORK_OF_A_NODE)
}
