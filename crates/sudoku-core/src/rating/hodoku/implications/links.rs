//! The direct links of HoDoKu's chains: what follows from a candidate if it is true, and if it is false.

use crate::bit_rows::{BitRows, add, has, insert, members, number_type};
use crate::board::{Cell, CellSet, Digit, House};
use crate::rating::hodoku::path::state::{Candidate, State};

number_type! {
    /// The number of a node: its index in [`Links::nodes`].
    pub(crate) NodeId
}

number_type! {
    /// The number of a premise: that a node is true (an even number), or that it is false (an odd number).
    pub(crate) Premise
}

/// A candidate, or a group: two or three places of a digit in cells that a line and a block share.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Node {
    pub(crate) cells: CellSet,
    pub(crate) first: Cell,
    pub(crate) digit: Digit,
    pub(crate) is_group: bool,
}

/// The direct links between all candidates and groups of a board.
///
/// ```text
/// nodes    candidates by cell and digit │ groups: rows by digit and block, then columns
/// premise  2 · node       the node is true: a candidate is, or one of a group's is
///          2 · node + 1   the node is false: the candidate is, or all of the group's are
/// ```
pub(crate) struct Links {
    pub(crate) nodes: Vec<Node>,
    /// The number of nodes that are candidates. The nodes after them are groups.
    pub(crate) candidates: usize,
    /// For each cell and digit, the number of its node; [`NO_NODE`] if the cell does not have the candidate.
    node_at: Vec<NodeId>,
    /// For each premise, the premises that follow from it by a single link.
    pub(crate) direct: BitRows,
}

const NO_NODE: NodeId = NodeId(u16::MAX);

/// The largest number of 64-bit words in a set of premises. The set has space for all candidates, and for a group of
/// each digit in each of the 54 crossings of a line and a block.
pub(crate) const MOST_WORDS: usize = usize::div_ceil(2 * 9 * (81 + 54), 64);

/// A mask of the even bits. They stand for the premises that a node is true.
pub(crate) const EVEN: u64 = 0x5555_5555_5555_5555;

/// The premise that the node is true if `is_on`, otherwise that it is false.
#[inline]
pub(crate) fn premise(node: NodeId, is_on: bool) -> Premise {
    Premise(2 * node.0 + u16::from(!is_on))
}

impl Premise {
    /// The node that is true or false.
    #[inline]
    pub(crate) fn node(self) -> NodeId {
        NodeId(self.0 / 2)
    }

    /// Whether the premise is that the node is true.
    #[inline]
    pub(crate) fn is_on(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

impl Links {
    pub(crate) fn new(state: &State, with_groups: bool) -> Links {
        let mut nodes = Vec::with_capacity(512);
        let mut node_at = vec![NO_NODE; 81 * 9];
        for cell in state.empty() {
            for digit in state.digits(cell) {
                node_at[9 * cell.index() + digit.index()] = NodeId::new(nodes.len());
                nodes.push(Node {
                    cells: CellSet::of(cell),
                    first: cell,
                    digit,
                    is_group: false,
                });
            }
        }
        let candidates = nodes.len();
        if with_groups {
            nodes.extend(groups(state));
        }
        let mut links = Links {
            direct: BitRows::new(2 * nodes.len(), 2 * nodes.len()),
            nodes,
            candidates,
            node_at,
        };
        links.link(state);
        links
    }

    /// The number of the node for this candidate.
    pub(crate) fn node(&self, cell: Cell, digit: Digit) -> NodeId {
        self.node_at[9 * cell.index() + digit.index()]
    }

    /// The nodes that are candidates.
    pub(crate) fn candidate_nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.candidates).map(NodeId::new)
    }

    /// The premises that a candidate is true or false.
    pub(crate) fn candidate_premises(&self) -> impl Iterator<Item = Premise> + Clone + use<> {
        (0..2 * self.candidates).map(Premise::new)
    }

    /// Whether the node of a premise is a candidate, not a group.
    #[inline]
    pub(crate) fn is_candidate(&self, premise: Premise) -> bool {
        premise.index() < 2 * self.candidates
    }

    /// The node of a premise.
    #[inline]
    pub(crate) fn node_of(&self, premise: Premise) -> Node {
        self.nodes[premise.node().index()]
    }

    /// The candidate of a node; if the node is a group, its first candidate.
    pub(crate) fn candidate(&self, node: NodeId) -> Candidate {
        let Node { first, digit, .. } = self.nodes[node.index()];
        (first, digit)
    }

