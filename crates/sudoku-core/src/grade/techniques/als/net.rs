//! The digits of almost locked sets and their links, as lists: the quick twin of
//! [`AlsLinks`](super::links::AlsLinks), which lists the patterns.

use std::ops::Range;

use super::quick_sets::{Places, QuickSet, quick_sets};
use crate::board::{CandidateSet, Cell, CellSet, Digit, House};
use crate::grade::Position;
use crate::grade::position::Derived;

/// The nodes of a board, each a digit and its places in an almost locked set, and their links.
///
/// Most nodes have a few links only, so that lists of them are shorter than rows of bits.
pub(super) struct AlsNet {
    /// The nodes, digit by digit.
    places: Vec<Places>,
    /// By digit: its nodes.
    of_digit: [Range<usize>; 9],
    /// By node: the nodes of which one is true if this one is false, digits of the same set.
    strong: Lists,
    /// By node: the nodes that are false if this one is true.
    excluded: Lists,
    /// By node: the nodes that are true if this one is, through a set that loses its digit.
    over_set: Lists,
    /// Every almost locked set.
    sets: Vec<QuickSet>,
    /// By house: its sets.
    of_house: [Range<usize>; 27],
    /// The links that chains need: the index of their set, and both nodes.
    links: Vec<(usize, [Node; 2])>,
}

/// A digit, and the number of the node.
#[derive(Clone, Copy)]
struct Node {
    digit: Digit,
    number: usize,
}

/// Lists of nodes, one for each node.
#[derive(Default)]
struct Lists {
    /// The start of each list; then the end of the last.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn of(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.starts[n] as usize..self.starts[n + 1] as usize;
        self.all[range].iter().map(|other| *other as usize)
    }

    /// Both ends of each link in the other's list.
    fn of_links(count: usize, links: &[(usize, [Node; 2])]) -> Lists {
        let mut starts = vec![0; count + 1];
        let ends = || {
            let ways =
                |(_, [a, b]): &(usize, [Node; 2])| [(a.number, b.number), (b.number, a.number)];
            links.iter().flat_map(ways)
        };
        ends().for_each(|(from, _)| starts[from + 1] += 1);
        for n in 0..count {
            starts[n + 1] += starts[n];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut all = vec![0; 2 * links.len()];
        for (from, to) in ends() {
            all[next[from] as usize] = to as u32;
            next[from] += 1;
        }
        Lists { starts, all }
    }
}

impl Derived for AlsNet {
    fn of(board: &Position) -> AlsNet {
        let sets = quick_sets(board);
        let mut numbers = Numbers::new(sets.iter().map(|set| set.digits.len()).sum());
        let mut links = Vec::with_capacity(2 * sets.len());
        for (at, set) in sets.iter().enumerate() {
            numbers.link(board, set, |nodes| links.push((at, nodes)));
        }
        let mut places = Vec::with_capacity(numbers.nodes.iter().map(Vec::len).sum());
        let of_digit = numbers.nodes.map(|nodes| {
            let first = places.len();
            places.extend(nodes);
            first..places.len()
        });
        for node in links.iter_mut().flat_map(|(_, nodes)| nodes) {
            node.number += of_digit[node.digit.index()].start;
        }
        let of_house = House::ALL.map(|house| {
            let first = sets.partition_point(|set| set.house < house);
            first..sets.partition_point(|set| set.house <= house)
        });
        let mut net = AlsNet {
            strong: Lists::of_links(places.len(), &links),
            excluded: Lists::default(),
            over_set: Lists::default(),
            places,
            of_digit,
            sets,
            of_house,
            links,
        };
        net.find_over_set();
        net
    }
}

impl AlsNet {
    /// Every almost locked set.
    pub(super) fn sets(&self) -> &[QuickSet] {
        &self.sets
    }

