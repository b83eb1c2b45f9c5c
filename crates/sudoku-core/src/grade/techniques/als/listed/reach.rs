//! Follows strong links of almost locked sets to the candidates that they exclude.

use super::links::AlsLinks;
use crate::board::{CandidateSet, Digit};
use crate::grade::techniques::link_graph::{Graph, NodeId};

/// For each node, the candidates that are false if the node is false. An almost locked set that does not contain the
/// node's digit contains all its other digits.
pub(super) fn lacking(graph: &Graph) -> Vec<CandidateSet> {
    let excluded = |node: NodeId| {
        let mut all = CandidateSet::EMPTY;
        for &other in graph.strong_links(node) {
            graph.exclude(other, &mut all);
        }
        all
    };
    graph.ids().map(excluded).collect()
}

/// The restricted common digits of two almost locked sets, each with its nodes in both sets. All places of such a digit
/// in one set see all its places in the other, so only one of the sets can contain it.
pub(super) fn restricted_common(
    links: &AlsLinks,
    one: usize,
    two: usize,
) -> Vec<(Digit, NodeId, NodeId)> {
    let mut restricted = Vec::new();
    for (digit, a) in links.digit_nodes(one) {
        for (other, b) in links.digit_nodes(two) {
            if digit == other && links.graph.excludes(a, b) {
                restricted.push((digit, a, b));
            }
        }
    }
    restricted
}
