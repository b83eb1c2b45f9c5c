//! Strong links between the digits of almost locked sets.

use super::sets::{AlmostLockedSet, almost_locked_sets};
use crate::board::{CandidateSet, CellSet, Digit, DigitSet};
use crate::grade::Position;
use crate::grade::position::Derived;
use crate::grade::techniques::link_graph::{Graph, GraphBuilder, NodeId};

/// The almost locked sets of a board, and the strong links between their digits. A strong link joins two digits of one
/// set, because the set contains at least one of the two.
///
/// These are computed once for each board, and used by four techniques.
#[derive(Clone, Debug)]
pub(in crate::grade) struct AlsLinks {
    /// All almost locked sets of the board.
    all: Vec<AlmostLockedSet>,
    /// The sets that chains can use: at least two of their digits exclude a candidate outside the set. A digit does so
    /// if an open place outside the set sees all places of the digit in the set.
    pub(super) sets: Vec<AlmostLockedSet>,
    /// For each set in `sets`, the graph nodes of the digits that exclude a candidate outside the set.
    pub(super) nodes: Vec<Vec<NodeId>>,
    /// For each digit, the numbers of its nodes in `graph`.
    pub(super) by_digit: [Vec<NodeId>; 9],
    pub(super) graph: Graph,
}

impl Derived for AlsLinks {
    fn from_position(board: &Position) -> AlsLinks {
        let mut builder = GraphBuilder::default();
        let mut sets = Vec::new();
        let mut nodes = Vec::new();
        let all = almost_locked_sets(board.by_cell(), board.unsolved());
        for set in &all {
            let useful = link(board, set, &mut builder, |_, seen| !seen.is_empty());
            if useful.len() >= 2 {
                sets.push(*set);
                nodes.push(useful);
            }
        }
        let mut by_digit: [Vec<NodeId>; 9] = Default::default();
        let graph = builder.build(board, false);
        for node in graph.ids() {
            by_digit[graph.node(node).digit.index()].push(node);
        }
        AlsLinks {
            all,
            sets,
            nodes,
            by_digit,
            graph,
        }
    }
}

impl AlsLinks {
    /// All almost locked sets of the board.
    pub(in crate::grade) fn all(&self) -> &[AlmostLockedSet] {
        &self.all
    }

    /// Adds the strong links of all sets to a graph. Also adds links from a digit of a set to a cell outside the set:
    /// if the set does not contain that digit, it contains all its other digits, which may leave the outside cell only
    /// one candidate.
    pub(in crate::grade) fn link(&self, board: &Position, graph: &mut GraphBuilder) {
        for set in &self.all {
            // If the node is a single cell, it excludes the other candidates of that cell, so it is always useful.
            let is_useful =
                |cells: CellSet, seen: CellSet| !seen.is_empty() || cells.single().is_some();
            link(board, set, graph, is_useful);
        }
        let digits = board.by_cell();
        for set in 0..self.sets.len() {
            let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
            for (_, node) in self.digit_nodes(set) {
                let seen = self.graph.seen(node);
                twice |= once & seen;
                once |= seen;
            }
            for cell in twice {
                let is_seen = |(_, node): &(Digit, NodeId)| self.graph.seen(*node).contains(cell);
                let seen: DigitSet = self
                    .digit_nodes(set)
                    .filter(is_seen)
                    .map(|(digit, _)| digit)
                    .collect();
                let left = digits[cell.index()].intersection(seen.complement());
                let Some(left) = left.single() else {
                    continue;
                };
                let cell = graph.node(left, CellSet::of(cell));
                for (digit, node) in self.digit_nodes(set) {
                    if digit != left && !seen.contains(digit) {
                        let node = graph.node(digit, self.graph.node(node).cells);
                        graph.link(node, cell);
                    }
                }
            }
        }
    }

    /// The candidates that are false because one of two sets contains their digit. For each digit that both sets have
    /// and `but` does not, these are the open places that see all places of the digit in both sets.
    pub(super) fn common_exclusions(&self, one: usize, two: usize, but: DigitSet) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for (digit, a) in self.digit_nodes(one) {
            for (other, b) in self.digit_nodes(two) {
                if digit == other && !but.contains(digit) {
                    all.insert(digit, self.graph.seen(a) & self.graph.seen(b));
                }
            }
        }
        all
    }

    /// The digits of a set that exclude a candidate outside the set, each with its graph node.
    pub(super) fn digit_nodes(&self, set: usize) -> impl Iterator<Item = (Digit, NodeId)> + '_ {
        let nodes = self.nodes[set].iter();
        nodes.map(|&node| (self.graph.node(node).digit, node))
    }
}

/// Links the useful digits of a set with each other, and returns their nodes. `is_useful` is called with the places of
/// a digit in the set, and with the open places outside that see all of them. If no open place sees them, the digit
/// excludes nothing, and chains do not need it.
fn link(
    board: &Position,
    set: &AlmostLockedSet,
    graph: &mut GraphBuilder,
    is_useful: impl Fn(CellSet, CellSet) -> bool,
) -> Vec<NodeId> {
    let mut nodes = Vec::with_capacity(set.digits.len());
    let mut useful = DigitSet::EMPTY;
    for digit in set.digits {
        let cells = set.cells & board.places(digit);
        if is_useful(cells, cells.common_peers() & board.open_places(digit)) {
            useful.insert(digit);
        }
    }
    if useful.len() < 2 {
        return nodes;
    }
    for digit in useful {
        let node = graph.node(digit, set.cells & board.places(digit));
        for &other in &nodes {
            graph.link(other, node);
        }
        nodes.push(node);
    }
    nodes
}
