//! Alternating inference chains, read as reachability.

mod aic;
mod als_chain;
mod closure;
mod graph;
mod grouped_aic;
mod links;
mod listing;
mod single_digit;
mod x_chain;
mod xy_chain;

pub use aic::Aic;
pub use als_chain::AlsChain;
pub use grouped_aic::GroupedAic;
pub use x_chain::XChain;
pub use xy_chain::XyChain;

use closure::Closure;
pub(in crate::grade) use graph::{Graph, GraphBuilder};
pub(in crate::grade) use single_digit::x_chains;

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
