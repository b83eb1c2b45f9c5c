//! Nice loops and alternating inference chains, with and without groups.

use crate::bit_rows::{Closure, has, members};
use crate::board::{CandidateSet, CellSet, Digit, DigitSet};
use crate::rating::hodoku::implications::links::{EVEN, Links, premise};
use crate::rating::hodoku::implications::table::Table;
use crate::rating::hodoku::path::best::Best;
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;

/// The names: continuous loops, discontinuous loops, chains.
const NAMES: [&str; 3] = ["Continuous Nice Loop", "Discontinuous Nice Loop", "AIC"];

const GROUPED: [&str; 3] = [
    "Grouped Continuous Nice Loop",
    "Grouped Discontinuous Nice Loop",
    "Grouped AIC",
];

/// The best of all loops and chains. With groups, only those that have a group count.
pub(crate) fn find(search: &mut Search, with_groups: bool) -> Option<Step> {
    let state = &search.state;
    let links = Links::new(state, with_groups);
    let closure = Closure::new(&links.direct);
    let mut finder = Finder {
        state,
        links: &links,
        names: if with_groups { GROUPED } else { NAMES },
        with_groups,
        table: Table::default(),
        chain: Vec::new(),
        best: Best::new(search.version),
        best_chain: Best::new(search.version),
    };
    for is_on in [true, false] {
        for node in 0..links.candidates {
            let set = closure.set(premise(node, is_on));
            let has_loop = finder.may_have_loop(node, is_on, set);
            let has_chain = !is_on && finder.may_have_chain(node, set);
            if has_loop || has_chain {
                finder.table.fill(state, &links, premise(node, is_on));
            }
            if has_loop {
                finder.loops(node, is_on);
            }
            if has_chain {
                finder.chains(node);
            }
        }
    }
    // All loops come before all chains.
    let step = finder.best.or(finder.best_chain).step();
    if with_groups {
        search.implications = Some((links, closure));
    }
    step
}

struct Finder<'a> {
    state: &'a State,
    links: &'a Links,
    names: [&'static str; 3],
    with_groups: bool,
    table: Table,
    /// The premises of a chain, from its end to its start.
    chain: Vec<usize>,
    best: Best,
    best_chain: Best,
}

