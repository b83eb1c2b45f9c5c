//! Adds to a run (the search from one assumption) the removals that simple techniques, such as locked candidates, find
//! on the run's board.

use super::reached::{OFF, ON, RunResult};
use super::run::{BoundedRun, SharedData};
use crate::bit_rows::BitSet;
use crate::board::{CandidateSet, CellSet};
use crate::rating::chains::rules;

impl<const W: usize> BoundedRun<W> {
    /// Applies simple techniques to the grid of the run. Returns whether the run has a new off-node.
    #[inline(never)]
    pub(super) fn apply_rules(
        &mut self,
        shared: &SharedData<'_, W>,
        reached: &mut RunResult<W>,
    ) -> bool {
        let (mut left, removed) = self.left.take().unwrap_or((shared.board.clone(), 0));
        for off in &self.off_nodes(reached)[removed..] {
            let spot = &shared.net.candidate_slots[usize::from(*off)];
            left.remove(spot.cell, spot.digit);
        }
        let removed = self.off_nodes(reached).len();
        let has_node = rules::apply_simple(shared.board, &left, &mut |removed, parents| {
            self.add_by_rule(shared, removed, parents, reached)
        });
        self.left = Some((left, removed));
        has_node
    }

    fn add_by_rule(
        &mut self,
        shared: &SharedData<'_, W>,
        removed: &CandidateSet,
        parents: CandidateSet,
        reached: &mut RunResult<W>,
    ) -> bool {
        let mut all_ancestors = [BitSet::EMPTY; 2];
        let ancestors_index = self.ancestors.len();
        let mut has_node = false;
        let cells = removed
            .by_digit()
            .fold(CellSet::EMPTY, |all, (_, cells)| all | cells);
        for cell in cells {
            for (digit, _) in removed.by_digit().filter(|(_, cells)| cells.contains(cell)) {
                let off = shared.numbering.number(cell, digit);
                if self.sets[OFF].contains(off) {
                    continue;
                }
                if !has_node {
                    has_node = true;
                    for (digit, cells) in parents.by_digit() {
                        for cell in cells {
                            let parent = shared.numbering.number(cell, digit);
                            self.add_with_ancestors(shared, &mut all_ancestors, parent, reached);
                        }
                    }
                    self.ancestors.push(all_ancestors);
                }
                let count = all_ancestors[ON].len() + all_ancestors[OFF].len() + 1;
                self.add_node(shared, (OFF, off), ancestors_index, count, reached);
            }
        }
        has_node
    }
}
