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
    // Links share a set with few others: by set, the links that have it.
    let mut links_of: Vec<Vec<u32>> = vec![Vec::new(); sets.len()];
    for (at, link) in links.iter().enumerate() {
        links_of[link.first].push(at as u32);
        links_of[link.second].push(at as u32);
    }
    for (at, one) in links.iter().enumerate() {
        for next in merged_after(&links_of[one.first], &links_of[one.second], at as u32) {
            let two = &links[next as usize];
            let Some((a, b)) = wing_ends(one, two) else {
                continue;
            };
            let (a, b) = (&sets[a], &sets[b]);
            let is_same = one.digits[1].is_none() && one.digits == two.digits;
            if is_same || !(a.cells & b.cells).is_empty() {
                continue;
            }
            let used = |digit: &Digit| {
                one.digits.contains(&Some(*digit)) || two.digits.contains(&Some(*digit))
            };
            let mut removed: Vec<Candidate> = Vec::new();
            for digit in a.digits.intersection(b.digits).filter(|digit| !used(digit)) {
                removed.extend(all.seen_by(a, b, digit).map(|cell| (cell, digit)));
            }
            let found = Step::removing("Almost Locked Set XY-Wing", removed);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The numbers above `at` of two ascending lists, in ascending order.
fn merged_after<'a>(a: &'a [u32], b: &'a [u32], at: u32) -> impl Iterator<Item = u32> + 'a {
    let after = |list: &'a [u32]| &list[list.partition_point(|number| *number <= at)..];
    let (mut a, mut b) = (after(a), after(b));
    std::iter::from_fn(move || {
        let next = match (a.first(), b.first()) {
            (Some(x), Some(y)) => *x.min(y),
            (x, y) => *x.or(y)?,
        };
        for list in [&mut a, &mut b] {
            if list.first() == Some(&next) {
                *list = &list[1..];
            }
        }
        Some(next)
    })
}

/// The sets at the ends of two links that share a set. The last way to share one counts.
fn wing_ends(one: &Link, two: &Link) -> Option<(usize, usize)> {
    let ways = [
        (one.first, two.first, one.second, two.second),
        (one.first, two.second, one.second, two.first),
        (one.second, two.first, one.first, two.second),
        (one.second, two.second, one.first, two.first),
    ];
    let mut fits = ways.into_iter().filter(|(a, b, c, d)| a == b && c != d);
    fits.next_back().map(|(_, _, a, b)| (a, b))
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
