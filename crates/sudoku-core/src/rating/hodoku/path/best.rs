//! Chooses the best step as HoDoKu does, for techniques that find all their steps before one is applied.

use super::state::Candidate;
use super::step::Step;
use crate::board::CandidateSet;
use crate::rating::hodoku::version::HodokuVersion;

/// The best of the steps offered so far, by HoDoKu's general comparison:
///
/// 1. the step that removes more candidates;
/// 2. of steps with the same name and removals, the shorter chain;
/// 3. of other steps, in version 2.3 only, the shorter chain;
/// 4. the smaller weighted sum of the removals, [`weighted_sum`];
/// 5. the one that was found first.
#[derive(Default)]
pub(crate) struct BestStep {
    version: HodokuVersion,
    name: &'static str,
    /// The candidates that the best step removes; empty if no step has been offered.
    removed: CandidateSet,
    count: usize,
    length: usize,
    sum: usize,
}

impl BestStep {
    pub(crate) fn new(version: HodokuVersion) -> BestStep {
        BestStep {
            version,
            ..BestStep::default()
        }
    }

    /// Offers a step that removes these candidates, found by a chain with this many links.
    pub(crate) fn offer(&mut self, name: &'static str, removed: CandidateSet, length: usize) {
        if self.name == name && self.removed == removed {
            self.length = self.length.min(length);
        } else if self.wants(&removed, length) {
            *self = BestStep {
                version: self.version,
                name,
                removed,
                count: count(&removed),
                length,
                sum: weighted_sum(&removed),
            };
        }
    }

    /// Offers the best step of another search. Steps of that search count as found after the steps of this one.
    pub(crate) fn or(mut self, later: &BestStep) -> BestStep {
        self.offer(later.name, later.removed, later.length);
        self
    }

    /// Whether [`BestStep::offer`] would accept this step.
    pub(crate) fn wants(&self, removed: &CandidateSet, length: usize) -> bool {
        let count = count(removed);
        if count != self.count {
            return count > self.count;
        }
        let sum = weighted_sum(removed);
        match self.version {
            HodokuVersion::V2_2 => sum < self.sum,
            // Version 2.3 prefers the shorter chain if two steps have the same number of removals.
            HodokuVersion::V2_3 => (length, sum) < (self.length, self.sum),
        }
    }

    /// The fewest removals that a step must have for [`BestStep::offer`] to accept it.
    pub(crate) fn least_removals(&self) -> usize {
        self.count.max(1)
    }

    /// The best step, with its removals ordered by digit and then by cell; `None` if no step has been offered.
    pub(crate) fn step(self) -> Option<Step> {
        Step::removing(self.name, candidates(&self.removed).collect())
    }
}

fn candidates(removed: &CandidateSet) -> impl Iterator<Item = Candidate> {
    let by_digit = removed.by_digit();
    by_digit.flat_map(|(digit, cells)| cells.map(move |cell| (cell, digit)))
}

fn count(removed: &CandidateSet) -> usize {
    removed.by_digit().map(|(_, cells)| cells.len()).sum()
}

/// The sum of cell · (1 + 80k) + digit over the removals k = 0, 1, …, with cells from 0 and digits from 1. Different
/// removals can have the same sum.
fn weighted_sum(removed: &CandidateSet) -> usize {
    let weighted = |(k, (cell, digit)): (usize, Candidate)| {
        cell.index() * (1 + 80 * k) + usize::from(digit.value())
    };
    candidates(removed).enumerate().map(weighted).sum()
}
