//! The graph of strong and weak links between candidates, in which techniques search for chains.

use crate::bit_rows::{BitRows, has, insert, members, number_type};
use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet};
use crate::grade::{Node, Position};

number_type! {
    /// The number of a node of a [`Graph`] or of its [`GraphBuilder`].
    pub(in crate::grade) NodeId
}

/// A graph of nodes and strong links. At least one node of each strong link is true. Weak links are not stored:
/// two nodes are weakly linked if every candidate of one excludes every candidate of the other.
///
/// ```text
/// nodes[n]     a digit in one cell, or in one of several cells of a house
/// links        the other ends of the strong links, node by node; first_link[n] is n's first
/// seen[n]      the places of the digit that see all of the node's cells
/// in_cell[n]   the other candidates of its cell, if the node is one cell and weak links in cells count
/// rows         a row of bits for each node n: the nodes that are false if n is true
/// ```
#[derive(Clone, Debug, Default)]
pub(in crate::grade) struct Graph {
    nodes: Vec<Node>,
    links: Vec<NodeId>,
    first_link: Vec<u32>,
    seen_places: Vec<CellSet>,
    in_cell: Vec<DigitSet>,
    rows: BitRows,
}

impl Graph {
    /// The number of nodes.
    pub(in crate::grade) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The numbers of all nodes, in ascending order.
    pub(in crate::grade) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// The digit and the cells of the node with this number.
    pub(in crate::grade) fn node(&self, node: NodeId) -> Node {
        self.nodes[node.index()]
    }

    /// The nodes at the other ends of this node's strong links.
    pub(in crate::grade) fn strong_links(&self, node: NodeId) -> &[NodeId] {
        let node_index = node.index();
        &self.links[self.first_link[node_index] as usize..self.first_link[node_index + 1] as usize]
    }

    /// The places of the node's digit that are false if the node is true.
    pub(in crate::grade) fn seen(&self, node: NodeId) -> CellSet {
        self.seen_places[node.index()]
    }

    /// The candidates that are false if the node is true.
    pub(in crate::grade) fn excluded_by(&self, node: NodeId) -> CandidateSet {
        let mut excluded_candidates = CandidateSet::EMPTY;
        self.exclude(node, &mut excluded_candidates);
        excluded_candidates
    }

    /// Adds to `all` the candidates that are false if the node is true.
    pub(in crate::grade) fn exclude(&self, node: NodeId, all: &mut CandidateSet) {
        self.exclude_among(node, &CandidateSet::FULL, all);
    }

    /// Adds to `eliminated` those candidates of `candidates` that are false if the node is true.
    pub(in crate::grade) fn exclude_among(
        &self,
        node: NodeId,
        candidates: &CandidateSet,
        eliminated: &mut CandidateSet,
    ) {
        let node_index = node.index();
        let Node { digit, cells } = self.nodes[node_index];
        eliminated.insert(
            digit,
            self.seen_places[node_index] & candidates.cells(digit),
        );
        for digit in self.in_cell[node_index] {
            eliminated.insert(digit, cells & candidates.cells(digit));
        }
    }

    /// The nodes that are false if the node is true, in ascending order.
    pub(super) fn excluded_nodes(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        members(self.excluded_row(node).iter().copied()).map(NodeId::new)
    }

    /// The nodes that are false if the node is true, as a row of bits.
    pub(super) fn excluded_row(&self, node: NodeId) -> &[u64] {
        self.rows.row(node.index())
    }

    /// Whether `other` must be false if `node` is true.
    pub(in crate::grade) fn excludes(&self, node: NodeId, other: NodeId) -> bool {
        has(self.excluded_row(node), other.index())
    }
}

/// Collects nodes and strong links, from which a [`Graph`] is built.
#[derive(Clone, Debug)]
pub(in crate::grade) struct GraphBuilder {
    nodes: Vec<Node>,
    links: Vec<(NodeId, NodeId)>,
    /// For each digit and cell, the node that has only this cell; [`NO_NODE`] if there is none.
    single: [[NodeId; 81]; 9],
    /// For each digit and cell, the group with this first cell that was added last; [`NO_NODE`] if there is none. A
    /// group is a node of several cells.
    latest: [[NodeId; 81]; 9],
    /// For each node, the group with the same digit and first cell that was added before it; [`NO_NODE`] if there is
    /// none.
    previous_of_node: Vec<NodeId>,
    /// For each digit, the cells of its single-cell nodes, and the first cells of its groups.
    first_cells: [[CellSet; 2]; 9],
}

