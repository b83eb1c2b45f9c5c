//! Tables of implications: what follows if a candidate is true, and if it is false, by chains of links.

use super::state::State;
use crate::board::{Cell, CellSet, Digit, House};

/// The most entries of a table.
pub(super) const MOST_ENTRIES: usize = 1000;

/// A candidate, or a group: two or three places of a digit where a line and a block cross.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Node {
    pub(super) cells: CellSet,
    pub(super) first: Cell,
    pub(super) digit: Digit,
    pub(super) is_group: bool,
}

/// The direct links between the nodes of a state.
///
/// ```text
/// nodes    candidates by cell and digit │ groups: rows by digit and block, then columns
/// premise  2 · node       the node is true: a candidate is, or one of a group's is
///          2 · node + 1   the node is false: the candidate is, or all of the group's are
/// links    of each premise: other digits of the cell, row, column, block, groups
/// ```
///
/// Each premise also has its links as a set of bits, [`Links::words`] words for each.
pub(super) struct Links {
    pub(super) nodes: Vec<Node>,
    /// The number of nodes that are candidates.
    pub(super) candidates: usize,
    /// By cell and digit: the node, or `u16::MAX`.
    pub(super) node_at: Vec<u16>,
    /// For each premise up to [`MOST_LINKS`] premises, and how many they are.
    direct: Vec<[u16; MOST_LINKS]>,
    counts: Vec<u8>,
    sets: Vec<u64>,
    words: usize,
}

/// The most links of a premise: a candidate has at most 8 other digits in its cell, 20 peers, and 8 groups
/// that it sees.
const MOST_LINKS: usize = 40;

/// The premise that a node is true, or that it is false.
pub(super) fn premise(node: usize, is_on: bool) -> usize {
    2 * node + usize::from(!is_on)
}