    /// Adds all links. At most one candidate of a cell is true, and at most one place of a digit in a house. If two
    /// nodes together contain all candidates of the cell, or all places of the digit, one of the two is true.
    fn link(&mut self, state: &State) {
        let mut unit = Vec::new();
        for cell in state.empty() {
            unit.clear();
            unit.extend(state.digits(cell).map(|digit| self.node(cell, digit)));
            self.link_unit(&unit, unit.len());
        }
        for digit in Digit::ALL {
            let groups = self.candidates..self.nodes.len();
            let groups = groups.filter(|at| self.nodes[*at].digit == digit);
            let groups: Vec<NodeId> = groups.map(NodeId::new).collect();
            for house in House::ALL {
                let places = house.cells() & state.places(digit);
                unit.clear();
                unit.extend(places.map(|cell| self.node(cell, digit)));
                let candidates = unit.len();
                let in_house = |at: &NodeId| self.nodes[at.index()].cells.is_subset(places);
                unit.extend(groups.iter().copied().filter(in_house));
                self.link_unit(&unit, candidates);
                for group in &unit[candidates..] {
                    let other_places = places.without(self.nodes[group.index()].cells);
                    let is_rest = |other: &&NodeId| self.nodes[other.index()].cells == other_places;
                    if let Some(other) = unit.iter().find(is_rest) {
                        self.link_strongly(*group, *other);
                    }
                }
            }
            for group in groups.iter().copied() {
                let cells = self.nodes[group.index()].cells;
                let overlaps = |at: &NodeId| !(self.nodes[at.index()].cells & cells).is_empty();
                let others = groups.iter().copied().filter(overlaps);
                let own_nodes = cells.map(|cell| self.node(cell, digit));
                for other in own_nodes.chain(others).collect::<Vec<NodeId>>() {
                    self.unlink(group, other);
                    self.unlink(other, group);
                }
            }
        }
        for node in self.candidate_nodes() {
            self.unlink(node, node);
        }
    }

    /// Links the nodes of a cell, or of a digit in a house. The first `candidates` nodes are candidates. A true node
    /// makes all these nodes false, even itself and groups that share cells with it; these wrong links are removed at
    /// the end.
    fn link_unit(&mut self, nodes: &[NodeId], candidates: usize) {
        let mut all_off = [0; MOST_WORDS];
        for node in nodes {
            insert(&mut all_off, premise(*node, false).index());
        }
        for node in nodes {
            add(self.direct.row_mut(premise(*node, true).index()), &all_off);
        }
        if let [a, b] = nodes[..candidates] {
            self.link_strongly(a, b);
        }
    }

    /// Adds the strong links between two nodes: if one is false, the other one is true.
    fn link_strongly(&mut self, a: NodeId, b: NodeId) {
        for (off, on) in [(a, b), (b, a)] {
            self.direct
                .insert(premise(off, false).index(), premise(on, true).index());
        }
    }

    /// Removes the link from `node` being true to `other` being false.
    fn unlink(&mut self, node: NodeId, other: NodeId) {
        self.direct
            .remove(premise(node, true).index(), premise(other, false).index());
    }

    /// Visits the premises that follow from a premise by one link, in HoDoKu's order: first other digits of the cell,
    /// then row, column, block, and groups. Some are visited twice.
    pub(crate) fn each_direct(
        &self,
        state: &State,
        from: Premise,
        visit: &mut impl FnMut(Premise),
    ) {
        let (node, is_on) = (self.node_of(from), from.is_on());
        let row = self.direct.row(from.index());
        let all = || members(row.iter().copied()).map(Premise::new);
        if node.is_group {
            let candidates = all().take_while(|to| is_on && self.is_candidate(*to));
            candidates.for_each(&mut *visit);
            let houses = House::ALL.into_iter();
            for house in houses.filter(|house| node.cells.is_subset(house.cells())) {
                let in_house = |to: &Premise| self.node_of(*to).cells.is_subset(house.cells());
                all().filter(in_house).for_each(&mut *visit);
            }
            return;
        }
        let digits = state.digits(node.first).map(|digit| (node.first, digit));
        let houses = node.first.houses().into_iter();
        let cells = houses.flat_map(|house| house.cells() & state.places(node.digit));
        digits
            .chain(cells.map(|cell| (cell, node.digit)))
            .map(|(cell, digit)| premise(self.node(cell, digit), !is_on))
            .filter(|to| has(row, to.index()))
            .chain(all().skip_while(|to| self.is_candidate(*to)))
            .for_each(visit);
    }
}

fn groups(state: &State) -> Vec<Node> {
    let mut groups = Vec::new();
    for line in House::lines() {
        for digit in Digit::ALL {
            let places = line.cells() & state.places(digit);
            for block in House::boxes() {
                let cells = places & block.cells();
                if let (Some(first), true) = (cells.first(), cells.len() > 1) {
                    groups.push(Node {
                        cells,
                        first,
                        digit,
                        is_group: true,
                    });
                }
            }
        }
    }
    groups
}
