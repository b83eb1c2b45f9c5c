//! The choice of one step, for techniques that find all of theirs before one is taken.

use super::step::Step;
use crate::board::CandidateSet;
use crate::rating::hodoku::version::HodokuVersion;

/// The best of the steps that were offered so far, by the reference's general comparison:
///
/// 1. the step that removes more candidates;
/// 2. of steps with the same name and removals, the shorter chain;
/// 3. of other steps, in version 2.3 only, the shorter chain;
/// 4. the smaller weighted sum of the removals, [`weighted_sum`];
/// 5. the one that was found first.
pub(crate) struct Best {
    version: HodokuVersion,
    best: Option<Found>,
}

struct Found {
    name: &'static str,
    removed: CandidateSet,
    count: usize,
    length: usize,
    sum: usize,
}

impl Best {
    pub(crate) fn new(version: HodokuVersion) -> Best {
        Best {
            version,
            best: None,
        }
    }

    /// Offers a step that removes these candidates, found by a chain of this length.
    pub(crate) fn offer(&mut self, name: &'static str, removed: CandidateSet, length: usize) {
        if let Some(best) = &mut self.best
            && best.name == name
            && best.removed == removed
        {
            best.length = best.length.min(length);
        } else if self.wants(&removed, length) {
            self.best = Some(Found {
                name,
                removed,
                count: count(&removed),
                length,
                sum: weighted_sum(&removed),
            });
        }
    }

    /// Offers the best step of another search, whose steps count as found later.
    pub(crate) fn or(mut self, later: Best) -> Best {
        if let Some(later) = later.best {
            self.offer(later.name, later.removed, later.length);
        }
        self
    }

    /// Whether [`Best::offer`] would take this step.
    pub(crate) fn wants(&self, removed: &CandidateSet, length: usize) -> bool {
        let count = count(removed);
        let Some(best) = &self.best else {
            return count > 0;
        };
        if count != best.count {
            return count > best.count;
        }
        let sum = weighted_sum(removed);
        match self.version {
            HodokuVersion::V2_2 => sum < best.sum,
            // An equivalent step with a shorter chain is taken too.
            HodokuVersion::V2_3 => (length, sum) < (best.length, best.sum),
        }
    }

    /// The fewest removals with which [`Best::offer`] takes a step.
    pub(crate) fn least_removals(&self) -> usize {
        self.best.as_ref().map_or(1, |best| best.count)
    }

    /// The best step. Its removals are in the order of the digits, then of the cells.
    pub(crate) fn step(self) -> Option<Step> {
        let Found { name, removed, .. } = self.best?;
        let removed = removed.by_digit();
        let removed = removed.flat_map(|(digit, cells)| cells.map(move |cell| (cell, digit)));
        Step::removing(name, removed.collect())
    }
}

fn count(removed: &CandidateSet) -> usize {
    removed.by_digit().map(|(_, cells)| cells.len()).sum()
}

/// The sum over the removals k = 0, 1, … of cell · (1 + 80k) + digit, with cells from 0 and digits from 1.
/// Different removals can have the same sum.
fn weighted_sum(removed: &CandidateSet) -> usize {
    let removed = removed.by_digit();
    let candidates = removed.flat_map(|(digit, cells)| cells.map(move |cell| (cell, digit)));
    candidates
        .enumerate()
        .map(|(k, (cell, digit))| cell.index() * (1 + 80 * k) + usize::from(digit.value()))
        .sum()
}