impl Links {
    pub(super) fn new(state: &State, with_groups: bool) -> Links {
        let mut nodes = Vec::new();
        let mut node_at = vec![u16::MAX; 81 * 9];
        for cell in state.empty() {
            for digit in state.digits(cell) {
                node_at[9 * cell.index() + digit.index()] = nodes.len() as u16;
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
        let words = nodes.len().div_ceil(32);
        let mut links = Links {
            direct: vec![[0; MOST_LINKS]; 2 * nodes.len()],
            counts: vec![0; 2 * nodes.len()],
            sets: vec![0; 2 * nodes.len() * words],
            nodes,
            candidates,
            node_at,
            words,
        };
        links.link_candidates(state);
        if with_groups {
            links.link_groups(state);
        }
        links
    }

    /// The node of a candidate.
    pub(super) fn node(&self, cell: Cell, digit: Digit) -> usize {
        usize::from(self.node_at[9 * cell.index() + digit.index()])
    }

    /// The premises that follow from a premise by one link.
    fn direct(&self, premise: usize) -> &[u16] {
        &self.direct[premise][..usize::from(self.counts[premise])]
    }

    fn add(&mut self, from: usize, to: usize) {
        let word = &mut self.sets[from * self.words + to / 64];
        if *word >> (to % 64) & 1 == 0 {
            *word |= 1 << (to % 64);
            let count = &mut self.counts[from];
            self.direct[from][usize::from(*count)] = to as u16;
            *count += 1;
        }
    }

    fn link_candidates(&mut self, state: &State) {
        for node in 0..self.candidates {
            let Node {
                first: cell, digit, ..
            } = self.nodes[node];
            let (on, off) = (premise(node, true), premise(node, false));
            let digits = state.digits(cell);
            for other in digits.filter(|other| *other != digit) {
                let other = self.node(cell, other);
                self.add(on, premise(other, false));
                if digits.len() == 2 {
                    self.add(off, premise(other, true));
                }
            }
            for house in cell.houses() {
                let others = (house.cells() & state.places(digit)).without(CellSet::of(cell));
                for other in others {
                    let other = self.node(other, digit);
                    self.add(on, premise(other, false));
                    if others.len() == 1 {
                        self.add(off, premise(other, true));
                    }
                }
            }
        }
    }

    fn link_groups(&mut self, state: &State) {
        for group in self.candidates..self.nodes.len() {
            let Node { cells, digit, .. } = self.nodes[group];
            let (on, off) = (premise(group, true), premise(group, false));
            for cell in cells.common_peers() & state.places(digit) {
                let node = self.node(cell, digit);
                self.add(on, premise(node, false));
                self.add(premise(node, true), premise(group, false));
            }
            let houses = House::ALL
                .into_iter()
                .filter(|h| cells.is_subset(h.cells()));
            for house in houses {
                let rest = (house.cells() & state.places(digit)).without(cells);
                if let Some(cell) = rest.single() {
                    let node = self.node(cell, digit);
                    self.add(off, premise(node, true));
                    self.add(premise(node, false), premise(group, true));
                }
                for other in self.candidates..self.nodes.len() {
                    let Node {
                        cells: of_other,
                        digit: d,
                        ..
                    } = self.nodes[other];
                    if d == digit && of_other.is_subset(rest) {
                        self.add(on, premise(other, false));
                        if of_other == rest {
                            self.add(off, premise(other, true));
                        }
                    }
                }
            }
        }
    }
}

fn groups(state: &State) -> Vec<Node> {
    let mut all = Vec::new();
    for line in House::lines() {
        for digit in Digit::ALL {
            for block in House::boxes() {
                let cells = line.cells() & block.cells() & state.places(digit);
                if let (Some(first), true) = (cells.first(), cells.len() > 1) {
                    all.push(Node {
                        cells,
                        first,
                        digit,
                        is_group: true,
                    });
                }
            }
        }
    }
    all
}

/// What follows from each premise, as sets of premises: the transitive closure of the links.
///
/// Premises that follow from each other share one set, so each link is followed once. Most questions
/// only need these sets, and [`Table::fill`] is left to the few premises whose chains are wanted.
#[derive(Default)]
pub(super) struct Closure {
    /// For each premise the index of its set.
    set_of: Vec<u16>,
    sets: Vec<u64>,
    words: usize,
}

/// Tarjan's search for the sets of premises that follow from each other.
struct Components<'a> {
    links: &'a Links,
    more: &'a [Vec<u64>],
    closure: &'a mut Closure,
    /// The order of visit, from 1; 0 for premises that were not visited.
    visited: Vec<u16>,
    visits: u16,
    open: Vec<u16>,
}

/// The index of no set.
const NO_SET: u16 = u16::MAX;

impl Closure {
    /// The closure of the links, and of what else follows from the first premises, as sets.
    pub(super) fn new(links: &Links, more: &[Vec<u64>]) -> Closure {
        let count = links.direct.len();
        let mut closure = Closure {
            set_of: vec![NO_SET; count],
            sets: Vec::with_capacity(count * links.words),
            words: links.words,
        };
        let mut components = Components {
            links,
            more,
            closure: &mut closure,
            visited: vec![0; count],
            visits: 0,
            open: Vec::new(),
        };
        for premise in 0..count {
            if components.visited[premise] == 0 {
                components.visit(premise);
            }
        }
        closure
    }

    /// What follows from a premise, and the premise itself, as bits.
    pub(super) fn set(&self, premise: usize) -> &[u64] {
        &self.sets[usize::from(self.set_of[premise]) * self.words..][..self.words]
    }
}

/// What follows from a premise by one link, and what else does.
fn next_of(links: &Links, more: &[Vec<u64>], premise: usize) -> impl Iterator<Item = usize> {
    let more = more.get(premise).map_or(&[][..], Vec::as_slice);
    let direct = links.direct(premise).iter();
    (direct.map(|next| usize::from(*next))).chain(members(more.iter().copied()))
}

impl Components<'_> {
    /// Visits a premise and what follows from it. Returns the earliest visit of an open premise that
    /// was reached.
    fn visit(&mut self, premise: usize) -> u16 {
        self.visits += 1;
        let visit = self.visits;
        self.visited[premise] = visit;
        self.open.push(premise as u16);
        let mut earliest = visit;
        for next in next_of(self.links, self.more, premise) {
            if self.visited[next] == 0 {
                earliest = earliest.min(self.visit(next));
            } else if self.closure.set_of[next] == NO_SET {
                earliest = earliest.min(self.visited[next]);
            }
        }
        if earliest == visit {
            self.close(premise);
        }
        earliest
    }

