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

/// Finds the candidates that the chains of a graph remove. If steps are not listed, the fast search `quick` is used,
/// unless the graph is too large for it.
fn chains(
    board: &Position,
    graph: &GraphBuilder,
    quick: impl Fn(&Position, &GraphBuilder) -> Option<CandidateSet>,
    found: &mut Steps,
) {
    if !found.is_listing()
        && let Some(eliminations) = quick(board, graph)
    {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
        return;
    }
    chains_of(board, &graph.clone().build(board, true), found);
}

/// Finds the candidates that the chains of a graph remove, by the slower search that can list the chains. Lists them if
/// asked for.
fn chains_of(board: &Position, graph: &Graph, found: &mut Steps) {
    let eliminations = listed::removals::eliminations(graph);
    if found.is_listing() {
        listed::steps::list(board, graph, &eliminations, found);
    } else {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
}
