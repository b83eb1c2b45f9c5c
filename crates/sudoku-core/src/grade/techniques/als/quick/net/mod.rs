//! The links between the digits of almost locked sets, as a graph stored in lists. This is a faster version of
//! [`AlsLinks`](super::super::listed::links::AlsLinks), which can also list the patterns.

mod exclusions;

use self::exclusions::Exclusions;
use super::nodes::{NO_NODE, Nodes, SetNode, SetNodeId, seen};
use super::packed::PackedCells;
use super::sets::{QuickSet, QuickSets};
use crate::bit_rows::{BitRows, insert, members, number_type};
use crate::board::{CandidateSet, CellSet, Digit, DigitSet, House};
use crate::grade::Position;
use crate::grade::position::Derived;

number_type! {
    /// The index of a node in [`AlsNet::excluding`], and of its entries in [`Exclusions`].
    ExcludingId
}

/// A graph of the almost locked sets of a board. A node is a digit with its places in one of the sets.
///
/// ```text
/// set 7   r1c1 = 13, r1c2 = 23                     set 9   r1c8 = 34, r5c8 = 45
///
///     1 in r1c1 ══ 2 in r1c2                           4 in r1c8 r5c8 ══ 5 in r5c8
///            ╲╲    ╱╱                                            ╲╲    ╱╱
///           3 in r1c1 r1c2 ──────────────────────────────────── 3 in r1c8
///
/// ══  at least one is true: a set lacks at most one of its digits   links
/// ──  at most one is true: each place of 3 in one set sees          excluded_pairs
///     all its places in the other
/// ```
///
/// Sets and nodes have numbers, and the nodes that exclude another node have an entry in each of `exclusions`. The arrays
/// lead from one to the other:
///
/// ```text
/// set ── of_set ──► node ── excluding_index ──► entry of the exclusions
///                        ◄───── excluding ─────
/// ```
///
/// A strong link joins two digits of a set, because the set contains at least one of the two. Only links that chains
/// need are kept, and only nodes with such a link. Chains need a link if both nodes are seen by open places outside the
/// set, and if no smaller set within the same cells has the same two digits.
pub(super) struct AlsNet {
    sets: QuickSets,
    nodes: Nodes,
    /// For each almost locked set, its nodes.
    of_set: Vec<NodesOfSet>,
    /// All strong links that chains need.
    links: Vec<SetLink>,
    /// The pairs of nodes that exclude each other: both have the same digit, and at most one of them is true.
    excluded_pairs: Vec<[SetNodeId; 2]>,
    /// The nodes that exclude at least one other node, in ascending order.
    excluding: Vec<SetNodeId>,
    /// For each node, its index in `excluding`; [`NOT_EXCLUDING`] if the node excludes no other node.
    excluding_index: Vec<ExcludingId>,
    /// The strong links whose two nodes are both in `excluding`.
    both_excluding: Vec<SetLink>,
    /// The candidates that the nodes exclude, in parts of up to 64 cells. The board of a valid puzzle has one part,
    /// because at least 17 cells are clues.
    exclusions: Vec<Exclusions>,
}

/// The nodes of an almost locked set.
#[derive(Clone, Copy)]
struct NodesOfSet {
    /// The digits that have a node in the set.
    digits: DigitSet,
    /// For each digit, the number of the node; [`NO_NODE`] if the digit has no node.
    numbers: [SetNodeId; 9],
}

impl NodesOfSet {
    const NONE: NodesOfSet = NodesOfSet {
        digits: DigitSet::EMPTY,
        numbers: [NO_NODE; 9],
    };

    fn number(&self, digit: Digit) -> SetNodeId {
        self.numbers[digit.index()]
    }

    fn add(&mut self, digit: Digit, node: SetNodeId) {
        self.digits.insert(digit);
        self.numbers[digit.index()] = node;
    }
}

/// A strong link: the numbers of its two nodes, and the index of the almost locked set that contains them.
#[derive(Clone, Copy)]
struct SetLink {
    nodes: [SetNodeId; 2],
    set: u16,
}

/// The index in `excluding` of a node that excludes no other node.
const NOT_EXCLUDING: ExcludingId = ExcludingId(u16::MAX);

impl Derived for AlsNet {
    fn from_position(board: &Position) -> AlsNet {
        let sets = QuickSets::from_position(board);
        let mut net = AlsNet {
            of_set: vec![NodesOfSet::NONE; sets.all.len()],
            sets,
            nodes: Nodes::new(),
            links: Vec::with_capacity(1024),
            excluded_pairs: Vec::new(),
            excluding: Vec::new(),
            excluding_index: Vec::new(),
            both_excluding: Vec::new(),
            exclusions: Vec::new(),
        };
        net.add_nodes(board);
        net.find_excluding();
        let parts = PackedCells::parts(board.unsolved()).into_iter();
        net.exclusions = parts
            .map(|cells| Exclusions::from_net(&net, cells))
            .collect();
        net
    }
}

