//! The graph of the digits of almost locked sets, stored as lists: the fast twin of
//! [`AlsLinks`](super::links::AlsLinks), which can also list the patterns.

use std::cell::OnceCell;

use super::lists::Lists;
use super::nodes::{Nodes, SetNode};
use super::quick_sets::QuickSets;
use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, count_nine};
use crate::grade::Position;
use crate::grade::position::Derived;

/// The nodes of a board and their links. A node is a digit with its places in an almost locked set.
///
/// A strong link joins two digits of a set, at least one of which is in the set. Only the links that
/// chains need are kept: those between nodes that see an open place outside.
pub(super) struct AlsNet {
    sets: QuickSets,
    nodes: Nodes,
    /// By set, the nodes of its digits in ascending order.
    of_set: Lists,
    /// By set, the digits for which a cell outside the set has the digit as a candidate and sees all its
    /// places in the set.
    outward: Vec<DigitSet>,
    /// By node, the nodes of the same digit that are false if the node is true.
    excluded: Lists,
    /// The nodes that exclude at least one other node.
    excluding: Vec<u16>,
    /// By node, the index of the node in `excluding`; `NONE` if it is not there.
    excluding_index: Vec<u16>,
    /// By index in `excluding`, the strong links of the node: the nodes that are true if it is false.
    strong: Lists,
    /// The links of `strong` that lead to nodes of `excluding`.
    strong_excluding: Lists,
    /// The strong links between two nodes of `excluding`, with the index of their set. Each link occurs
    /// once.
    both_excluding: Vec<([u16; 2], u16)>,
    /// By index in `excluding`, the candidates that are false if the node is true, by way of one
    /// further set that then lacks the digit.
    over_one: Vec<CandidateSet>,
    /// By node, all its strong links. They are computed only for death blossoms, which need them for
    /// all nodes.
    all_strong: OnceCell<Lists>,
}

const NONE: u16 = u16::MAX;

impl Derived for AlsNet {
    fn from_position(board: &Position) -> AlsNet {
        let sets = QuickSets::from_position(board);
        let mut nodes = Nodes::new();
        let mut outward = Vec::with_capacity(sets.all.len());
        let open = board.open_by_house();
        let mut house = None;
        let of_set = Lists::of_each(sets.all.len(), |at, list| {
            let set = &sets.all[at];
            if house != Some(set.house) {
                house = Some(set.house);
                nodes.enter(set.house);
            }
            let open = &open[set.house.index()];
            let mut seeing = DigitSet::EMPTY;
            for digit in set.digits {
                let places = set.places & open[digit.index()];
                let node = nodes.number(board, digit, places, set.cells);
                if !nodes.get(node.into()).seen.is_empty() {
                    seeing.insert(digit);
                }
                list.push(node);
            }
            outward.push(seeing);
        });
        let excluded = Lists::of_links(nodes.len(), &nodes.excluded_pairs());
        let mut excluding = Vec::with_capacity(nodes.len());
        let mut excluding_index = vec![NONE; nodes.len()];
        for (n, index) in excluding_index.iter_mut().enumerate() {
            if !excluded.is_empty(n) {
                *index = excluding.len() as u16;
                excluding.push(n as u16);
            }
        }
        let mut net = AlsNet {
            sets,
            nodes,
            of_set,
            outward,
            excluded,
            excluding,
            excluding_index,
            strong: Lists::NONE,
            strong_excluding: Lists::NONE,
            both_excluding: Vec::new(),
            over_one: Vec::new(),
            all_strong: OnceCell::new(),
        };
        net.link();
        net.over_one = net.over_set(&net.strong, |node, all| {
            let node = net.node(node);
            all.insert(node.digit, node.seen);
        });
        net
    }
}

impl AlsNet {
    /// Computes the strong links of the nodes in `excluding`.
    fn link(&mut self) {
        let mut links = Vec::with_capacity(1024);
        let mut both = Vec::with_capacity(512);
        let mut both_links = Vec::with_capacity(1024);
        let index = |node: u16| self.excluding_index[usize::from(node)];
        self.for_each_link(
            |node| index(node) != NONE,
            |set, [x, z]| {
                links.push((index(x), z));
                if index(z) != NONE {
                    both_links.push((index(x), z));
                    // The link is visited from both ends, and must be added once.
                    if x < z {
                        both.push(([x, z], set as u16));
                    }
                }
            },
        );
        let starts = self.excluding.len();
        self.strong = Lists::of_links(starts, &links);
        self.strong_excluding = Lists::of_links(starts, &both_links);
        self.both_excluding = both;
    }

    /// Calls `visit` with each strong link that starts at a node with `is_start`: the index of its set,
    /// and its two nodes.
    fn for_each_link(
        &self,
        is_start: impl Fn(u16) -> bool,
        mut visit: impl FnMut(usize, [u16; 2]),
    ) {
        let mut of_digit = [0; 9];
        for (at, set) in self.sets.all.iter().enumerate() {
            let mut starts = DigitSet::EMPTY;
            for (digit, &node) in set.digits.zip(self.of_set.slice(at)) {
                of_digit[digit.index()] = node;
                if is_start(node) {
                    starts.insert(digit);
                }
            }
            if starts.is_empty() {
                continue;
            }
            let needed = self.sets.needed(set);
            for x in starts {
                for z in needed.with(x).intersection(self.outward[at]) {
                    visit(at, [x, z].map(|digit| of_digit[digit.index()]));
                }
            }
        }
    }

    /// The almost locked sets of the board.
    pub(super) fn sets(&self) -> &QuickSets {
        &self.sets
    }

