//! The limit of a search by its work.

use crate::solve::Limits;

/// What a node of a 9 × 9 puzzle costs: cells looked at.
const WORK_OF_A_NODE: u64 = 1000;

/// Limits below this many nodes are counted in nodes alone.
const LEAST_NODES: u64 = 10_000;

/// Cells looked at before a search gives up: a node costs the more the larger the board is, and the
/// limit stands for the time, not for a number.
pub(super) fn work(limits: Limits) -> u64 {
    (limits.nodes.max(LEAST_NODES)).saturating_mul(WORK_OF_A_NODE)
}
