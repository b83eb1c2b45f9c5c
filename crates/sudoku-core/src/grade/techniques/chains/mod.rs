//! Alternating inference chains, read as reachability.

pub(crate) mod aic;
pub(crate) mod als_chain;
mod closure;
mod graph;
pub(crate) mod grouped_aic;
mod links;
mod listing;
pub(crate) mod remote_pair;
pub(crate) mod x_chain;
pub(crate) mod xy_chain;

use closure::Closure;
pub(in crate::grade) use graph::{Graph, GraphBuilder};

use crate::grade::{Pattern, Position, Steps};

/// What the chains of a graph remove.
fn chains(board: &Position, graph: &Graph, found: &mut Steps) {
    let eliminations = Closure::of(graph).eliminations(graph);
    if found.is_listing() {
        listing::list(board, graph, &eliminations, found);
    } else if !eliminations.is_empty() {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
}
