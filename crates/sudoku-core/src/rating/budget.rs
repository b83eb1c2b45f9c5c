//! Limits the work for one rating. Work is counted in search steps, not in time.

/// The work that one rating may still spend, so that no puzzle takes forever. A unit of work is a node of a chain, or a
/// step of the search for loops. Unlike a time limit, it gives the same result on all machines.
#[derive(Debug)]
pub(super) struct Budget {
    units_left: u64,
}

impl Budget {
    pub(super) fn new(units: u64) -> Budget {
        Budget { units_left: units }
    }

    /// Spends this many units. Returns whether any units are left after that.
    #[inline]
    pub(super) fn spend(&mut self, units: u64) -> bool {
        let enough = self.units_left > units;
        self.units_left = self.units_left.saturating_sub(units);
        enough
    }

    pub(super) fn is_spent(&self) -> bool {
        self.units_left == 0
    }
}
