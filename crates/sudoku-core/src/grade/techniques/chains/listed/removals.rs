//! Finds the removals of chains by a transitive closure.

use crate::bit_rows::{BitRows, Closure, add, members};
use crate::board::CandidateSet;
use crate::grade::techniques::link_graph::Graph;

/// The candidates that chains remove: for some node, they are false if the node is true, and also if it is false.
pub(in super::super) fn eliminations(graph: &Graph) -> CandidateSet {
    // A double step: if node a is false, a strong link makes b true, and a weak link from b makes c false. The closure
    // has, for each a, all nodes that sequences of double steps reach.
    let closure = Closure::new(&double_steps(graph));
    let after_one_step: Vec<CandidateSet> = graph
        .ids()
        .map(|node| {
            let mut excluded = CandidateSet::EMPTY;
            for &other in graph.strong_links(node) {
                graph.exclude(other, &mut excluded);
            }
            excluded
        })
        .collect();
    let mut excluded: Vec<Option<CandidateSet>> = vec![None; closure.len()];
    let mut all = CandidateSet::EMPTY;
    for node in graph.ids() {
        let excluded = excluded[closure.set_index(node.index())].get_or_insert_with(|| {
            let reached = members(closure.set(node.index()).iter().copied());
            reached.fold(CandidateSet::EMPTY, |all, next| all | &after_one_step[next])
        });
        graph.exclude_among(node, excluded, &mut all);
    }
    all
}

/// For each node, the nodes that are false if the node is false, over one strong and one weak link.
fn double_steps(graph: &Graph) -> BitRows {
    let mut steps = BitRows::new(graph.len(), graph.len());
    for node in graph.ids() {
        let row = steps.row_mut(node.index());
        for &other in graph.strong_links(node) {
            add(row, graph.excluded_row(other));
        }
    }
    steps
}