impl Finder<'_> {
    /// Whether [`Finder::loops`] can find a better loop than the best so far.
    fn may_have_loop(&self, start: usize, is_on: bool, set: &[u64]) -> bool {
        let (cell, digit) = self.links.candidate(start);
        let is_wanted = |gone: Digit| {
            let removed = CandidateSet::with_digit(gone, CellSet::of(cell));
            self.best.wants(&removed, 0)
        };
        // If the candidate is true, then other digits of its cell are false. One that is true makes the
        // candidate false.
        if is_on {
            return has(set, premise(start, false)) && is_wanted(digit);
        }
        let others = self.state.digits(cell).filter(|other| *other != digit);
        let is_bivalue = self.state.digits(cell).len() == 2;
        has(set, premise(start, true))
            || others.into_iter().any(|other| {
                let other_node = self.links.node(cell, other);
                (has(set, premise(other_node, true)) && !is_bivalue)
                    || (has(set, premise(other_node, false)) && is_wanted(other))
            })
    }

    /// Whether [`Finder::chains`] can find a better chain than the best so far.
    fn may_have_chain(&self, start: usize, set: &[u64]) -> bool {
        let least = self.best_chain.least_removals();
        let ends = members(set.iter().map(|word| word & EVEN));
        let ends = ends.take_while(|end| *end < 2 * self.links.candidates);
        let mut removals = ends.filter_map(|end| self.chain_removals(start, end, least));
        removals.any(|removed| self.best_chain.wants(&removed, 0))
    }

    /// The removals of a chain from a candidate that is false to an end that is true; `None` if they are fewer than
    /// `least`, or if the end makes no chain.
    fn chain_removals(&self, start: usize, end: usize, least: usize) -> Option<CandidateSet> {
        let (cell, digit) = self.links.candidate(start);
        let node = self.links.nodes[end / 2];
        let ends_off = end % 2 == 1;
        if ends_off || node.is_group || node.first == cell {
            return None;
        }
        if node.digit == digit {
            let seen = seen_by_both(cell, node.first) & self.state.places(digit);
            return (seen.len() >= least.max(2)).then(|| CandidateSet::with_digit(digit, seen));
        }
        if least > 2 {
            return None;
        }
        let is_open = self.state.places(digit).contains(node.first)
            && self.state.places(node.digit).contains(cell);
        if !is_open || !cell.peers().contains(node.first) {
            return None;
        }
        let mut removed = CandidateSet::with_digit(node.digit, CellSet::of(cell));
        removed.insert(digit, CellSet::of(node.first));
        Some(removed)
    }

    /// Loops from a candidate: entries of its cell that are not direct links.
    fn loops(&mut self, start: usize, is_on: bool) {
        let (cell, digit) = self.links.candidate(start);
        for entry in 1..self.table.entries.len() {
            let end = usize::from(self.table.entries[entry]);
            let (node, ends_on) = (self.links.nodes[end / 2], end % 2 == 0);
            if node.first != cell || node.is_group || self.table.links[entry] < 2 {
                continue;
            }
            let is_same = node.digit == digit;
            let length = usize::from(self.table.links[entry]) + 1;
            let digits = self.state.digits(cell);
            let gone: DigitSet = match (is_on, ends_on) {
                (true, _) => [digit].into_iter().collect(),
                (false, true) if is_same => digits.filter(|other| *other != digit).collect(),
                (false, true) => {
                    if self.rebuild(entry, true) {
                        let removed = self.continuous();
                        self.best.offer(self.names[0], removed, length);
                    }
                    continue;
                }
                (false, false) => [node.digit].into_iter().collect(),
            };
            let mut removed = CandidateSet::EMPTY;
            for digit in gone {
                removed.insert(digit, CellSet::of(cell));
            }
            if self.best.wants(&removed, length) && self.rebuild(entry, true) {
                self.best.offer(self.names[1], removed, length);
            }
        }
    }

    /// Chains from a candidate that is false to one that is true: one of the two is true.
    fn chains(&mut self, start: usize) {
        for entry in 1..self.table.entries.len() {
            let end = usize::from(self.table.entries[entry]);
            if self.table.links[entry] < 2 {
                continue;
            }
            let Some(removed) = self.chain_removals(start, end, 0) else {
                continue;
            };
            let length = usize::from(self.table.links[entry]) + 1;
            if self.best_chain.wants(&removed, length) && self.rebuild(entry, false) {
                self.best_chain.offer(self.names[2], removed, length);
            }
        }
    }

    /// Rebuilds the chain to an entry; `false` if it crosses itself, or has no group where it should.
    fn rebuild(&mut self, entry: usize, is_loop: bool) -> bool {
        self.chain.clear();
        self.chain.extend(self.table.back(entry));
        let nodes = &self.links.nodes;
        let of = |premise: &usize| nodes[premise / 2];
        let mut barred = CellSet::EMPTY;
        let count = self.chain.len();
        let start = of(&self.chain[count - 1]).first;
        if !is_loop {
            barred.insert(start);
        }
        for at in (1..count).rev() {
            let (last, next) = (of(&self.chain[at]), of(&self.chain[at - 1]));
            if last.first == next.first && !last.is_group && !next.is_group {
                if is_loop && (at == 1 || at == count - 1) {
                    return false;
                }
                continue;
            }
            if barred.contains(next.first) {
                return false;
            }
            // A loop may come back to its start cell, also by a group whose first cell this is: nothing of that
            // group is barred.
            if next.first != start {
                barred |= next.cells;
            }
        }
        !self.with_groups || self.chain.iter().any(|premise| of(premise).is_group)
    }

    /// The removals of the continuous loop in `chain`.
    fn continuous(&self) -> CandidateSet {
        let mut removed = CandidateSet::EMPTY;
        let of = |premise: usize| (self.links.nodes[premise / 2], premise.is_multiple_of(2));
        let in_loop = (self.chain.iter()).fold(CellSet::EMPTY, |all, p| all | of(*p).0.cells);
        let count = self.chain.len();
        // The start cell is left and entered by strong links.
        let (start, end) = (of(self.chain[count - 1]).0, of(self.chain[0]).0);
        let mut strong_on_both_sides = vec![(start, end)];
        for pair in self.chain.windows(2) {
            let ((to, to_on), (from, from_on)) = (of(pair[0]), of(pair[1]));
            if !from_on || to_on {
                continue;
            }
            // A weak link: from a node that is true to one that is false.
            if from.first == to.first && !from.is_group && !to.is_group {
                strong_on_both_sides.push((from, to));
            } else {
                let cells = (from.cells | to.cells).common_peers().without(in_loop);
                let digit = from.digit;
                removed.insert(digit, cells & self.state.places(digit));
            }
        }
        for (a, b) in strong_on_both_sides {
            for digit in self.state.digits(a.first) {
                if digit != a.digit && digit != b.digit {
                    removed.insert(digit, CellSet::of(a.first));
                }
            }
        }
        removed
    }
}