    /// A node excludes those of its digit that have no cell outside the places that it sees; one of
    /// the other digits of their sets is true then.
    fn find_over_set(&mut self) {
        let [mut excluding, mut over_set] = [(); 2].map(|()| Lists {
            starts: vec![0],
            all: Vec::with_capacity(self.strong.all.len()),
        });
        let mut rows = Vec::new();
        for range in &self.of_digit {
            let nodes = &self.places[range.clone()];
            // By cell: the nodes that have it, as a row of bits. At last a row of all nodes.
            let words = nodes.len().div_ceil(64);
            rows.clear();
            rows.resize(82 * words, 0u64);
            let mut cells = CellSet::EMPTY;
            for (n, node) in nodes.iter().enumerate() {
                cells |= node.cells;
                let mut insert = |row: usize| rows[row * words + n / 64] |= 1 << (n % 64);
                insert(81);
                node.cells.for_each(|cell| insert(cell.index()));
            }
            for node in nodes {
                let outside = cells.without(node.seen);
                for at in 0..words {
                    let mut excluded = rows[81 * words + at];
                    outside.for_each(|cell| excluded &= !rows[cell.index() * words + at]);
                    while excluded != 0 {
                        let other = range.start + 64 * at + excluded.trailing_zeros() as usize;
                        excluded &= excluded - 1;
                        excluding.all.push(other as u32);
                        over_set
                            .all
                            .extend(self.strong.of(other).map(|to| to as u32));
                    }
                }
                excluding.starts.push(excluding.all.len() as u32);
                over_set.starts.push(over_set.all.len() as u32);
            }
        }
        self.excluded = excluding;
        self.over_set = over_set;
    }

    /// The candidates that a digit z of a set excludes, and also a z of another set that has to be
    /// there if another digit of the first set is: through one set.
    pub(super) fn over_one_set(&self) -> CandidateSet {
        self.eliminations(|n, visit| {
            for digit in self.strong.of(n) {
                self.over_set.of(digit).for_each(&mut *visit);
            }
        })
    }

    /// Like [`AlsNet::over_one_set`], but through two sets.
    pub(super) fn over_two_sets(&self) -> CandidateSet {
        // The last node from which each node was reached.
        let mut reached_from = vec![usize::MAX; self.places.len()];
        self.eliminations(|n, visit| {
            for digit in self.strong.of(n) {
                for other in self.over_set.of(digit) {
                    if reached_from[other] != n {
                        reached_from[other] = n;
                        self.over_set.of(other).for_each(&mut *visit);
                    }
                }
            }
        })
    }

    /// For each node: the places that it sees together with a node of its digit that `reach` visits.
    fn eliminations(&self, mut reach: impl FnMut(usize, &mut dyn FnMut(usize))) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for (digit, range) in Digit::ALL.into_iter().zip(&self.of_digit) {
            let mut removed = CellSet::EMPTY;
            for n in range.clone() {
                let seen = self.places[n].seen;
                // What is removed already need not be looked for.
                if !seen.is_subset(removed) {
                    reach(n, &mut |other| {
                        if range.contains(&other) {
                            removed |= self.places[other].seen & seen;
                        }
                    });
                }
            }
            all.insert(digit, removed);
        }
        all
    }

    /// The removals of pairs of sets with two restricted common digits, beyond those of pairs with
    /// one.
    ///
    /// If a set has two restricted digits in common with another one, so has each smaller set among
    /// its cells that has both digits. So larger sets are looked at only where smaller ones are
    /// found.
    pub(super) fn doubly_linked(&self, board: &Position) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for &(set, [x, y]) in &self.links {
            let seen = self.places[y.number].seen;
            let of_y = &self.of_digit[y.digit.index()];
            let mut ends = self.over_set.of(x.number);
            if !ends.any(|b| of_y.contains(&b) && self.places[b].cells.is_subset(seen)) {
                continue;
            }
            for house in self.sets[set].houses() {
                let smallest = house.project(self.sets[set].cells);
                for larger in &self.sets[self.of_house[house.index()].clone()] {
                    if smallest & !larger.places == 0 {
                        self.close(board, larger, [x, y], &mut all);
                    }
                }
            }
        }
        all
    }

    /// For each set that has the digits `x` and `y` in common with this one, both restricted: the
    /// candidates that `x` excludes in both sets, and `y` in both; and those that the other digits of
    /// this set exclude. `x` and `y` are nodes of this set, or of a smaller one among its cells.
    fn close(&self, board: &Position, set: &QuickSet, [x, y]: [Node; 2], all: &mut CandidateSet) {
        let from = x.number;
        let [x, y] = [x.digit, y.digit];
        let [seen_x, seen_y] = [x, y].map(|digit| set.of_digit(board, digit).seen);
        let of_y = &self.of_digit[y.index()];
        let mut any = false;
        for a in self.excluded.of(from) {
            if !self.places[a].cells.is_subset(seen_x) {
                continue;
            }
            for b in self.strong.of(a).filter(|b| of_y.contains(b)) {
                if self.places[b].cells.is_subset(seen_y) {
                    any = true;
                    all.insert(x, seen_x & self.places[a].seen);
                    all.insert(y, seen_y & self.places[b].seen);
                }
            }
        }
        if any {
            for digit in set.digits {
                if digit != x && digit != y {
                    all.insert(digit, set.of_digit(board, digit).seen);
                }
            }
        }
    }

    /// The candidates that are false if this cell holds the digit, through one set that then lacks
    /// the digit.
    pub(super) fn over_set_from(&self, cell: Cell, digit: Digit) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for n in self.of_digit[digit.index()].clone() {
            if self.places[n].cells.is_subset(cell.peers()) {
                for other in self.strong.of(n) {
                    let of_other = |digit: &&Digit| self.of_digit[digit.index()].contains(&other);
                    if let Some(digit) = Digit::ALL.iter().find(of_other) {
                        all.insert(*digit, self.places[other].seen);
                    }
                }
            }
        }
        all
    }
}