impl AlsNet {
    /// Adds the strong links of all almost locked sets, and the nodes that they join.
    fn add_nodes(&mut self, board: &Position) {
        for (house, open) in House::ALL.into_iter().zip(board.open_by_house()) {
            self.nodes.enter(board, house);
            for at in self.sets.of_house(house) {
                let set = &self.sets.all[at];
                let nodes = &mut self.of_set[at];
                for x in set.outward {
                    let needed = set.needed_with(x).intersection(set.outward);
                    if needed.is_empty() {
                        continue;
                    }
                    let places = set.places & open[x.index()];
                    let node = self.nodes.number(board, x, places, set.cells);
                    // Each digit is linked only with digits before it, so that each link is added once.
                    for z in needed.intersection(nodes.digits) {
                        self.links.push(SetLink {
                            nodes: [nodes.number(z), node],
                            set: at as u16,
                        });
                    }
                    nodes.add(x, node);
                }
            }
        }
    }

    /// Finds the pairs of nodes that exclude each other, and the nodes and links in them.
    fn find_excluding(&mut self) {
        self.excluded_pairs = self.nodes.excluded_pairs();
        self.excluding_index = vec![NOT_EXCLUDING; self.nodes.len()];
        for node in self.excluded_pairs.as_flattened() {
            self.excluding_index[node.index()] = ExcludingId(0);
        }
        self.excluding.reserve(self.nodes.len());
        for (node, index) in self.excluding_index.iter_mut().enumerate() {
            if *index != NOT_EXCLUDING {
                *index = ExcludingId::new(self.excluding.len());
                self.excluding.push(SetNodeId::new(node));
            }
        }
        let index = &self.excluding_index;
        let is_excluding = |node: SetNodeId| index[node.index()] != NOT_EXCLUDING;
        let links = self.links.iter();
        let both_excluding = links.filter(|link| link.nodes.into_iter().all(is_excluding));
        self.both_excluding = both_excluding.copied().collect();
    }

    /// The almost locked sets of the board.
    pub(super) fn sets(&self) -> &QuickSets {
        &self.sets
    }

    /// The number of the node for a digit of a set; `None` if no chain needs a link of the digit in this set.
    fn number_of(&self, set: usize, digit: Digit) -> Option<SetNodeId> {
        let node = self.of_set[set].number(digit);
        (node.index() < self.nodes.len()).then_some(node)
    }

    /// The number of the node for a digit of a set. The node can also come from another set in which the digit has the
    /// same places; `None` if there is no such node.
    pub(super) fn find(&self, board: &Position, set: usize, digit: Digit) -> Option<SetNodeId> {
        self.number_of(set, digit).or_else(|| {
            let QuickSet { house, places, .. } = self.sets.all[set];
            let places = places & board.open_in(house, digit);
            self.nodes.find(house, digit, places)
        })
    }

    /// All nodes. The index of a node is its number.
    pub(super) fn nodes(&self) -> &[SetNode] {
        self.nodes.all()
    }

    /// The pairs of nodes that exclude each other. Some pairs are listed twice.
    pub(super) fn excluded_pairs(&self) -> &[[SetNodeId; 2]] {
        &self.excluded_pairs
    }

    /// The two nodes of each strong link.
    pub(super) fn links(&self) -> impl ExactSizeIterator<Item = [SetNodeId; 2]> {
        self.links.iter().map(|link| link.nodes)
    }

    fn node(&self, node: SetNodeId) -> &SetNode {
        self.nodes.get(node)
    }

    /// The index of a node in `excluding`; [`NOT_EXCLUDING`] if the node excludes no other node.
    fn excluding_id(&self, node: SetNodeId) -> ExcludingId {
        self.excluding_index[node.index()]
    }

    /// The candidates that the nodes exclude, in parts of the board.
    pub(super) fn exclusions(&self) -> &[Exclusions] {
        &self.exclusions
    }

    /// The candidates that ALS-XZ removes, by chains over two sets: they are false if some node is false, and also if
    /// the same node is true.
    pub(super) fn over_one_set(&self) -> CandidateSet {
        self.in_all_parts(Exclusions::over_one_set)
    }

    /// The candidates that ALS-XY-wings remove, by chains over three sets.
    pub(super) fn over_two_sets(&self) -> CandidateSet {
        self.in_all_parts(|part| part.over_two_sets(self))
    }

    fn in_all_parts(&self, removed: impl Fn(&Exclusions) -> CandidateSet) -> CandidateSet {
        let parts = self.exclusions.iter().map(removed);
        parts.fold(CandidateSet::EMPTY, |all, part| all | &part)
    }

