//! How often each technique was applied to the board of a vector lane.

use crate::grade::rank::Rank;

/// The number of techniques that run in vector lanes: those from full house to claiming.
pub(in crate::grade) const RUNGS: usize = Rank::LOCKED_CLAIMING.index() + 1;

/// How often each technique was applied to the board of a vector lane.
pub(in crate::grade) struct LaneCounts {
    /// For each technique, by index, the number of waves in which it was applied.
    pub(in crate::grade) waves: [u16; RUNGS],
    /// Whether claiming was the first technique that removed candidates without placing a digit.
    pub(in crate::grade) claimed_first: bool,
}

impl LaneCounts {
    /// The rank of the first technique that only removed candidates; `None` if no technique did that.
    pub(in crate::grade) fn first_rank(&self) -> Option<Rank> {
        let locked_waves = self.waves[Rank::LOCKED_POINTING.index()..]
            .iter()
            .any(|waves| *waves > 0);
        locked_waves.then_some(if self.claimed_first {
            Rank::LOCKED_CLAIMING
        } else {
            Rank::LOCKED_POINTING
        })
    }
}