/// The numbers of nodes while they are collected, digit by digit.
struct Numbers {
    nodes: [Vec<Places>; 9],
    /// A hash table of the nodes: digit and number, or `FREE`.
    table: Vec<(u8, u32)>,
}

const FREE: (u8, u32) = (u8::MAX, 0);

impl Numbers {
    fn new(most: usize) -> Numbers {
        Numbers {
            nodes: [(); 9].map(|()| Vec::with_capacity(64)),
            table: vec![FREE; (2 * most + 2).next_power_of_two()],
        }
    }

    /// Finds the links of a set that chains need, between digits whose places in the set see an open
    /// place outside. The nodes are numbered within the digit.
    fn link(&mut self, board: &Position, set: &QuickSet, mut visit: impl FnMut([Node; 2])) {
        let mut useful = [None; 9];
        for digit in set.digits {
            if !set.needed(digit).is_empty() {
                let places = set.of_digit(board, digit);
                useful[digit.index()] = (!places.seen.is_empty()).then_some(places);
            }
        }
        for x in set.digits {
            for z in set.needed(x) {
                if x < z
                    && let (Some(of_x), Some(of_z)) = (useful[x.index()], useful[z.index()])
                {
                    visit([self.node(x, of_x), self.node(z, of_z)]);
                }
            }
        }
    }

    fn node(&mut self, digit: Digit, places: Places) -> Node {
        let nodes = &mut self.nodes[digit.index()];
        let bits = places.cells.bits();
        let hash = (bits as u64 ^ (bits >> 64) as u64 ^ (digit.index() as u64) << 56)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.table.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let entry = &mut self.table[at];
            let (value, n) = *entry;
            let number = n as usize;
            if *entry == FREE {
                *entry = (digit.value(), nodes.len() as u32);
                nodes.push(places);
                let number = nodes.len() - 1;
                return Node { digit, number };
            }
            if value == digit.value() && nodes[number].cells == places.cells {
                return Node { digit, number };
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::Generator;
    use crate::grade::order::TechniqueName;
    use crate::grade::techniques::testing::steps;
    use crate::grade::{Ladder, Rank};

    #[test]
    fn the_quick_finders_find_what_the_listings_have() {
        let seed = 19;
        let below = Ladder::named("basic").unwrap();
        let ladder = Ladder::up_to(Rank::of(TechniqueName::GroupedAic));
        let mut found = [0; 4];
        for n in 0..150 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            // The first boards have many steps, the second have few.
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
                    let technique = Rank::of(technique).technique().unwrap();
                    let steps = steps(technique, &board, &format!("seed {seed}: {puzzle}"));
                    *found += usize::from(!steps.is_empty());
                }
            }
        }
        assert!(found.iter().all(|found| *found >= 5), "{found:?}");
    }
}