const NO_NODE: NodeId = NodeId(u16::MAX);

impl Default for GraphBuilder {
    fn default() -> GraphBuilder {
        GraphBuilder {
            nodes: Vec::with_capacity(256),
            links: Vec::with_capacity(256),
            single: [[NO_NODE; 81]; 9],
            latest: [[NO_NODE; 81]; 9],
            previous_of_node: Vec::with_capacity(256),
            first_cells: [[CellSet::EMPTY; 2]; 9],
        }
    }
}

impl GraphBuilder {
    /// The nodes that have been added so far; the index of a node is its number.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The strong links that have been added, each in both directions.
    pub(super) fn links(&self) -> &[(NodeId, NodeId)] {
        &self.links
    }

    /// The number of the node for this digit in these cells. The node is added if it does not exist.
    /// There must be at least one cell.
    pub(in crate::grade) fn node(&mut self, digit: Digit, cells: CellSet) -> NodeId {
        match cells.single() {
            Some(cell) => self.node_of_cell(digit, cell),
            None => {
                let known_node = self.known_group(digit, cells);
                known_node.unwrap_or_else(|| self.add_group(digit, cells))
            }
        }
    }

    /// The number of the node for this digit in these cells; `None` if it has not been added. There must be at least
    /// one cell.
    pub(super) fn known_node(&self, digit: Digit, cells: CellSet) -> Option<NodeId> {
        match cells.single() {
            Some(cell) => self.known_node_of_cell(digit, cell),
            None => self.known_group(digit, cells),
        }
    }

    fn known_group(&self, digit: Digit, cells: CellSet) -> Option<NodeId> {
        let first = cells.first().expect("a node has a cell");
        let mut groups = self.groups_from(digit, first);
        let known_group = groups.find(|(_, own)| *own == cells);
        known_group.map(|(number, _)| number)
    }

    /// Adds a group (a node of several cells). The graph must not have it yet.
    fn add_group(&mut self, digit: Digit, cells: CellSet) -> NodeId {
        let first = cells.first().expect("a node has a cell");
        let node_number = NodeId::new(self.nodes.len());
        self.nodes.push(Node { digit, cells });
        self.first_cells[digit.index()][1].insert(first);
        let latest = &mut self.latest[digit.index()][first.index()];
        self.previous_of_node
            .push(std::mem::replace(latest, node_number));
        node_number
    }

    /// The number of the node for this digit in this cell alone. The node is added if it does not exist.
    pub(super) fn node_of_cell(&mut self, digit: Digit, cell: Cell) -> NodeId {
        let known_node = &mut self.single[digit.index()][cell.index()];
        if *known_node == NO_NODE {
            *known_node = NodeId::new(self.nodes.len());
            let cells = CellSet::of(cell);
            self.nodes.push(Node { digit, cells });
            self.first_cells[digit.index()][0] |= cells;
            self.previous_of_node.push(NO_NODE);
        }
        *known_node
    }

    /// The number of the node for this digit in this cell alone; `None` if it has not been added.
    pub(super) fn known_node_of_cell(&self, digit: Digit, cell: Cell) -> Option<NodeId> {
        let known_node = self.single[digit.index()][cell.index()];
        (known_node != NO_NODE).then_some(known_node)
    }

    /// The groups (nodes of several cells) of a digit that have this first cell, each with all its cells.
    fn groups_from(&self, digit: Digit, cell: Cell) -> impl Iterator<Item = (NodeId, CellSet)> {
        let mut next_node = self.latest[digit.index()][cell.index()];
        std::iter::from_fn(move || {
            let node_number = next_node;
            let node = self.nodes.get(node_number.index())?;
            next_node = self.previous_of_node[node_number.index()];
            Some((node_number, node.cells))
        })
    }

