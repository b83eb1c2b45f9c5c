//! Follows links from a digit of an almost locked set to the candidates that it excludes.

use super::links::AlsLinks;
use crate::board::{CandidateSet, CellSet, Digit};
use crate::grade::techniques::link_graph::Graph;

/// The candidates that a digit of an almost locked set excludes, through one further set or two.
pub(super) struct Reach<'a> {
    graph: &'a Graph,
    /// For each node: the candidates that are false if it is true, through one set that then lacks
    /// the digit.
    pub(super) over_one_set: Vec<CandidateSet>,
}

impl Reach<'_> {
    pub(super) fn new(graph: &Graph) -> Reach<'_> {
        Reach {
            graph,
            over_one_set: over_weak_links(graph, &lacking(graph)),
        }
    }

    /// For each node: the candidates that are false if it is true, through two sets.
    pub(super) fn over_two_sets(&self) -> Vec<CandidateSet> {
        let lacking = per_node(self.graph, |n, all| {
            for &other in self.graph.strong_links(n) {
                *all |= &self.over_one_set[usize::from(other)];
            }
        });
        over_weak_links(self.graph, &lacking)
    }

    /// The candidates that are excluded both by a digit z of a set, and by a chain from another
    /// digit of that set. One of the two is true.
    pub(super) fn eliminations(&self, reached: &[CandidateSet]) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for n in 0..self.graph.len() as u16 {
            let digit = self.graph.digit(n);
            let links = self.graph.strong_links(n).iter();
            let over = links.fold(CellSet::EMPTY, |over, &other| {
                over | reached[usize::from(other)].cells(digit)
            });
            all.insert(digit, over & self.graph.seen(n));
        }
        all
    }
}

/// For each node: the candidates that are false if its set lacks its digit.
pub(super) fn lacking(graph: &Graph) -> Vec<CandidateSet> {
    per_node(graph, |n, all| {
        for &other in graph.strong_links(n) {
            graph.exclude(other, all);
        }
    })
}

/// For each node: the candidates that are false if it is true. `lacking` has those that are false
/// if a node is false; a true node makes the nodes false that it excludes.
fn over_weak_links(graph: &Graph, lacking: &[CandidateSet]) -> Vec<CandidateSet> {
    per_node(graph, |n, all| {
        for other in graph.excluded_nodes(n) {
            *all |= &lacking[other];
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

/// The restricted common digits of two sets, with their nodes: all places of the digit in one set
/// see all its places in the other.
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
