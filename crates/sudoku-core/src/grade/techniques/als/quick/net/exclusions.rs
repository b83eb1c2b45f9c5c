//! The candidates that nodes of the graph exclude if they are true, or if they are false.

use super::super::packed::{PackedCells, PackedSet};
use super::{AlsNet, NodesOfSet, SetLink};
use crate::board::{CandidateSet, Cell, CellSet, Digit};

/// The candidates that nodes exclude in some cells of the board, which are at most 64. What a node excludes in one cell
/// does not depend on the other cells, so the cells of a board can be treated in parts.
pub(in super::super) struct Exclusions {
    cells: PackedCells,
    /// For each node, its [`SetNode::seen`](super::SetNode::seen) as bits.
    seen: Vec<u64>,
    /// For each node in [`AlsNet::excluding`], the candidates that are false if the node is false. The node's set then
    /// contains all its other digits.
    if_false: Vec<PackedSet>,
    /// For each node in [`AlsNet::excluding`], candidates that are false if the node is true: the node makes the nodes
    /// that it excludes false, and these candidates follow from that.
    if_true: Vec<PackedSet>,
}

impl Exclusions {
    pub(super) fn from_net(net: &AlsNet, cells: PackedCells) -> Exclusions {
        let nodes = net.nodes.all().iter();
        let count = net.excluding.len();
        let mut exclusions = Exclusions {
            seen: nodes.map(|node| cells.pack(node.seen)).collect(),
            cells,
            if_false: Vec::with_capacity(count),
            if_true: vec![PackedSet::EMPTY; count],
        };
        exclusions.follow_links(net);
        exclusions.follow_excluded_pairs(net);
        exclusions
    }

    /// Computes `if_false`. If a node is false, all other nodes of its set are true, and these exclude candidates.
    ///
    /// Nodes without a needed link to this node are included, because that is faster, and adds nothing that chains do
    /// not find in a smaller set.
    fn follow_links(&mut self, net: &AlsNet) {
        for nodes in &net.of_set {
            let excluded = self.excluded_by_set(nodes);
            for digit in nodes.digits {
                let index = net.excluding_id(nodes.number(digit)).index();
                if let Some(if_false) = self.if_false.get_mut(index) {
                    if_false.add(&excluded);
                } else if index == self.if_false.len() {
                    // Nodes are numbered in the order of the sets, so this is the first set of this node.
                    self.if_false.push(excluded);
                }
            }
        }
        // No set contains another node of the same digit, so the places of this digit are those of the node itself.
        for (node, if_false) in net.excluding.iter().zip(&mut self.if_false) {
            if_false.clear(net.node(*node).digit);
        }
    }

    /// The candidates that are false if a set contains the digits of all its nodes.
    fn excluded_by_set(&self, nodes: &NodesOfSet) -> PackedSet {
        let mut all = PackedSet::EMPTY;
        for digit in nodes.digits {
            all.insert(digit, self.seen[nodes.number(digit).index()]);
        }
        all
    }

    /// Computes `if_true`. A node that is true makes the nodes that it excludes false.
    fn follow_excluded_pairs(&mut self, net: &AlsNet) {
        for pair in &net.excluded_pairs {
            let [a, b] = pair.map(|node| net.excluding_id(node).index());
            self.if_true[a].add(&self.if_false[b]);
            self.if_true[b].add(&self.if_false[a]);
        }
    }

    /// See [`AlsNet::over_one_set`].
    pub(super) fn over_one_set(&self) -> CandidateSet {
        let mut all = PackedSet::EMPTY;
        for (if_false, if_true) in self.if_false.iter().zip(&self.if_true) {
            all.add_common(if_false, if_true);
        }
        self.cells.unpack_all(&all)
    }

    /// See [`AlsNet::over_two_sets`].
    pub(super) fn over_two_sets(&self, net: &AlsNet) -> CandidateSet {
        let mut all = PackedSet::EMPTY;
        for link in &net.both_excluding {
            let [x, y] = self.with_centre(net, link);
            all.add_common(x, y);
        }
        self.cells.unpack_all(&all)
    }

    /// The links in the centre of ALS-XY-wings that remove a candidate which is not in `known`.
    pub(super) fn centres<'a>(
        &'a self,
        net: &'a AlsNet,
        known: &CandidateSet,
    ) -> impl Iterator<Item = &'a SetLink> + use<'a> {
        let known = self.cells.pack_all(known);
        net.both_excluding.iter().filter(move |link| {
            let [x, y] = self.with_centre(net, link);
            !known.contains_common(x, y)
        })
    }

    /// For the two nodes of a link in the centre of ALS-XY-wings, the candidates that are false if the node is true.
    /// One of the two nodes is true, so the candidates that are false in both cases are removed.
    fn with_centre(&self, net: &AlsNet, link: &SetLink) -> [&PackedSet; 2] {
        link.nodes
            .map(|node| &self.if_true[net.excluding_id(node).index()])
    }

    /// Calls `visit` with each petal of a death blossom whose stem is one of these cells: with the stem, the digit of
    /// the stem that the petal's set then does not contain, and what the nodes of the set exclude. The petal excludes
    /// all of these candidates except those of the digit itself.
    pub(in super::super) fn for_each_petal(
        &self,
        net: &AlsNet,
        stems: CellSet,
        mut visit: impl FnMut(Cell, Digit, &PackedSet),
    ) {
        for nodes in &net.of_set {
            let excluded = self.excluded_by_set(nodes);
            for digit in nodes.digits {
                let seen = net.node(nodes.number(digit)).seen;
                (seen & stems).for_each(|stem| visit(stem, digit, &excluded));
            }
        }
    }

    /// The candidates of a set of bits.
    pub(in super::super) fn unpack(&self, packed: &PackedSet) -> CandidateSet {
        self.cells.unpack_all(packed)
    }
}
