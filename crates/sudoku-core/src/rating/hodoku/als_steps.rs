//! Techniques with almost locked sets: XZ-rule, XY-wing, chains.

use super::als::{AlmostLocked, Als, Link};
use super::best::Best;
use super::search::Search;
use super::step::{Candidate, Step};
use super::version::HodokuVersion;
use crate::board::{CandidateSet, Digit, DigitSet};

/// Two linked sets: of each other common digit, one of the two has it. With two links, each set has all of
/// its digits but those of the links.
pub(super) fn xz(search: &mut Search) -> Option<Step> {
    search.almost_locked = AlmostLocked::new(&search.state);
    let all = &search.almost_locked;
    all.links.iter().find_map(|link| {
        let (a, b) = (&all.sets[link.first], &all.sets[link.second]);
        let mut removed: Vec<Candidate> = Vec::new();
        let linked = || link.digits.into_iter().flatten();
        for used in linked() {
            for digit in a
                .digits
                .intersection(b.digits)
                .filter(|digit| *digit != used)
            {
                removed.extend(all.seen_by(a, b, digit).map(|cell| (cell, digit)));
            }
        }
        if link.digits[1].is_some() {
            for set in [a, b] {
                let own = set
                    .digits
                    .filter(|digit| linked().all(|used| used != *digit));
                for digit in own {
                    let outside = all.seen(set, digit).without(a.cells | b.cells);
                    removed.extend(outside.map(|cell| (cell, digit)));
                }
            }
        }
        Step::removing("Almost Locked Set XZ-Rule", removed)
    })
}

/// Two sets that are linked to a third one by different digits: of each other digit that they have in
/// common, one of the two has it.
pub(super) fn xy_wing(search: &mut Search) -> Option<Step> {
    let all = &search.almost_locked;
    let AlmostLocked { sets, links, .. } = all;
    // By set, the links that have it, and their other sets.
    let mut links_of: Vec<Vec<(usize, usize)>> = vec![Vec::new(); sets.len()];
    for (at, link) in links.iter().enumerate() {
        links_of[link.first].push((at, link.second));
        links_of[link.second].push((at, link.first));
    }
    for (at, one) in links.iter().enumerate() {
        let after = |set: usize| {
            let links = &links_of[set];
            &links[links.partition_point(|(next, _)| *next <= at)..]
        };
        let (mut of_first, mut of_second) = (after(one.first), after(one.second));
        // The later links that share the first or the second set, in their order.
        loop {
            let next = |links: &[(usize, usize)]| links.first().map_or(usize::MAX, |next| next.0);
            let (list, a) = match next(of_first) < next(of_second) {
                true => (&mut of_first, one.second),
                false => (&mut of_second, one.first),
            };
            let Some((&(next, b), rest)) = list.split_first() else {
                break;
            };
            *list = rest;
            let (two, a, b) = (&links[next], &sets[a], &sets[b]);
            let mut digits = a.digits.intersection(b.digits);
            for used in [one, two]
                .into_iter()
                .flat_map(|link| link.digits)
                .flatten()
            {
                digits.remove(used);
            }
            let is_same = one.digits[1].is_none() && one.digits == two.digits;
            if digits.is_empty() || is_same || !(a.cells & b.cells).is_empty() {
                continue;
            }
            let seen = |digit| all.seen_by(a, b, digit).map(move |cell| (cell, digit));
            let removed: Vec<Candidate> = digits.flat_map(seen).collect();
            let found = Step::removing("Almost Locked Set XY-Wing", removed);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Chains of at least four sets, each linked to a later one: of each other digit that the first and the last
/// one have in common, one of the two has it.
pub(super) fn chain(search: &mut Search) -> Option<Step> {
    let all = &search.almost_locked;
    let AlmostLocked { sets, links, .. } = all;
    let mut forward: Vec<Vec<&Link>> = (0..sets.len()).map(|_| Vec::new()).collect();
    for link in links {
        forward[link.first].push(link);
    }
    // These chains have a comparison of their own in the reference, the same in all versions.
    let mut best = Best::new(HodokuVersion::V2_2);
    for start in 0..sets.len() {
        let mut chain = Chain {
            all,
            forward: &forward,
            start: &sets[start],
            known: std::array::from_fn(|_| Vec::new()),
            best: &mut best,
        };
        for link in &forward[start] {
            for first in link.digits.into_iter().flatten() {
                chain.from(first, link.second, first, 1);
            }
        }
    }
    best.step()
}

struct Chain<'a> {
    all: &'a AlmostLocked,
    forward: &'a [Vec<&'a Link>],
    start: &'a Als,
    /// By the digit of the first link, by set and number of links up to three: the digits of the last
    /// link with which it has been reached. Further chains to it would find the same again.
    known: [Vec<[DigitSet; 3]>; 9],
    best: &'a mut Best,
}

impl Chain<'_> {
    /// Goes on from a set that was reached by a digit. A link by the same digit alone does not follow.
    fn from(&mut self, first: Digit, set: usize, by: Digit, links: usize) {
        let known = &mut self.known[first.index()];
        known.resize(self.all.sets.len(), [DigitSet::EMPTY; 3]);
        let known = &mut known[set][links.min(3) - 1];
        if known.contains(by) {
            return;
        }
        known.insert(by);
        if links >= 3 {
            let (a, b) = (self.start, &self.all.sets[set]);
            let mut removed = CandidateSet::EMPTY;
            for digit in a.digits.intersection(b.digits) {
                if digit != first && digit != by {
                    removed.insert(digit, self.all.seen_by(a, b, digit));
                }
            }
            self.best.offer("Almost Locked Set Chain", removed, links);
        }
        let forward = self.forward;
        for link in &forward[set] {
            for digit in link
                .digits
                .into_iter()
                .flatten()
                .filter(|digit| *digit != by)
            {
                self.from(first, link.second, digit, links + 1);
            }
        }
    }
}
