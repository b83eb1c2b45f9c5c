//! Finds the removals of chains by a transitive closure.

use crate::bit_rows::{BitRows, Closure, add, members};
use crate::board::CandidateSet;
use crate::grade::techniques::link_graph::Graph;

/// The candidates that chains remove: for some node, they are false if the node is true, and also if it is false.
pub(in super::super) fn eliminations(graph: &Graph) -> CandidateSet {
    // A double step: if node a is false, a strong link makes b true, and a weak link from b makes c false. The closure
    // has, for each a, all nodes that sequences of double steps reach.
    let closure = Closure::new(&double_steps(graph));
    let after_one_step: Vec<CandidateSet> = (0..graph.len() as u16)
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
    for node in 0..graph.len() {
        let excluded = excluded[closure.set_index(node)].get_or_insert_with(|| {
            let reached = members(closure.set(node).iter().copied());
            reached.fold(CandidateSet::EMPTY, |all, next| all | &after_one_step[next])
        });
        graph.exclude_among(node as u16, excluded, &mut all);
    }
    all
}

/// For each node, the nodes that are false if the node is false, over one strong and one weak link.
fn double_steps(graph: &Graph) -> BitRows {
    let mut steps = BitRows::new(graph.len(), graph.len());
    for n in 0..graph.len() {
        let row = steps.row_mut(n);
        for &other in graph.strong_links(n as u16) {
            add(row, graph.rows.row(usize::from(other)));
        }
    }
    steps
}