    /// The digits of a set with their places, each with its number among the nodes of all sets.
    pub(super) fn nodes_of(&self, set: usize) -> impl Iterator<Item = (usize, &SetNode)> + '_ {
        let nodes = self.of_set.indexes(set);
        nodes.map(|node| (node, self.nodes.get(node)))
    }

    /// The number of nodes of all sets.
    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, node: u16) -> &SetNode {
        self.nodes.get(node.into())
    }

    /// For each node of `excluding`, the consequences if it is true: the nodes that it excludes are
    /// false, so other digits of their sets are true. `strong` has, for each excluded node, the true
    /// nodes to follow, and `follow` adds the consequences of such a node.
    fn over_set(
        &self,
        strong: &Lists,
        follow: impl Fn(u16, &mut CandidateSet),
    ) -> Vec<CandidateSet> {
        // The sets are filled in place, because copying one takes as long as adding one to another.
        let none = vec![CandidateSet::EMPTY; self.excluding.len()];
        let mut if_false = none.clone();
        for (index, all) in if_false.iter_mut().enumerate() {
            for node in strong.slice(index) {
                follow(*node, all);
            }
        }
        let mut if_true = none;
        for (node, all) in self.excluding.iter().zip(&mut if_true) {
            for other in self.excluded.indexes((*node).into()) {
                *all |= &if_false[usize::from(self.excluding_index[other])];
            }
        }
        if_true
    }

    /// The candidates that chains over two sets remove (ALS-XZ): a candidate z is false if z is in the
    /// first set, and also if another digit of the first set is, since z is then in the second set.
    pub(super) fn over_one_set(&self) -> CandidateSet {
        self.eliminations(&self.over_one)
    }

    /// The candidates that chains over three sets remove (ALS-XY-wing).
    pub(super) fn over_two_sets(&self) -> CandidateSet {
        let over_two = self.over_set(&self.strong_excluding, |node, all| {
            *all |= &self.over_one[usize::from(self.excluding_index[usize::from(node)])];
        });
        self.eliminations(&over_two)
    }

    /// The candidates that are false whether a node is true or false. If it is false, another digit of
    /// its set is true. `if_true` has, for each node of `excluding`, the candidates that are false if
    /// it is true.
    fn eliminations(&self, if_true: &[CandidateSet]) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for (index, if_true) in if_true.iter().enumerate() {
            for node in self.strong.slice(index) {
                let node = self.node(*node);
                all.insert(node.digit, if_true.cells(node.digit) & node.seen);
            }
        }
        all
    }

    /// The removals of pairs of sets with two restricted common digits, beyond those of pairs with one.
    ///
    /// If a set has two restricted common digits with another set, so does each smaller set among its
    /// cells that has both digits. So larger sets are searched only where smaller ones were found.
    pub(super) fn doubly_linked(&self) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        let mut restricted = Vec::new();
        for &([x, y], set) in &self.both_excluding {
            restricted.clear();
            let of_y = self.node(y);
            for a in self.excluded.indexes(x.into()) {
                let index = self.excluding_index[a];
                for b in self.strong_excluding.slice(index.into()) {
                    let b = self.node(*b);
                    if b.digit == of_y.digit && b.cells.is_subset(of_y.seen) {
                        restricted.push([self.nodes.get(a), b]);
                    }
                }
            }
            if restricted.is_empty() {
                continue;
            }
            let set = &self.sets.all[usize::from(set)];
            for house in set.houses() {
                let smallest = house.project(set.cells);
                for larger in self.sets.of_house(house) {
                    if smallest & !self.sets.all[larger].places == 0 {
                        self.close(larger, &restricted, &mut all);
                    }
                }
            }
        }
        all
    }

    /// Adds the removals for each set that has two restricted common digits with this set: those of
    /// these two digits in both sets, and those of the other digits of this set. `restricted` has the
    /// nodes of the two digits in other sets, which a smaller set among the cells of this set excludes.
    fn close(&self, set: usize, restricted: &[[&SetNode; 2]], all: &mut CandidateSet) {
        let Some([x, y]) = restricted.first().map(|pair| pair.map(|node| node.digit)) else {
            return;
        };
        let [seen_x, seen_y] = [x, y].map(|digit| self.node_of(set, digit).seen);
        let mut any = false;
        for [a, b] in restricted {
            if a.cells.is_subset(seen_x) && b.cells.is_subset(seen_y) {
                any = true;
                all.insert(x, seen_x & a.seen);
                all.insert(y, seen_y & b.seen);
            }
        }
        if any {
            for (_, node) in self.nodes_of(set) {
                if node.digit != x && node.digit != y {
                    all.insert(node.digit, node.seen);
                }
            }
        }
    }

    /// The node of a digit of a set.
    fn node_of(&self, set: usize, digit: Digit) -> &SetNode {
        let digits = self.sets.all[set].digits.bits();
        let before = count_nine(digits & ((1 << digit.index()) - 1));
        self.node(self.of_set.slice(set)[before])
    }

    /// The candidates that are false if this cell holds the digit, by way of one set that then lacks
    /// the digit.
    pub(super) fn over_set_from(&self, cell: Cell, digit: Digit) -> CandidateSet {
        let strong = self.all_strong.get_or_init(|| {
            let mut links = Vec::with_capacity(1024);
            let is_start = |node| !self.node(node).seen.is_empty();
            self.for_each_link(is_start, |_, [x, z]| links.push((x, z)));
            Lists::of_links(self.nodes.len(), &links)
        });
        let mut all = CandidateSet::EMPTY;
        for house in cell.houses() {
            let place = house.project(CellSet::of(cell));
            for (node, places) in self.nodes.of_house(house, digit) {
                if places & place == 0 {
                    for other in strong.slice(node.into()) {
                        let other = self.node(*other);
                        all.insert(other.digit, other.seen);
                    }
                }
            }
        }
        all
    }
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
            // The first board has many steps, the second has few.
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
