//! Adds the links of almost locked sets that chains need. This is a faster version of [`AlsLinks::link`].
//!
//! [`AlsLinks::link`]: super::links::AlsLinks::link

use super::net::AlsNet;
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::grade::Position;
use crate::grade::techniques::link_graph::GraphBuilder;

/// Adds the links of all almost locked sets to a graph, except links that are not needed because a smaller set has a
/// better one. Also adds links from a digit of a set to a cell outside the set: if the set does not contain that digit,
/// it contains all its other digits, which may leave the outside cell only one candidate.
pub(in crate::grade::techniques) fn link_quickly<'a>(
    board: &'a Position,
    graph: &mut GraphBuilder,
) -> SetNodesInGraph<'a> {
    let net = board.derived::<AlsNet>();
    graph.reserve(net.nodes().len(), net.links().len());
    let nodes = SetNodesInGraph::add_to(graph, board, net);
    for [a, b] in net.links() {
        graph.link(
            nodes.in_graph[usize::from(a)],
            nodes.in_graph[usize::from(b)],
        );
    }
    let [_, _, with_three] = board.at_least();
    let mut beside = Vec::new();
    let mut house = None;
    for (at, set) in net.sets().all.iter().enumerate() {
        if house != Some(set.house) {
            beside.clear();
            house = Some(set.house);
        }
        if set.useful != set.outward {
            link_digits_within(at, &nodes, graph);
        }
        if set.outward.len() >= 2 {
            link_cells_beside(at, with_three, &mut beside, &nodes, graph);
        }
    }
    nodes
}

/// The nodes of almost locked sets (the net), with the numbers that these nodes have in another graph.
pub(in crate::grade::techniques) struct SetNodesInGraph<'a> {
    board: &'a Position,
    net: &'a AlsNet,
    /// For each node of the net, its number in the graph.
    in_graph: Vec<u16>,
    /// For each node of the graph, its number in the net; [`NOT_IN_NET`] if it is not in the net. Nodes that were added
    /// to the graph later have no entry.
    in_net: Vec<u16>,
}

const NOT_IN_NET: u16 = u16::MAX;

impl<'a> SetNodesInGraph<'a> {
    /// Adds all nodes of the net (the almost locked sets) to the graph.
    fn add_to(graph: &mut GraphBuilder, board: &'a Position, net: &'a AlsNet) -> Self {
        let numbers = net.nodes().iter().map(|node| {
            if node.is_in_crossing {
                graph.node(node.digit, node.cells)
            } else {
                // All other groups in the graph lie where a box and a line cross, so the graph does not have this node
                // yet.
                graph.add_group(node.digit, node.cells)
            }
        });
        let in_graph: Vec<u16> = numbers.collect();
        let mut in_net = vec![NOT_IN_NET; graph.nodes().len()];
        for (node, number) in (0..).zip(&in_graph) {
            in_net[usize::from(*number)] = node;
        }
        SetNodesInGraph {
            board,
            net,
            in_graph,
            in_net,
        }
    }

    fn in_net(&self, node: u16) -> Option<usize> {
        let number = self.in_net.get(usize::from(node)).copied();
        number.filter(|n| *n != NOT_IN_NET).map(usize::from)
    }

    /// The open places of the digit that see all cells of this node of the graph; `None` if the node does not belong to
    /// an almost locked set of the net.
    pub(in crate::grade::techniques) fn seen(&self, node: u16) -> Option<CellSet> {
        self.in_net(node).map(|node| self.net.nodes()[node].seen)
    }

    /// The other nodes of almost locked sets that are false if this node of the graph is true; `None` if the node is
    /// not in the net.
    pub(in crate::grade::techniques) fn excluded(
        &self,
        node: u16,
    ) -> Option<impl Iterator<Item = u16>> {
        let excluded = self.net.excluded(self.in_net(node)?).iter();
        Some(excluded.map(|other| self.in_graph[usize::from(*other)]))
    }

