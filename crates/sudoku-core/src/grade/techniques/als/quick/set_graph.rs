//! The nodes and strong links that almost locked sets add to chains. This is a faster version of
//! [`AlsLinks::link`](super::super::listed::links::AlsLinks::link).

use super::cells_beside;
use super::net::AlsNet;
use super::nodes::{SetNode, SetNodeId};
use crate::board::{CellSet, Digit, House};
use crate::grade::Position;

/// A graph of the almost locked sets of a board: the net, and nodes and links that only chains with other links need.
pub(in crate::grade::techniques) struct SetGraph<'a> {
    board: &'a Position,
    net: &'a AlsNet,
    /// Nodes that are not in the net. Their numbers follow those of the net's nodes.
    more_nodes: Vec<SetNode>,
    /// Strong links that are not in the net.
    more_links: Vec<[SetNodeId; 2]>,
    /// The pairs of nodes of several cells that exclude each other, if one of the two is in `more_nodes`.
    more_excluded: Vec<[SetNodeId; 2]>,
}

impl<'a> SetGraph<'a> {
    pub(in crate::grade::techniques) fn from_position(board: &'a Position) -> Self {
        let net = board.derived::<AlsNet>();
        let mut graph = SetGraph {
            board,
            net,
            more_nodes: Vec::new(),
            more_links: Vec::new(),
            more_excluded: Vec::new(),
        };
        graph.link_digits_within();
        cells_beside::for_each(board, net.sets(), |beside| {
            let cell = graph.number(beside.left, CellSet::of(beside.cell));
            for digit in beside.lacked {
                let node = graph.number_in_set(beside.set, digit);
                graph.more_links.push([node, cell]);
            }
        });
        graph.find_more_excluded();
        graph
    }

    /// All nodes, in the order of their numbers. The same single cell can have two numbers.
    pub(in crate::grade::techniques) fn nodes(&self) -> impl Iterator<Item = &SetNode> {
        self.net.nodes().iter().chain(&self.more_nodes)
    }

    /// All nodes, each with its number.
    pub(in crate::grade::techniques) fn numbered_nodes(
        &self,
    ) -> impl Iterator<Item = (SetNodeId, &SetNode)> {
        let nodes = self.nodes().enumerate();
        nodes.map(|(index, node)| (SetNodeId::new(index), node))
    }

    /// The number of nodes.
    pub(in crate::grade::techniques) fn len(&self) -> usize {
        self.net.nodes().len() + self.more_nodes.len()
    }

    /// The node with this number.
    pub(in crate::grade::techniques) fn node(&self, number: SetNodeId) -> &SetNode {
        let number = number.index();
        let of_net = self.net.nodes();
        of_net
            .get(number)
            .unwrap_or_else(|| &self.more_nodes[number - of_net.len()])
    }

    /// The two nodes of each strong link.
    pub(in crate::grade::techniques) fn links(&self) -> impl Iterator<Item = [SetNodeId; 2]> {
        self.net.links().chain(self.more_links.iter().copied())
    }

    /// The pairs of nodes that exclude each other. Some pairs are listed twice, and some pairs in which a node has a
    /// single cell are missing.
    pub(in crate::grade::techniques) fn excluded_pairs(
        &self,
    ) -> impl Iterator<Item = [SetNodeId; 2]> {
        let of_net = self.net.excluded_pairs().iter();
        of_net.chain(&self.more_excluded).copied()
    }

    /// The number of the node for a digit of a set. If there is no such node, it is added.
    fn number_in_set(&mut self, set: usize, digit: Digit) -> SetNodeId {
        match self.net.find(self.board, set, digit) {
            Some(number) => number,
            None => {
                let cells = self.net.sets().all[set].cells;
                self.number(digit, cells & self.board.places(digit))
            }
        }
    }

    /// The number of a node in `more_nodes`. If there is no such node, it is added.
    fn number(&mut self, digit: Digit, cells: CellSet) -> SetNodeId {
        let is_this = |node: &SetNode| node.digit == digit && node.cells == cells;
        let index = self.more_nodes.iter().position(is_this);
        let index = index.unwrap_or_else(|| {
            let has_all = |house: &&House| cells.is_subset(house.cells());
            self.more_nodes.push(SetNode {
                digit,
                cells,
                seen: cells.common_peers() & self.board.open_places(digit),
                is_in_crossing: House::ALL.iter().filter(has_all).count() > 1,
            });
            self.more_nodes.len() - 1
        });
        SetNodeId::new(self.net.nodes().len() + index)
    }

    /// Adds the links within sets that are not in the net: links of a digit that excludes no candidate outside the set,
    /// but has a single place in the set, and so excludes the other candidates of that cell.
    fn link_digits_within(&mut self) {
        let sets = self.net.sets().all.iter().enumerate();
        for (at, set) in sets.filter(|(_, set)| set.useful != set.outward) {
            for x in set.useful {
                let mut needed = set.needed_with(x).intersection(set.useful).above(x);
                if set.outward.contains(x) {
                    needed = needed.intersection(set.outward.complement());
                }
                for z in needed {
                    let nodes = [x, z].map(|digit| self.number_in_set(at, digit));
                    self.more_links.push(nodes);
                }
            }
        }
    }

    /// Finds the pairs that are not in the net. A single cell is left out, because all nodes that see it are known.
    fn find_more_excluded(&mut self) {
        let first = self.net.nodes().len();
        for (node, from) in (first..).map(SetNodeId::new).zip(&self.more_nodes) {
            if from.cells.single().is_some() {
                continue;
            }
            let nodes = self.net.nodes().iter().chain(&self.more_nodes);
            for (other, to) in (0..).map(SetNodeId::new).zip(nodes) {
                if to.digit == from.digit && to.cells.is_subset(from.seen) {
                    self.more_excluded.push([node, other]);
                }
            }
        }
    }
}