    /// Additional removals of two almost locked sets that have two restricted common digits. Each of the two sets then
    /// contains all its other digits.
    ///
    /// If a set has two restricted common digits with another set, so has each smaller set within its cells that has
    /// both digits. So a larger set is only tested if such a smaller set was found.
    ///
    /// Such a pair of sets is also an ALS-XY-wing: one set is the centre, and the other set is both wings. So a centre
    /// is skipped if all candidates that its wings remove are in `known`. On most boards, all centres are skipped.
    pub(super) fn doubly_linked(&self, board: &Position, known: &CandidateSet) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        let parts = self.exclusions.iter();
        let centres: Vec<_> = parts.flat_map(|part| part.centres(self, known)).collect();
        if centres.is_empty() {
            return all;
        }
        // Two relations between nodes, given by their indexes in `excluding`: `linked` has the strong links of centres,
        // `excluded` the pairs of nodes that exclude each other.
        let count = self.excluding.len();
        let mut linked = BitRows::new(count, count);
        let mut in_centre = vec![0; linked.words()];
        for link in centres {
            let [x, y] = link.nodes.map(|node| self.excluding_id(node).index());
            linked.insert(x, y);
            linked.insert(y, x);
            insert(&mut in_centre, x);
            insert(&mut in_centre, y);
        }
        let mut excluded = BitRows::new(count, count);
        for pair in &self.excluded_pairs {
            let [a, b] = pair.map(|node| self.excluding_id(node).index());
            excluded.insert(a, b);
            excluded.insert(b, a);
        }
        let mut restricted = Vec::new();
        for link in &self.both_excluding {
            restricted.clear();
            let [excluded_by_x, excluded_by_y] = link
                .nodes
                .map(|node| excluded.row(self.excluding_id(node).index()));
            for a in common(excluded_by_x, &in_centre) {
                for b in common(linked.row(a), excluded_by_y) {
                    restricted.push([a, b].map(|index| self.node(self.excluding[index]).seen));
                }
            }
            if !restricted.is_empty() {
                self.close(board, link, &restricted, &mut all);
            }
        }
        all
    }

    /// Adds the removals of the sets that have both digits of `link` and are doubly linked with another set: their
    /// other digits are removed from the places that see them. `restricted` has an entry for each other set: for both
    /// digits, the places that see all places of the digit in that set.
    fn close(
        &self,
        board: &Position,
        link: &SetLink,
        restricted: &[[CellSet; 2]],
        all: &mut CandidateSet,
    ) {
        let linked = link.nodes.map(|node| self.node(node).digit);
        let not_linked = DigitSet::from_iter(linked).complement();
        let set = &self.sets.all[usize::from(link.set)];
        for house in set.houses() {
            let smallest = house.project(set.cells);
            let open = linked.map(|digit| board.open_in(house, digit));
            for [x, y] in restricted {
                // The places of the two digits that do not see all places of their digit in the other set.
                let unseen = open[0] & !house.project(*x) | open[1] & !house.project(*y);
                for at in self.sets.of_house(house) {
                    let larger = &self.sets.all[at];
                    if smallest & !larger.places | unseen & larger.places != 0 {
                        continue;
                    }
                    for digit in larger.outward.intersection(not_linked) {
                        all.insert(digit, self.seen(board, at, digit));
                    }
                }
            }
        }
    }

    /// The open places of a digit that see all places of the digit in the set.
    pub(super) fn seen(&self, board: &Position, set: usize, digit: Digit) -> CellSet {
        if let Some(node) = self.number_of(set, digit) {
            return self.nodes.get(node).seen;
        }
        let QuickSet { house, places, .. } = self.sets.all[set];
        seen(board, house, digit, places & board.open_in(house, digit))
    }
}

/// The numbers that are in both sets, which are given as their words.
fn common<'a>(one: &'a [u64], two: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
    members(one.iter().zip(two).map(|(one, two)| one & two))
}

#[cfg(test)]
mod tests {
    use crate::generate::Generator;
    use crate::grade::order::TechniqueName;
    use crate::grade::techniques::testing::steps;
    use crate::grade::{Ladder, Rank};

    #[test]
    fn quick_finders_find_the_steps_of_the_listings() {
        let seed = 19;
        let below = Ladder::named("basic").unwrap();
        let ladder = Ladder::up_to(Rank::for_technique(TechniqueName::GroupedAic));
        let mut found = [0; 4];
        for n in 0..150 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            // The first board has many steps with almost locked sets, the second has few.
            for board in [below.stall(&puzzle), ladder.stall(&puzzle)] {
                for (technique, found) in [
                    TechniqueName::SueDeCoq,
                    TechniqueName::AlsXz,
                    TechniqueName::AlsXyWing,
                    TechniqueName::DeathBlossom,
                ]
                .into_iter()
                .zip(&mut found)
                {
                    let technique = Rank::for_technique(technique).technique().unwrap();
                    let steps = steps(technique, &board, &format!("seed {seed}: {puzzle}"));
                    *found += usize::from(!steps.is_empty());
                }
            }
        }
        assert!(found.iter().all(|found| *found >= 5), "{found:?}");
    }
}