    /// The graph node for a digit of an almost locked set. If the graph does not have the node, it is added.
    fn of_set(&self, set: usize, digit: Digit, graph: &mut GraphBuilder) -> u16 {
        if let Some(node) = self.net.find(self.board, set, digit) {
            self.in_graph[node]
        } else {
            let cells = self.net.sets().all[set].cells;
            graph.node(digit, cells & self.board.places(digit))
        }
    }
}

/// Adds the links of a set that are not in the net: links of a digit that excludes no candidate outside the set, but
/// has a single place in the set, and so excludes the other candidates of that cell.
fn link_digits_within(at: usize, nodes: &SetNodesInGraph<'_>, graph: &mut GraphBuilder) {
    let set = &nodes.net.sets().all[at];
    for x in set.useful {
        let mut needed = set.needed_with(x).intersection(set.useful).above(x);
        if set.outward.contains(x) {
            needed = needed.intersection(set.outward.complement());
        }
        if !needed.is_empty() {
            let from = nodes.of_set(at, x, graph);
            for z in needed {
                let to = nodes.of_set(at, z, graph);
                graph.link(from, to);
            }
        }
    }
}

/// A cell outside an almost locked set. If the set does not contain one of the digits `lacked`, the only candidate left
/// in the cell is `left`.
struct Beside {
    places: u16,
    cell: Cell,
    left: Digit,
    lacked: DigitSet,
}

/// Adds links from digits of a set to cells outside. If the set does not contain the digit, it contains its other
/// digits, and these leave the outside cell only one candidate. Only cells in `with_three`, which have three or more
/// candidates, are linked. `smaller` has the linked cells of earlier sets of the house: if a smaller set within the
/// same cells already has such a link to the same candidate, no link is added.
fn link_cells_beside(
    at: usize,
    with_three: CellSet,
    smaller: &mut Vec<Beside>,
    nodes: &SetNodesInGraph<'_>,
    graph: &mut GraphBuilder,
) {
    let set = &nodes.net.sets().all[at];
    let board = nodes.board;
    // `seen_once` and `seen_twice` have the cells in which the set sees at least one or at least two candidates;
    // `left_once` and `left_twice` have the cells in which at least one or at least two candidates are not seen.
    let mut seen_by = [CellSet::EMPTY; 9];
    let (mut seen_once, mut seen_twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for digit in set.outward {
        let seen = nodes.net.seen(board, at, digit);
        seen_by[digit.index()] = seen;
        seen_twice |= seen_once & seen;
        seen_once |= seen;
    }
    seen_twice &= with_three;
    if seen_twice.is_empty() {
        return;
    }
    let (mut left_once, mut left_twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for (digit, seen) in Digit::ALL.into_iter().zip(seen_by) {
        let left = board.open_places(digit).without(seen);
        left_twice |= left_once & left;
        left_once |= left;
    }
    for cell in (seen_twice & left_once).without(left_twice) {
        let is_seen = |digit: &Digit| seen_by[digit.index()].contains(cell);
        let seen: DigitSet = set.outward.filter(is_seen).collect();
        let all = board.by_cell()[cell.index()];
        let Some(left) = all.intersection(seen.complement()).single() else {
            continue;
        };
        let is_known = |beside: &&Beside| {
            beside.places & !set.places == 0 && beside.cell == cell && beside.left == left
        };
        let known = smaller.iter().filter(is_known);
        let known = known.fold(DigitSet::EMPTY, |all, beside| all.union(beside.lacked));
        let mut lacked = set.outward.intersection(seen.complement());
        lacked.remove(left);
        for digit in lacked.intersection(known.complement()) {
            let cell = graph.node(left, CellSet::of(cell));
            let node = nodes.of_set(at, digit, graph);
            graph.link(node, cell);
        }
        smaller.push(Beside {
            places: set.places,
            cell,
            left,
            lacked,
        });
    }
}
