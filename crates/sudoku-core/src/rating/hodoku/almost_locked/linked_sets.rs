//! HoDoKu's techniques with linked almost locked sets: XZ-rule, XY-wing and chains.

use crate::bit_rows::{BitRows, Closure, has, meets};
use crate::board::{CandidateSet, Digit, DigitSet};
use crate::rating::hodoku::path::best::BestStep;
use crate::rating::hodoku::path::state::Candidate;
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::sets::als::{AlmostLocked, Als, Link};
use crate::rating::hodoku::version::HodokuVersion;

/// The XZ-rule: two linked almost locked sets. One of them contains each other digit that both have. If two digits link
/// the sets, each set contains all its digits except these two.
pub(crate) fn xz_rule(search: &mut Search) -> Option<Step> {
    search.almost_locked = AlmostLocked::new(search.state.candidates());
    let all = &mut search.almost_locked;
    (0..all.sets.len()).find_map(|_| {
        let links = all.link_next();
        let mut links = all.links[links].iter();
        links.find_map(|link| xz_step(&all.sets[link.first], &all.sets[link.second], link.digits))
    })
}

fn xz_step(a: &Als, b: &Als, linked: DigitSet) -> Option<Step> {
    let mut removed: Vec<Candidate> = Vec::new();
    for used in linked {
        let mut digits = a.digits.intersection(b.digits);
        digits.remove(used);
        removed.extend(a.seen_by_both(b, digits));
    }
    if linked.len() == 2 {
        for set in [a, b] {
            for digit in set.digits.intersection(linked.complement()) {
                let outside = set.seen(digit).without(a.cells | b.cells);
                removed.extend(outside.map(|cell| (cell, digit)));
            }
        }
    }
    Step::removing("Almost Locked Set XZ-Rule", removed)
}

/// The XY-wing: two almost locked sets that are linked to a third one by different digits. Each other digit that the
/// two have in common is in one of them.
pub(crate) fn xy_wing(search: &mut Search) -> Option<Step> {
    search.partners = search.almost_locked.partners();
    let partners = &search.partners;
    let all = &search.almost_locked;
    let AlmostLocked { sets, links, .. } = all;
    // For each link, the index of the next link to the same second set; `None` if there is none.
    let mut next_into = vec![None; links.len()];
    let mut last_into = vec![None; sets.len()];
    for (at, link) in links.iter().enumerate().rev() {
        next_into[at] = last_into[link.second].replace(at);
    }
    let wing = |one: &Link, two: &Link, a: usize, b: usize| {
        let (a, b) = (&sets[a], &sets[b]);
        let linked = one.digits.union(two.digits);
        if linked.len() == 1 || !(a.cells & b.cells).is_empty() {
            return None;
        }
        let common = a.digits.intersection(b.digits);
        let digits = common.intersection(linked.complement());
        let removed = a.seen_by_both(b, digits).collect();
        Step::removing("Almost Locked Set XY-Wing", removed)
    };
    links.iter().enumerate().find_map(|(at, one)| {
        let (partners_of_first, partners_of_second) =
            (partners.row(one.first), partners.row(one.second));
        // The links after `one` that share a set with it, in the order of the list.
        let from_first = links[at + 1..all.links_of(one.first).end].iter();
        let into_second = std::iter::successors(next_into[at], |at| next_into[*at]);
        let from_second = links[all.links_of(one.second)].iter();
        let mut from_first = from_first.filter(|two| has(partners_of_second, two.second));
        let into_second = into_second.map(|at| &links[at]);
        let mut into_second = into_second.filter(|two| has(partners_of_first, two.first));
        let mut from_second = from_second.filter(|two| has(partners_of_first, two.second));
        from_first
            .find_map(|two| wing(one, two, one.second, two.second))
            .or_else(|| into_second.find_map(|two| wing(one, two, one.first, two.first)))
            .or_else(|| from_second.find_map(|two| wing(one, two, one.first, two.second)))
    })
}

/// Chains of four or more almost locked sets, each linked to a later one in the list. If the first and the last set
/// have another digit in common, one of them contains it.
pub(crate) fn set_chain(search: &mut Search) -> Option<Step> {
    let all = &search.almost_locked;
    let count = all.sets.len();
    let mut steps = BitRows::new(count, count);
    for link in &all.links {
        steps.insert(link.first, link.second);
    }
    // For each set, the sets that chains from it reach, including the set itself.
    let reached = Closure::new(&steps);
    // Unlike other chains, HoDoKu compares these chains in the same way in all versions.
    let mut best = BestStep::new(HodokuVersion::V2_2);
    let mut known = vec![(0, [[DigitSet::EMPTY; 3]; 9]); count];
    for start in 0..count {
        let mut ends = search.partners.row(start).to_vec();
        ends[start / 64] &= !(1 << (start % 64));
        if !meets(reached.set(start), &ends) {
            continue;
        }
        let mut chain = SetChain {
            all,
            start,
            ends,
            reached: &reached,
            known: &mut known,
            best: &mut best,
        };
        for link in &all.links[all.links_of(start)] {
            for first in link.digits {
                chain.extend_chain(first, link.second, first, 1);
            }
        }
    }
    best.step()
}

/// The search for chains of almost locked sets from one start set.
struct SetChain<'a> {
    all: &'a AlmostLocked,
    start: usize,
    /// As bits, the sets that are useful as the end of a chain: with the start, they can remove a candidate.
    ends: Vec<u64>,
    /// For each set, the sets that chains from it reach, including the set itself.
    reached: &'a Closure,
    /// For each set, the start from which chains last reached it, and which chains these were: for each digit of a first
    /// link and each number of links (1, 2, and 3 or more), the digits of the last links. Of several chains that are
    /// equal in all three, only the first is followed, because the others find the same steps.
    known: &'a mut [(usize, [[DigitSet; 3]; 9])],
    best: &'a mut BestStep,
}

impl SetChain<'_> {
    /// Extends the chains that have reached `set` by a link of the digit `by`. Their next link has another digit.
    fn extend_chain(&mut self, first: Digit, set: usize, by: Digit, links: usize) {
        if !meets(self.reached.set(set), &self.ends) {
            return;
        }
        let (start, known) = &mut self.known[set];
        if *start != self.start {
            (*start, *known) = (self.start, [[DigitSet::EMPTY; 3]; 9]);
        }
        let known = &mut known[first.index()][links.min(3) - 1];
        if known.contains(by) {
            return;
        }
        known.insert(by);
        if links >= 3 && has(&self.ends, set) {
            let (a, b) = (&self.all.sets[self.start], &self.all.sets[set]);
            let mut removed = CandidateSet::EMPTY;
            for digit in a.digits.intersection(b.digits) {
                if digit != first && digit != by {
                    removed.insert(digit, a.seen(digit) & b.seen(digit));
                }
            }
            self.best.offer("Almost Locked Set Chain", removed, links);
        }
        let all = self.all;
        for link in &all.links[all.links_of(set)] {
            for digit in link.digits.filter(|digit| *digit != by) {
                self.extend_chain(first, link.second, digit, links + 1);
            }
        }
    }
}
