//! The digits of almost locked sets and their links, as lists: the quick twin of
//! [`AlsLinks`](super::links::AlsLinks), which lists the patterns.

use std::ops::Range;

use super::lists::Lists;
use super::quick_sets::{QuickSet, quick_sets};
use crate::board::{CandidateSet, Cell, CellSet, Digit, House};
use crate::grade::Position;
use crate::grade::position::Derived;
use crate::grade::techniques::link_graph::GraphBuilder;

/// The nodes of a board, each a digit and its places in an almost locked set, and their links.
pub(super) struct AlsNet {
    /// Every almost locked set, house by house.
    sets: Vec<QuickSet>,
    /// By house: its sets.
    of_house: [Range<usize>; 27],
    /// By set: the nodes of its digits, in their order.
    of_set: Lists,
    /// The nodes, and the strong links that chains need. They join digits of the same set.
    graph: GraphBuilder,
    /// By strong link: its set.
    set_of_link: Vec<u16>,
    /// By node: the open places of its digit that see all its cells.
    seen: Vec<CellSet>,
    /// By node: the nodes of which one is true if this one is false.
    strong: Lists,
    /// By node: the nodes of its digit that are false if this one is true.
    excluded: Lists,
    /// The nodes that exclude others, and so are excluded by others.
    excluding: Vec<u16>,
    /// By node: its index in `excluding`, or `NONE`.
    excluding_index: Vec<u16>,
    /// By index in `excluding`: the candidates that are false if the node is true, through one set that
    /// lacks its digit.
    over_one: Vec<CandidateSet>,
}

/// The cells of a digit in a set.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub(super) digit: Digit,
    pub(super) cells: CellSet,
    /// The open places of the digit that see all these cells.
    pub(super) seen: CellSet,
}

const NONE: u16 = u16::MAX;

impl Derived for AlsNet {
    fn of(board: &Position) -> AlsNet {
        let sets = quick_sets(board);
        let mut graph = GraphBuilder::default();
        let mut seen = Vec::with_capacity(4 * sets.len());
        let of_set = Lists::of_each(sets.len(), |at, nodes| {
            let set = &sets[at];
            for digit in set.digits {
                let cells = set.cells & board.places(digit);
                let node = graph.node(digit, cells);
                if usize::from(node) == seen.len() {
                    seen.push(cells.common_peers() & board.open_places(digit));
                }
                nodes.push(node);
            }
        });
        let set_of_link = link(&sets, &of_set, &seen, &mut graph);
        let of_house = House::ALL.map(|house| {
            let first = sets.partition_point(|set| set.house < house);
            first..sets.partition_point(|set| set.house <= house)
        });
        let excluded = Lists::of_each(seen.len(), |n, list| {
            let digit = graph.nodes()[n].digit;
            graph.for_each_within(digit, seen[n], |other| list.push(other));
        });
        let mut excluding = Vec::with_capacity(seen.len());
        let mut excluding_index = vec![NONE; seen.len()];
        for (n, index) in excluding_index.iter_mut().enumerate() {
            if !excluded.is_empty(n) {
                *index = excluding.len() as u16;
                excluding.push(n as u16);
            }
        }
        let mut net = AlsNet {
            strong: Lists::of_links(seen.len(), graph.links()),
            excluded,
            excluding,
            excluding_index,
            over_one: Vec::new(),
            sets,
            of_house,
            of_set,
            graph,
            set_of_link,
            seen,
        };
        net.over_one = net.over_set(|node, all| all.insert(net.digit(node), net.seen[node]));
        net
    }
}

/// Links the digits of each set whose places in it see an open place outside, as far as chains need
/// it. Returns the set of each link.
fn link(sets: &[QuickSet], of_set: &Lists, seen: &[CellSet], graph: &mut GraphBuilder) -> Vec<u16> {
    let mut set_of_link = Vec::with_capacity(2 * sets.len());
    for (at, set) in sets.iter().enumerate() {
        let nodes = || set.digits.zip(of_set.of(at));
        for (x, of_x) in nodes().filter(|(_, node)| !seen[*node].is_empty()) {
            let needed = set.needed(x);
            for (z, of_z) in nodes() {
                if x < z && needed.contains(z) && !seen[of_z].is_empty() {
                    graph.link(of_x as u16, of_z as u16);
                    set_of_link.push(at as u16);
                }
            }
        }
    }
    set_of_link
}

impl AlsNet {
    /// Every almost locked set.
    pub(super) fn sets(&self) -> &[QuickSet] {
        &self.sets
    }