    /// Makes the set of the premises that were visited since this one.
    fn close(&mut self, premise: usize) {
        let words = self.closure.words;
        let (before, set) = (self.closure.sets.len(), self.closure.sets.len() / words);
        self.closure.sets.resize(before + words, 0);
        let (known, new) = self.closure.sets.split_at_mut(before);
        loop {
            let Some(member) = self.open.pop().map(usize::from) else {
                return;
            };
            new[member / 64] |= 1 << (member % 64);
            self.closure.set_of[member] = set as u16;
            for next in next_of(self.links, self.more, member) {
                // What follows from it has come with another set then, or will be popped.
                if has(new, next) {
                    continue;
                }
                let of_next = self.closure.set_of[next];
                // The others are members, and have been or will be popped.
                if usize::from(of_next) < set {
                    let of_next = &known[usize::from(of_next) * words..][..words];
                    for (word, other) in new.iter_mut().zip(of_next) {
                        *word |= other;
                    }
                }
            }
            if member == premise {
                return;
            }
        }
    }
}

/// The bits of the premises that say that a node is true.
pub(super) const EVEN: u64 = 0x5555_5555_5555_5555;

/// Whether a set of premises has this one.
pub(super) fn has(set: &[u64], premise: usize) -> bool {
    set[premise / 64] >> (premise % 64) & 1 == 1
}

/// How many members a set of premises has.
pub(super) fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// The members of a set of premises.
pub(super) fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(64 * at + bit)
        })
    })
}

/// What follows from one premise, in the order of finding: breadth first.
#[derive(Default)]
pub(super) struct Table {
    /// The premises that follow; the first one is the premise of the table.
    pub(super) entries: Vec<u16>,
    /// For each entry the entry from which it follows by one link.
    from: Vec<u16>,
    /// The number of links to each entry.
    pub(super) links: Vec<u16>,
    /// The entries as bits.
    pub(super) set: Vec<u64>,
}

impl Table {
    /// Follows the links from a premise.
    pub(super) fn fill(&mut self, links: &Links, start: usize) {
        self.entries.clear();
        self.from.clear();
        self.links.clear();
        self.set.clear();
        self.set.resize(links.words, 0);
        self.push(start as u16, 0, 0);
        let mut at = 0;
        while at < self.entries.len() {
            let premise = usize::from(self.entries[at]);
            let reached = &links.sets[premise * links.words..][..links.words];
            let is_new = |(new, old): (&u64, &u64)| new & !old != 0;
            if reached.iter().zip(&self.set).any(is_new) {
                let distance = self.links[at] + 1;
                for next in links.direct(premise) {
                    let is_known = self.set[usize::from(*next) / 64] >> (next % 64) & 1 == 1;
                    if !is_known && self.entries.len() < MOST_ENTRIES {
                        self.push(*next, at as u16, distance);
                    }
                }
            }
            at += 1;
        }
    }

    fn push(&mut self, premise: u16, from: u16, links: u16) {
        self.set[usize::from(premise) / 64] |= 1 << (premise % 64);
        self.entries.push(premise);
        self.from.push(from);
        self.links.push(links);
    }

    /// The premises from an entry back to the start.
    pub(super) fn back(&self, entry: usize) -> impl Iterator<Item = usize> {
        let mut at = Some(entry);
        std::iter::from_fn(move || {
            let entry = at?;
            at = (entry > 0).then(|| usize::from(self.from[entry]));
            Some(usize::from(self.entries[entry]))
        })
    }
}