    /// The cells of the digit's nodes that have only one cell.
    pub(super) fn single_cells(&self, digit: Digit) -> CellSet {
        self.first_cells[digit.index()][0]
    }

    /// Calls `visit` with each group of the digit whose cells are all in `allowed_cells`.
    pub(super) fn for_each_group_within(
        &self,
        digit: Digit,
        allowed_cells: CellSet,
        mut visit: impl FnMut(NodeId),
    ) {
        (allowed_cells & self.first_cells[digit.index()][1]).for_each(|cell| {
            self.groups_from(digit, cell)
                .filter(|(_, cells)| cells.is_subset(allowed_cells))
                .for_each(|(other, _)| visit(other));
        });
    }

    /// Whether a group of the digit has all its cells in `allowed_cells`.
    pub(super) fn has_group_within(&self, digit: Digit, allowed_cells: CellSet) -> bool {
        let mut first_cells = allowed_cells & self.first_cells[digit.index()][1];
        first_cells.any(|cell| {
            let mut groups = self.groups_from(digit, cell);
            groups.any(|(_, cells)| cells.is_subset(allowed_cells))
        })
    }

    /// Calls `visit` with each node of a digit that has only one cell, if that cell is in `all`.
    pub(super) fn for_each_cell_within(
        &self,
        digit: Digit,
        all: CellSet,
        mut visit: impl FnMut(NodeId),
    ) {
        (all & self.single_cells(digit)).for_each(|cell| {
            visit(self.single[digit.index()][cell.index()]);
        });
    }

    /// Calls `visit` with each node of a digit whose cells are all in `all`.
    pub(super) fn for_each_within(
        &self,
        digit: Digit,
        all: CellSet,
        mut visit: impl FnMut(NodeId),
    ) {
        self.for_each_cell_within(digit, all, &mut visit);
        self.for_each_group_within(digit, all, visit);
    }

    /// Adds a strong link between two nodes: at least one of them is true.
    pub(in crate::grade) fn link(&mut self, a: NodeId, b: NodeId) {
        self.links.push((a, b));
        self.links.push((b, a));
    }

    /// Builds the graph. Weak links join nodes of the same digit, and, if `in_cell` is true, also nodes in the
    /// same cell.
    pub(in crate::grade) fn build(self, board: &Position, in_cell: bool) -> Graph {
        let common_peers: Vec<CellSet> = self
            .nodes
            .iter()
            .map(|node| node.cells.common_peers() & board.open_places(node.digit))
            .collect();
        let other_candidates = |node: &Node| match node.cells.single() {
            Some(cell) if in_cell => {
                let mut other_digits = board.by_cell()[cell.index()];
                other_digits.remove(node.digit);
                other_digits
            }
            _ => DigitSet::EMPTY,
        };
        let in_cell: Vec<DigitSet> = self.nodes.iter().map(other_candidates).collect();
        let rows = self.rows(&common_peers, &in_cell);
        let mut first_link = vec![0; self.nodes.len() + 1];
        for &(from, _) in &self.links {
            first_link[from.index() + 1] += 1;
        }
        for n in 0..self.nodes.len() {
            first_link[n + 1] += first_link[n];
        }
        let mut next_slot: Vec<u32> = first_link.clone();
        let mut links = vec![NO_NODE; self.links.len()];
        for &(from, to) in &self.links {
            let slot = &mut next_slot[from.index()];
            links[*slot as usize] = to;
            *slot += 1;
        }
        Graph {
            nodes: self.nodes,
            links,
            first_link,
            seen_places: common_peers,
            in_cell,
            rows,
        }
    }

    fn rows(&self, seen: &[CellSet], in_cell: &[DigitSet]) -> BitRows {
        let mut rows = BitRows::new(self.nodes.len(), self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let row = rows.row_mut(n);
            let mut set = |other: NodeId| insert(row, other.index());
            self.for_each_within(node.digit, seen[n], &mut set);
            for digit in in_cell[n] {
                self.for_each_within(digit, node.cells, &mut set);
            }
        }
        rows
    }
}
