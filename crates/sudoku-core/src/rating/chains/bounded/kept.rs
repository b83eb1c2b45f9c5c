//! Keeps the results of dynamic runs for the next board of the puzzle. A run is a search from one assumption. The next
//! board has only a few candidates fewer, so most results stay valid.

use super::net::LinkNet;
use super::reached::{LostCandidates, RunResult};
use crate::bit_rows::BitSet;
use crate::board::{Cell, DigitSet};
use crate::rating::board::Board;
use crate::rating::chains::numbering::CandidateNumbering;

/// The least limit, in nodes of a hint, for runs that are kept for the next board. Most nodes have fewer ancestors, so
/// a smaller limit would save little time, and the next search may need a larger one.
pub(super) const LEAST_LIMIT_OF_KEPT_RUNS: u32 = 64;

/// The results of the runs on the last board, by the state (on or off) and the number of the assumed candidate.
pub(super) struct KeptRuns<const W: usize> {
    pub(super) reached: [Vec<RunResult<W>>; 2],
    pub(super) is_kept: [BitSet<W>; 2],
    cells: [DigitSet; 81],
}

impl<const W: usize> Default for KeptRuns<W> {
    fn default() -> KeptRuns<W> {
        KeptRuns {
            reached: Default::default(),
            is_kept: [BitSet::EMPTY; 2],
            cells: [DigitSet::EMPTY; 81],
        }
    }
}

impl<const W: usize> KeptRuns<W> {
    /// Forgets all results, because the candidates have new numbers.
    pub(super) fn forget(&mut self) {
        self.is_kept = [BitSet::EMPTY; 2];
        self.cells = [DigitSet::EMPTY; 81];
    }

    /// Forgets the runs whose result may differ on `board`, which must have no candidate that the last board lacks.
    /// Returns, for both states (on and off), the assumed candidates whose runs are still valid.
    pub(super) fn valid_on(
        &mut self,
        board: &Board,
        numbering: &CandidateNumbering,
        net: &LinkNet<W>,
    ) -> [BitSet<W>; 2] {
        let mut lost = LostCandidates {
            candidates: BitSet::EMPTY,
            slots: Vec::new(),
        };
        for (cell, old) in Cell::all().zip(&mut self.cells) {
            let digits_now = board.digits(cell);
            for digit in old.intersection(digits_now.complement()) {
                lost.add(numbering.number(cell, digit), net);
            }
            *old = digits_now;
        }
        // Skip slots (cells, or digits in houses) that have no candidate on the board: they cannot change a run.
        lost.slots.retain(|slot| net.grid.slot(*slot) != 0);
        for (is_kept, reached) in self.is_kept.iter_mut().zip(&mut self.reached) {
            is_kept.subtract(&lost.candidates);
            let mut still_valid = BitSet::EMPTY;
            is_kept.for_each(|start| {
                if reached[start].stays_valid(&lost, &net.grid) {
                    still_valid.insert(start);
                }
            });
            *is_kept = still_valid;
        }
        self.is_kept
    }
}

impl<const W: usize> LostCandidates<W> {
    fn add(&mut self, n: usize, net: &LinkNet<W>) {
        self.candidates.insert(n);
        for slot in net.candidate_slots[n].slots {
            if !self.slots.contains(&slot) {
                self.slots.push(slot);
            }
        }
    }
}
