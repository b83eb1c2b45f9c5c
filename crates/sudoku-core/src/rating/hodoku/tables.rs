//! Tables of implications: what follows if a candidate is true, and if it is false, by chains of links.

use super::state::State;
use super::step::Candidate;
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
    pub(super) sets: Vec<u64>,
    pub(super) words: usize,
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

    /// The candidate of a node that is one; the first one of a group.
    pub(super) fn candidate(&self, node: usize) -> Candidate {
        (self.nodes[node].first, self.nodes[node].digit)
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
            let (cell, digit) = self.candidate(node);
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
        let groups = self.candidates..self.nodes.len();
        let of_digit = Digit::ALL.map(|digit| -> Vec<usize> {
            let is_of = |group: &usize| self.nodes[*group].digit == digit;
            groups.clone().filter(is_of).collect()
        });
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
                for other in of_digit[digit.index()].iter().copied() {
                    let of_other = self.nodes[other].cells;
                    if of_other.is_subset(rest) {
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
        let crossings = House::boxes()
            .iter()
            .map(|block| line.cells() & block.cells());
        let crossings: Vec<CellSet> = crossings.filter(|cells| !cells.is_empty()).collect();
        for digit in Digit::ALL {
            for crossing in &crossings {
                let cells = *crossing & state.places(digit);
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
pub(super) struct Closure {
    /// For each premise the index of its set.
    set_of: Vec<u16>,
    sets: Vec<u64>,
    words: usize,
}

/// Tarjan's search for the sets of premises that follow from each other.
struct Components<'a> {
    /// For each premise what follows from it by one link, as bits.
    rows: &'a [u64],
    closure: Closure,
    /// For each premise the order of its visit.
    order: Vec<u16>,
    visits: u16,
    unvisited: Vec<u64>,
    /// The premises from which nothing follows. They have their sets from the start.
    ends: Vec<u64>,
    /// The premises that were visited and have no set yet, as a stack and as bits.
    open: Vec<u16>,
    is_open: Vec<u64>,
}

impl Closure {
    /// The closure of links, which are given as a set of so many words for each premise.
    pub(super) fn new(rows: &[u64], words: usize) -> Closure {
        let count = rows.len() / words;
        let mut components = Components {
            rows,
            closure: Closure {
                set_of: vec![0; count],
                sets: Vec::with_capacity(rows.len()),
                words,
            },
            order: vec![0; count],
            visits: 0,
            unvisited: vec![u64::MAX; words],
            ends: vec![0; words],
            open: Vec::with_capacity(count),
            is_open: vec![0; words],
        };
        for premise in 0..count {
            if components.row(premise).iter().all(|word| *word == 0) {
                components.end(premise);
            }
        }
        for premise in 0..count {
            if has(&components.unvisited, premise) {
                components.visit(premise);
            }
        }
        components.closure
    }

    /// What follows from a premise, and the premise itself, as bits.
    pub(super) fn set(&self, premise: usize) -> &[u64] {
        &self.sets[usize::from(self.set_of[premise]) * self.words..][..self.words]
    }
}

impl<'a> Components<'a> {
    fn row(&self, premise: usize) -> &'a [u64] {
        &self.rows[premise * self.closure.words..][..self.closure.words]
    }

    /// Makes the set of a premise from which nothing follows.
    fn end(&mut self, premise: usize) {
        let before = self.closure.sets.len();
        self.closure.sets.resize(before + self.closure.words, 0);
        self.closure.sets[before + premise / 64] = 1 << (premise % 64);
        self.closure.set_of[premise] = (before / self.closure.words) as u16;
        self.ends[premise / 64] |= 1 << (premise % 64);
        self.unvisited[premise / 64] ^= 1 << (premise % 64);
    }

    /// Visits a premise and what follows from it. Returns the earliest visit of an open premise that
    /// was reached.
    fn visit(&mut self, premise: usize) -> u16 {
        let visit = self.visits;
        self.visits += 1;
        self.order[premise] = visit;
        self.unvisited[premise / 64] ^= 1 << (premise % 64);
        self.open.push(premise as u16);
        self.is_open[premise / 64] ^= 1 << (premise % 64);
        let mut earliest = visit;
        let row = self.row(premise);
        for (at, word) in row.iter().enumerate() {
            // Each visit can visit others of this word.
            while let new @ 1.. = word & self.unvisited[at] {
                earliest = earliest.min(self.visit(64 * at + new.trailing_zeros() as usize));
            }
        }
        let open = row.iter().zip(&self.is_open).map(|(row, open)| row & open);
        let open = members(open).map(|next| self.order[next]);
        earliest = open.fold(earliest, u16::min);
        if earliest == visit {
            self.close(premise);
        }
        earliest
    }

    /// Makes the set of the premises that were visited since this one.
    fn close(&mut self, premise: usize) {
        let words = self.closure.words;
        let before = self.closure.sets.len();
        self.closure.sets.resize(before + words, 0);
        let (known, new) = self.closure.sets.split_at_mut(before);
        while let Some(member) = self.open.pop().map(usize::from) {
            new[member / 64] |= 1 << (member % 64);
            self.closure.set_of[member] = (before / words) as u16;
            let row = &self.rows[member * words..][..words];
            for (at, word) in row.iter().enumerate() {
                new[at] |= word & self.ends[at];
                // What follows from a premise of the new set has come with it, or will be popped.
                while let next @ 1.. = word & !new[at] {
                    let next = next & next.wrapping_neg();
                    if self.is_open[at] & next != 0 {
                        new[at] |= next;
                        continue;
                    }
                    let set = self.closure.set_of[64 * at + next.trailing_zeros() as usize];
                    let set = &known[usize::from(set) * words..][..words];
                    new.iter_mut().zip(set).for_each(|(new, set)| *new |= set);
                }
            }
            if member == premise {
                break;
            }
        }
        // Only members of the new set have been open and in it.
        for (open, new) in self.is_open.iter_mut().zip(new) {
            *open &= !*new;
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
