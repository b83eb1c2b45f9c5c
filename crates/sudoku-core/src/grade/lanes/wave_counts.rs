//! The number of waves of each rung on a board in a lane.

use crate::grade::rank::Rank;

/// The number of rungs that run in lanes.
pub(in crate::grade) const RUNGS: usize = Rank::LOCKED_CLAIMING.index() + 1;

/// The number of waves of each rung on a board in a lane.
pub(in crate::grade) struct WaveCounts {
    /// The number of waves of each rung.
    pub(in crate::grade) waves: [u16; RUNGS],
    /// Whether claiming was the first technique that only removed candidates.
    pub(in crate::grade) claimed_first: bool,
}

impl WaveCounts {
    /// The rank of the first wave that only removed candidates; `None` if there was none.
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
