//! Follows strong links of almost locked sets to the candidates that they exclude.

use super::links::AlsLinks;
use crate::board::{CandidateSet, Digit};
use crate::grade::techniques::link_graph::Graph;

/// For each node, the candidates that are false if the node is false: its set then lacks the digit and contains
/// all its other digits.
pub(super) fn lacking(graph: &Graph) -> Vec<CandidateSet> {
    per_node(graph, |n, all| {
        for &other in graph.strong_links(n) {
            graph.exclude(other, all);
        }
    })
}

fn per_node(graph: &Graph, fill: impl Fn(u16, &mut CandidateSet)) -> Vec<CandidateSet> {
    let mut sets = vec![CandidateSet::EMPTY; graph.len()];
    for (n, set) in sets.iter_mut().enumerate() {
        fill(n as u16, set);
    }
    sets
}

/// The restricted common digits of two sets, each with its node in the first and in the second set. All places of
/// such a digit in one set see all its places in the other.
pub(super) fn restricted_common(
    links: &AlsLinks,
    one: usize,
    two: usize,
) -> Vec<(Digit, u16, u16)> {
    let mut restricted = Vec::new();
    for (digit, a) in links.digit_nodes(one) {
        for (other, b) in links.digit_nodes(two) {
            if digit == other && links.graph.excludes(a.into(), b.into()) {
                restricted.push((digit, a, b));
            }
        }
    }
    restricted
}
