//! The limit of the work for one rating.

/// Counts the work of a rating, so that no puzzle can stop a run. A unit is a node of a chain or of the
/// search for loops. The count is the same on all machines, unlike a time limit.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new(units: u64) -> Budget {
        Budget { left: units }
    }

    /// Spends units. Returns false if fewer are left.
    #[inline]
    pub(super) fn spend(&mut self, units: u64) -> bool {
        let enough = self.left > units;
        self.left = self.left.saturating_sub(units);
        enough
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}
