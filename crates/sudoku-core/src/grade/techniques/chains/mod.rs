//! Alternating inference chains. Their removals are found by computing what each node implies.

pub(crate) mod aic;
pub(crate) mod als_chain;
mod graphs;
pub(crate) mod grouped_aic;
mod links;
mod listed;
mod quick;
pub(crate) mod remote_pair;
pub(crate) mod x_chain;
pub(crate) mod xy_chain;

use crate::board::CandidateSet;
use crate::grade::techniques::link_graph::{Graph, GraphBuilder};
use crate::grade::{Pattern, Position, Steps};

/// Removes the candidates that the chains of a graph remove. The search `quick` finds them, unless the graph is too
/// large for it.
fn find_union(
    board: &Position,
    graph: &GraphBuilder,
    quick: impl Fn(&Position, &GraphBuilder) -> Option<CandidateSet>,
    found: &mut Steps,
) {
    let eliminations = quick(board, graph)
        .unwrap_or_else(|| listed::removals::eliminations(&graph.clone().build(board, true)));
    found.eliminate(board, eliminations.by_digit(), Pattern::default);
}

/// Lists the chains of a graph that remove candidates.
fn list_steps(board: &Position, graph: &Graph, found: &mut Steps) {
    let eliminations = listed::removals::eliminations(graph);
    listed::steps::list(board, graph, &eliminations, found);
}
