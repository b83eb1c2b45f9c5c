//! Graphs of strong links that are computed once for a board and used by several chain techniques.

use super::links;
use crate::grade::Position;
use crate::grade::position::Derived;
use crate::grade::techniques::link_graph::GraphBuilder;

/// The graph for alternating inference chains. Its strong links join the only two candidates of a cell, or the only two
/// places of a digit in a house.
pub(super) struct CellGraph(pub(super) GraphBuilder);

impl Derived for CellGraph {
    fn from_position(board: &Position) -> CellGraph {
        let mut graph = GraphBuilder::default();
        links::bivalue(board, &mut graph);
        links::bilocal(board, &mut graph);
        CellGraph(graph)
    }
}

/// The graph for grouped chains: the links of [`CellGraph`], and links between two groups of cells that together
/// contain all places of a digit in a house.
pub(super) struct GroupGraph(pub(super) GraphBuilder);

impl Derived for GroupGraph {
    fn from_position(board: &Position) -> GroupGraph {
        let mut graph = board.derived::<CellGraph>().0.clone();
        links::grouped(board, &mut graph);
        GroupGraph(graph)
    }
}
