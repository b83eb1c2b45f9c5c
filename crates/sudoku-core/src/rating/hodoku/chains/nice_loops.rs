//! HoDoKu's nice loops and alternating inference chains, with and without groups.

use crate::bit_rows::{Closure, has, members};
use crate::board::{CandidateSet, CellSet, DigitSet};
use crate::rating::hodoku::implications::links::{EVEN, Links, Premise, premise};
use crate::rating::hodoku::implications::table::Table;
use crate::rating::hodoku::path::best::BestStep;
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;

/// HoDoKu's names of continuous loops, discontinuous loops and chains, first without, then with groups.
const NAMES: [[&str; 3]; 2] = [
    ["Continuous Nice Loop", "Discontinuous Nice Loop", "AIC"],
    [
        "Grouped Continuous Nice Loop",
        "Grouped Discontinuous Nice Loop",
        "Grouped AIC",
    ],
];

/// The conclusion from a loop or chain between two premises. The sets are the removed candidates.
enum Conclusion {
    /// A continuous loop. All its links decide what it removes, so that is computed later.
    Continuous,
    Discontinuous(CandidateSet),
    Chain(CandidateSet),
}

/// The best step of all loops and chains. If `with_groups` is true, each must contain a group.
pub(crate) fn find(search: &mut Search, with_groups: bool) -> Option<Step> {
    let state = &search.state;
    let links = Links::new(state, with_groups);
    let closure = Closure::new(&links.direct);
    let mut finder = LoopSearch {
        state,
        links: &links,
        with_groups,
        table: Table::default(),
        chain: Vec::new(),
        best: BestStep::new(search.version),
        best_chain: BestStep::new(search.version),
    };
    for is_on in [true, false] {
        for node in links.candidate_nodes() {
            let start = premise(node, is_on);
            if finder.may_find(start, closure.set(start.index())) {
                finder.table.fill(state, &links, start);
                finder.search_table(start);
            }
        }
    }
    // Of equally good steps, a loop wins, because HoDoKu finds loops before chains.
    let step = finder.best.or(&finder.best_chain).step();
    if with_groups {
        search.implications = Some((links, closure));
    }
    step
}

struct LoopSearch<'a> {
    state: &'a State,
    links: &'a Links,
    with_groups: bool,
    table: Table,
    /// The premises of the last chain that was rebuilt, from its end to its start.
    chain: Vec<Premise>,
    best: BestStep,
    best_chain: BestStep,
}

