use super::links::AlsLinks;
use crate::board::{CandidateSet, Digit};
use crate::grade::techniques::chains::Graph;

/// What follows from a digit being in an almost locked set, over one more set or two.
pub(super) struct Reach<'a> {
    graph: &'a Graph,
    /// Per node: the candidates that are false where it is true, over one set that then lacks the
    /// digit.
    pub(super) over_one_set: Vec<CandidateSet>,
}

impl Reach<'_> {
    pub(super) fn new(graph: &Graph) -> Reach<'_> {
        let excluded: Vec<_> = (0..graph.len())
            .map(|n| *graph.excluded_by(n as u16))
            .collect();
        Reach {
            graph,
            over_one_set: over_a_set(graph, &excluded),
        }
    }

    /// Per node: over two sets.
    pub(super) fn over_two_sets(&self) -> Vec<CandidateSet> {
        over_a_set(self.graph, &self.over_one_set)
    }

    /// What a set's digit z and what it leads to over another of the set's digits both exclude.
    pub(super) fn eliminations(&self, reached: &[CandidateSet]) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for n in 0..self.graph.len() {
            let mut over = CandidateSet::EMPTY;
            for &other in self.graph.strong_links(n as u16) {
                over |= &reached[usize::from(other)];
            }
            all |= &(over & self.graph.excluded_by(n as u16));
        }
        all
    }
}

/// From "the node is true": the nodes that it excludes are false, the other digits of their sets
/// are true, and what these have.
fn over_a_set(graph: &Graph, have: &[CandidateSet]) -> Vec<CandidateSet> {
    let lacking: Vec<_> = (0..graph.len())
        .map(|n| {
            let mut all = CandidateSet::EMPTY;
            for &other in graph.strong_links(n as u16) {
                all |= &have[usize::from(other)];
            }
            all
        })
        .collect();
    (0..graph.len())
        .map(|n| {
            let mut all = CandidateSet::EMPTY;
            for other in graph.excluded_nodes(n as u16) {
                all |= &lacking[other];
            }
            all
        })
        .collect()
}

/// The digits of both sets all of whose places in the one see all in the other, with their nodes.
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
