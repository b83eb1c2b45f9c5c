//! Counts the waves of a puzzle, from which its grade follows.

use super::grades::Grade;
use super::ladder::Ladder;
use super::lanes::LaneCounts;
use super::rank::{Rank, SEARCH};

/// Counts how often each technique has been applied to a puzzle (each time is a wave), and records the hardest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waves {
    /// The index in the ladder of the hardest technique used; `None` before the first wave.
    hardest: Option<usize>,
    /// The rank of the first technique that only removed candidates; `None` if every wave so far has placed a digit.
    first_rank: Option<Rank>,
    /// For each technique, the number of waves in which it was applied, by [`Rank::index`].
    counts: [u16; Rank::COUNT],
}

impl Waves {
    /// The counts before the first wave, all 0.
    pub(crate) const NONE: Waves = Waves {
        hardest: None,
        first_rank: None,
        counts: [0; Rank::COUNT],
    };

    /// Adds a wave of the technique with the index `rung` in the ladder. `places` tells whether it has placed a digit.
    pub(crate) fn add_wave(&mut self, rung: usize, rank: Rank, places: bool) {
        self.counts[rank.index()] += 1;
        self.hardest = self.hardest.max(Some(rung));
        if !places {
            self.first_rank = self.first_rank.or(Some(rank));
        }
    }

    /// Adds a wave of singles. Ladders whose singles have a fast path begin with them, so the index of the technique in
    /// the ladder equals [`Rank::index`].
    pub(super) fn add_single(&mut self, rung: usize) {
        self.counts[rung] += 1;
        self.hardest = self.hardest.max(Some(rung));
    }

    /// The index in the ladder of the hardest technique used; `None` before the first wave.
    pub(super) fn hardest(&self) -> Option<usize> {
        self.hardest
    }

    /// Adds the waves that were applied to the puzzle while it was in a vector lane.
    pub(super) fn add_counts(&mut self, counts: &LaneCounts) {
        // Ladders that run in vector lanes begin with the techniques of the lowest ranks, so the index of such a
        // technique in the ladder equals [`Rank::index`].
        for (rung, count) in counts.waves.into_iter().enumerate() {
            self.counts[rung] += count;
            if count > 0 {
                self.hardest = self.hardest.max(Some(rung));
            }
        }
        self.first_rank = self.first_rank.or(counts.first_rank());
    }

    /// The grade that follows from these waves. `is_solved` tells whether they solved the puzzle.
    pub(crate) fn grade(&self, ladder: &Ladder, is_solved: bool) -> Grade {
        let mut grade = Grade {
            rank: self
                .hardest
                .map_or(Rank::LOWEST, |rung| ladder.rungs[rung].rank),
            beyond: false,
            first_rank: self.first_rank,
            waves: self.counts,
        };
        if !is_solved {
            if ladder.end().is_some() {
                grade.beyond = true;
            } else {
                grade.rank = SEARCH;
                grade.waves[SEARCH.index()] += 1;
            }
        }
        grade
    }
}