impl LoopSearch<'_> {
    /// Whether a premise in `set`, all of which follow from `start`, may give a loop or chain better than the best.
    fn may_find(&self, start: Premise, set: &[u64]) -> bool {
        let direct = self.links.direct.row(start.index());
        let (cell, _) = self.links.candidate(start.node());
        let digits = self.state.digits(cell);
        let own_ends = digits.map(|digit| premise(self.links.node(cell, digit), false));
        let own_ends = own_ends.filter(|end| has(set, end.index()) && !has(direct, end.index()));
        // If a true candidate makes another one of its cell true, it also makes itself false. So if the start is a true
        // candidate, ends that are true candidates need not be tried.
        let mask = if start.is_on() { 0 } else { EVEN };
        let words = set.iter().zip(direct);
        let words = words.map(|(all, direct)| all & !direct & mask);
        let ends = members(words).map(Premise::new);
        let ends = ends.take_while(|end| self.links.is_candidate(*end));
        let ends = own_ends.chain(ends);
        let least = self.best_chain.least_removals();
        let mut conclusions = ends.filter_map(|end| self.conclusion(start, end, least));
        conclusions.any(|conclusion| self.wants(&conclusion, 0))
    }

    fn wants(&self, conclusion: &Conclusion, length: usize) -> bool {
        match conclusion {
            Conclusion::Continuous => true,
            Conclusion::Discontinuous(removed) => self.best.wants(removed, length),
            Conclusion::Chain(removed) => self.best_chain.wants(removed, length),
        }
    }

    /// The conclusion from the premise `start` and the premise `end`, which follows from it by more than one link.
    /// Chains that remove fewer than `least` candidates may be left out.
    fn conclusion(&self, start: Premise, end: Premise, least: usize) -> Option<Conclusion> {
        let (cell, digit) = self.links.candidate(start.node());
        let node = self.links.node_of(end);
        let (is_on, ends_on) = (start.is_on(), end.is_on());
        if start == end || node.is_group {
            return None;
        }
        if node.first == cell {
            let other_digits = || self.state.digits(cell).filter(|other| *other != digit);
            let false_digits: DigitSet = match (is_on, ends_on) {
                (true, _) => [digit].into_iter().collect(),
                (false, false) => [node.digit].into_iter().collect(),
                (false, true) if node.digit == digit => other_digits().collect(),
                (false, true) => return Some(Conclusion::Continuous),
            };
            let mut removed = CandidateSet::EMPTY;
            false_digits.for_each(|digit| removed.insert(digit, CellSet::of(cell)));
            return Some(Conclusion::Discontinuous(removed));
        }
        if is_on || !ends_on {
            return None;
        }
        // In an alternating inference chain, at least one of the two ends is true.
        if node.digit == digit {
            let seen = seen_by_both(cell, node.first) & self.state.places(digit);
            let removed = CandidateSet::with_digit(digit, seen);
            return (seen.len() >= least.max(2)).then_some(Conclusion::Chain(removed));
        }
        let is_open = self.state.places(digit).contains(node.first)
            && self.state.places(node.digit).contains(cell);
        if least > 2 || !is_open || !cell.peers().contains(node.first) {
            return None;
        }
        let mut removed = CandidateSet::with_digit(node.digit, CellSet::of(cell));
        removed.insert(digit, CellSet::of(node.first));
        Some(Conclusion::Chain(removed))
    }

    /// Offers the loops and chains from `start` to each entry of the table, if they have two or more links.
    fn search_table(&mut self, start: Premise) {
        let names = NAMES[usize::from(self.with_groups)];
        for entry in 1..self.table.entries.len() {
            if self.table.links[entry] < 2 {
                continue;
            }
            let end = self.table.entries[entry];
            let length = usize::from(self.table.links[entry]) + 1;
            let Some(conclusion) = self.conclusion(start, end, 0) else {
                continue;
            };
            let is_loop = !matches!(conclusion, Conclusion::Chain(_));
            if !self.wants(&conclusion, length) || !self.rebuild_chain(entry, is_loop) {
                continue;
            }
            match conclusion {
                Conclusion::Continuous => self.best.offer(names[0], self.removed_by_loop(), length),
                Conclusion::Discontinuous(removed) => self.best.offer(names[1], removed, length),
                Conclusion::Chain(removed) => self.best_chain.offer(names[2], removed, length),
            }
        }
    }

    /// Stores the chain to a table entry in `chain`. Returns false if it crosses itself or lacks a required group.
    fn rebuild_chain(&mut self, entry: usize, is_loop: bool) -> bool {
        self.chain.clear();
        self.chain.extend(self.table.back(entry));
        let of = |premise: &Premise| self.links.node_of(*premise);
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
            // A loop may come back to its start cell, even by a group that begins there; such cells are not barred.
            if next.first != start {
                barred |= next.cells;
            }
        }
        !self.with_groups || self.chain.iter().any(|premise| of(premise).is_group)
    }

    /// The candidates that the continuous loop in `chain` removes.
    fn removed_by_loop(&self) -> CandidateSet {
        let mut removed = CandidateSet::EMPTY;
        let of = |premise: Premise| (self.links.node_of(premise), premise.is_on());
        let in_loop = (self.chain.iter()).fold(CellSet::EMPTY, |all, p| all | of(*p).0.cells);
        let count = self.chain.len();
        // In a continuous loop, both links at the start cell are strong.
        let (start, end) = (of(self.chain[count - 1]).0, of(self.chain[0]).0);
        let mut strong_on_both_sides = vec![(start, end)];
        for pair in self.chain.windows(2) {
            let ((to, to_on), (from, from_on)) = (of(pair[0]), of(pair[1]));
            if !from_on || to_on {
                continue;
            }
            // A weak link leads from a true node to a false one.
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
