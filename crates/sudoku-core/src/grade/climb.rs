//! The way of one puzzle up the ladder, wave by wave. A wave is one round of grading: all steps of the easiest technique
//! that finds any are applied at once.

use super::grades::Grade;
use super::ladder::Ladder;
use super::lanes::LaneCounts;
use super::position::Position;
use super::quick_singles;
use super::rank::Rank;
use super::steps::Steps;
use super::waves::Waves;
use crate::board::Candidates;

/// The state of grading one puzzle: its position, and how often each technique has been applied (the counts of waves).
pub(super) struct Climb<'a> {
    ladder: &'a Ladder,
    pub(super) position: Position,
    pub(super) waves: Waves,
}

impl<'a> Climb<'a> {
    /// Starts to grade a puzzle, to which no technique has been applied yet.
    pub(super) fn new(ladder: &'a Ladder, puzzle: impl Into<Position>) -> Climb<'a> {
        Climb {
            ladder,
            position: puzzle.into(),
            waves: Waves::NONE,
        }
    }

    /// Continues to grade a puzzle that has reached `position` by the waves counted in `waves`.
    pub(super) fn after(ladder: &'a Ladder, waves: Waves, position: Position) -> Climb<'a> {
        Climb {
            ladder,
            position,
            waves,
        }
    }

    /// Replaces the puzzle by the next one, which has reached `board` by the waves counted in `waves`.
    pub(super) fn restart(&mut self, waves: Waves, board: Candidates) {
        self.waves = waves;
        self.position.restart(board);
    }

    /// Whether the waves so far have solved all cells.
    pub(super) fn is_solved(&self) -> bool {
        self.position.is_solved()
    }

    /// Applies waves until the puzzle is solved or no technique up to the rank `highest` finds anything.
    pub(super) fn climb_to(&mut self, highest: Rank) {
        let singles = self.ladder.lowest_rungs() >= quick_singles::RUNGS
            && highest >= Rank::HIDDEN_SINGLE_LINE;
        let first_rung = if singles { quick_singles::RUNGS } else { 0 };
        while !self.is_solved() {
            if singles {
                self.climb_singles();
            }
            if self.is_solved() || !self.apply_wave(first_rung, highest) {
                return;
            }
        }
    }

    /// Applies all steps of the first technique that finds any. Tries the techniques from the index `first` in the
    /// ladder up to the rank `highest`. Returns whether any of them found a step.
    pub(super) fn apply_wave(&mut self, first: usize, highest: Rank) -> bool {
        let mut steps = Steps::union_only();
        let rungs = self.ladder.rungs[first..].iter();
        let allowed_rungs = rungs.take_while(|rung| rung.rank <= highest);
        let Some((rung, rank)) = allowed_rungs.enumerate().find_map(|(at, rung)| {
            steps.clear();
            rung.technique.find_all(&self.position, &mut steps);
            (!steps.is_empty()).then_some((first + at, rung.rank))
        }) else {
            return false;
        };
        self.waves
            .add_wave(rung, rank, steps.union().places_something());
        self.position.apply(steps.union());
        true
    }

    fn climb_singles(&mut self) {
        let waves = &mut self.waves;
        self.position.change(|board| {
            quick_singles::apply(board, |rung| waves.add_single(rung));
        });
    }

    /// Continues with the board that the puzzle has reached in a vector lane, and adds the waves counted there.
    pub(super) fn apply_lane(&mut self, counts: &LaneCounts, board: Candidates) {
        self.waves.add_counts(counts);
        self.position.change(|own| *own = board);
    }

    /// The grade that follows from the waves applied so far.
    pub(super) fn grade(&self) -> Grade {
        self.waves.grade(self.ladder, self.is_solved())
    }
}