    /// The places of each digit of a set.
    pub(super) fn places_in(&self, set: usize) -> impl Iterator<Item = Places> + '_ {
        self.of_set.of(set).map(|node| Places {
            digit: self.digit(node),
            cells: self.cells(node),
            seen: self.seen[node],
        })
    }

    fn digit(&self, node: usize) -> Digit {
        self.graph.nodes()[node].digit
    }

    fn cells(&self, node: usize) -> CellSet {
        self.graph.nodes()[node].cells
    }

    /// For each node of `excluding`, what follows if it is true: the nodes that it excludes are false,
    /// and so the other digits of their sets are true. `follow` adds what follows from one of these.
    fn over_set(&self, follow: impl Fn(usize, &mut CandidateSet)) -> Vec<CandidateSet> {
        let nodes = || self.excluding.iter().map(|n| usize::from(*n));
        let if_false = nodes().map(|n| {
            let mut all = CandidateSet::EMPTY;
            self.strong.of(n).for_each(|other| follow(other, &mut all));
            all
        });
        let if_false: Vec<CandidateSet> = if_false.collect();
        let if_true = nodes().map(|n| {
            let mut all = CandidateSet::EMPTY;
            for other in self.excluded.of(n) {
                all |= &if_false[usize::from(self.excluding_index[other])];
            }
            all
        });
        if_true.collect()
    }

    /// What is known of a node by its index in `excluding`; `None` if it excludes nothing.
    fn known<'a>(&self, values: &'a [CandidateSet], node: usize) -> Option<&'a CandidateSet> {
        values.get(usize::from(self.excluding_index[node]))
    }

    /// The candidates that a digit z of a set excludes, and also a z of another set that has to be
    /// there if another digit of the first set is: through one set.
    pub(super) fn over_one_set(&self) -> CandidateSet {
        self.eliminations(&self.over_one)
    }

    /// Like [`AlsNet::over_one_set`], but through two sets.
    pub(super) fn over_two_sets(&self) -> CandidateSet {
        let over_two = self.over_set(|node, all| {
            if let Some(more) = self.known(&self.over_one, node) {
                *all |= more;
            }
        });
        self.eliminations(&over_two)
    }

    /// The candidates that are false if a node is true, and also if it is false: then another digit of
    /// its set is true. `if_true` has what is false if a node of `excluding` is true.
    fn eliminations(&self, if_true: &[CandidateSet]) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for (n, seen) in self.seen.iter().enumerate() {
            let digit = self.digit(n);
            for other in self.strong.of(n) {
                if let Some(if_true) = self.known(if_true, other) {
                    all.insert(digit, if_true.cells(digit) & *seen);
                }
            }
        }
        all
    }

    /// The removals of pairs of sets with two restricted common digits, beyond those of pairs with
    /// one.
    ///
    /// If a set has two restricted digits in common with another one, so has each smaller set among
    /// its cells that has both digits. So larger sets are looked at only where smaller ones are
    /// found.
    pub(super) fn doubly_linked(&self) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        // Each link is there in both directions.
        let (links, _) = self.graph.links().as_chunks::<2>();
        for ([(x, y), _], set) in links.iter().zip(&self.set_of_link) {
            let [x, y] = [*x, *y].map(usize::from);
            if self.excluded.is_empty(x) || self.excluded.is_empty(y) {
                continue;
            }
            let mut any = false;
            self.for_each_restricted([x, y], [self.seen[x], self.seen[y]], |_, _| any = true);
            if !any {
                continue;
            }
            let set = &self.sets[usize::from(*set)];
            for house in set.houses() {
                let smallest = house.project(set.cells);
                for larger in self.of_house[house.index()].clone() {
                    if smallest & !self.sets[larger].places == 0 {
                        self.close(larger, [x, y], &mut all);
                    }
                }
            }
        }
        all
    }

    /// Visits the nodes of x and y in other sets that these two exclude, with places within `seen`.
    fn for_each_restricted(
        &self,
        [x, y]: [usize; 2],
        [seen_x, seen_y]: [CellSet; 2],
        mut visit: impl FnMut(usize, usize),
    ) {
        for a in self.excluded.of(x) {
            if self.cells(a).is_subset(seen_x) {
                for b in self.strong.of(a) {
                    if self.digit(b) == self.digit(y) && self.cells(b).is_subset(seen_y) {
                        visit(a, b);
                    }
                }
            }
        }
    }

    /// For each set that has the digits `x` and `y` in common with this one, both restricted: the
    /// candidates that `x` excludes in both sets, and `y` in both; and those that the other digits of
    /// this set exclude. `x` and `y` are nodes of this set, or of a smaller one among its cells.
    fn close(&self, set: usize, [x, y]: [usize; 2], all: &mut CandidateSet) {
        let [of_x, of_y] = [x, y].map(|node| self.digit(node));
        let seen = |digit| {
            let mut places = self.places_in(set);
            places
                .find(|places| places.digit == digit)
                .map(|places| places.seen)
        };
        let (Some(seen_x), Some(seen_y)) = (seen(of_x), seen(of_y)) else {
            return;
        };
        let mut any = false;
        self.for_each_restricted([x, y], [seen_x, seen_y], |a, b| {
            any = true;
            all.insert(of_x, seen_x & self.seen[a]);
            all.insert(of_y, seen_y & self.seen[b]);
        });
        if any {
            for places in self.places_in(set) {
                if places.digit != of_x && places.digit != of_y {
                    all.insert(places.digit, places.seen);
                }
            }
        }
    }

    /// The candidates that are false if this cell holds the digit, through one set that then lacks
    /// the digit.
    pub(super) fn over_set_from(&self, cell: Cell, digit: Digit) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        self.graph.for_each_within(digit, cell.peers(), |node| {
            for other in self.strong.of(node.into()) {
                all.insert(self.digit(other), self.seen[other]);
            }
        });
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
