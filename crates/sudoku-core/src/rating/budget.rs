//! How much work a rating may do.

/// Counts work, so that no puzzle can hold up a run: a unit is a node of a chain or of the search for
/// loops. What a puzzle costs does not depend on the machine.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new(units: u64) -> Budget {
        Budget { left: units }
    }

    /// Takes from what is left; false where there is not so much.
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
