//! Grades one puzzle. A wave is one round of grading: all steps of the easiest technique that finds any are applied at
//! once.

use super::batches::singles;
use super::grades::{Grade, HardestTechnique};
use super::ladder::Ladder;
use super::lanes::WaveCounts;
use super::position::Position;
use super::rank::{Rank, SEARCH};
use super::steps::Steps;
use crate::board::{Candidates, Grid};

impl Ladder {
    /// Finds the next wave: all steps of the lowest technique that finds any. Returns the rank of the technique, or
    /// `None` if no technique finds anything.
    pub fn wave(&self, position: &Position, found: &mut Steps) -> Option<Rank> {
        let rung = self.next_rung(position, found)?;
        Some(self.rungs[rung].rank)
    }

    /// Finds the next wave like [`Ladder::wave`], but returns the index of its technique in this ladder, not the rank.
    fn next_rung(&self, position: &Position, found: &mut Steps) -> Option<usize> {
        self.rungs.iter().position(|rung| {
            found.clear();
            rung.technique.find_all(position, found);
            !found.is_empty()
        })
    }

    /// The hardest technique that a puzzle needs on this ladder. The ladder must contain the uniqueness techniques
    /// ([`Ladder::with_uniqueness`]), and `without` is the puzzle's grade on the same ladder without them. The puzzle
    /// must have exactly one solution.
    ///
    /// Uniqueness techniques argue that digits of a solution could be exchanged to get another solution. That is
    /// only valid if a puzzle consists of clues, because pencil marks may exclude the exchanged digits.
    pub fn needed(&self, puzzle: &Grid, without: &Grade) -> HardestTechnique {
        // The ladders with and without uniqueness techniques are equal below the first uniqueness technique. So a
        // puzzle that needs no higher technique keeps its grade.
        let rungs_below = self.rungs[..self.below_uniqueness].iter();
        let is_below = !without.beyond
            && rungs_below
                .into_iter()
                .any(|rung| rung.rank == without.rank);
        if is_below || self.below_uniqueness == self.rungs.len() {
            return without.needed();
        }
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        match climb.waves.hardest {
            Some(rung) if climb.is_solved() => {
                let hardest = HardestTechnique::rung(&self.rungs[rung]);
                HardestTechnique {
                    level: hardest.level.max(Some(climb.grade().level())),
                    ..hardest
                }
            }
            None if climb.is_solved() => without.needed(),
            _ if self.end().is_some() => HardestTechnique::BEYOND,
            _ => HardestTechnique::rank(SEARCH),
        }
    }

    /// Grades a puzzle, which must have exactly one solution.
    ///
    /// A puzzle is graded in waves. Each wave finds the lowest technique that has any step on the board, and applies
    /// all its steps at once. The next wave starts again with the lowest technique. If no technique finds anything, the
    /// puzzle needs a search.
    pub fn grade(&self, puzzle: impl Into<Position>) -> Grade {
        self.solve(puzzle).0
    }

    /// Applies techniques until none of the ladder finds anything more. Returns the position that is reached, solved or
    /// not.
    pub(crate) fn stall(&self, puzzle: impl Into<Position>) -> Position {
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        climb.position
    }

    /// The board on which no technique of this ladder finds anything more; `None` if they solve the puzzle. The puzzle
    /// may have several solutions, unless the ladder has uniqueness techniques.
    pub fn stalled(&self, puzzle: impl Into<Position>) -> Option<Candidates> {
        let position = self.stall(puzzle);
        (!position.is_solved()).then(|| position.board().clone())
    }

    /// Grades any puzzle as [`Ladder::grade`] does. Also returns the solution, if the ladder
    /// reaches it.
    ///
    /// No technique of [`LADDER`](super::LADDER) removes a candidate that is in a solution. So a
    /// valid full grid that these techniques reach is the only solution. For a puzzle that has no
    /// solution or several, no such grid is reached, and the grade has no meaning.
    pub fn solve(&self, puzzle: impl Into<Position>) -> (Grade, Option<Grid>) {
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        let solution = climb.position.solution();
        (climb.grade(), solution)
    }
}

/// The state of grading one puzzle: its position, and how often each technique has been applied (the counts of waves).
pub(super) struct Climb<'a> {
    ladder: &'a Ladder,
    pub(super) position: Position,
    pub(super) waves: Waves,
}

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
    pub(super) const NONE: Waves = Waves {
        hardest: None,
        first_rank: None,
        counts: [0; Rank::COUNT],
    };

    fn add(&mut self, rung: usize, rank: Rank, count: u16) {
        self.counts[rank.index()] += count;
        self.hardest = self.hardest.max(Some(rung));
    }

    /// Adds the waves that were applied to the puzzle while it was in a vector lane.
    pub(super) fn add_counts(&mut self, counts: &WaveCounts) {
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
    pub(super) fn grade(&self, ladder: &Ladder, is_solved: bool) -> Grade {
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
        let singles =
            self.ladder.lowest_rungs() >= singles::RUNGS && highest >= Rank::HIDDEN_SINGLE_LINE;
        let first_rung = if singles { singles::RUNGS } else { 0 };
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
        self.waves.add(rung, rank, 1);
        if self.waves.first_rank.is_none() && !steps.union().places_something() {
            self.waves.first_rank = Some(rank);
        }
        self.position.apply(steps.union());
        true
    }

    fn climb_singles(&mut self) {
        let waves = &mut self.waves;
        self.position.change(|board| {
            singles::climb(board, |rung| {
                waves.counts[rung] += 1;
                waves.hardest = waves.hardest.max(Some(rung));
            });
        });
    }

    /// Continues with the board that the puzzle has reached in a vector lane, and adds the waves counted there.
    pub(super) fn apply_lane(&mut self, counts: &WaveCounts, board: Candidates) {
        self.waves.add_counts(counts);
        self.position.change(|own| *own = board);
    }

    /// The grade that follows from the waves applied so far.
    pub(super) fn grade(&self) -> Grade {
        self.waves.grade(self.ladder, self.is_solved())
    }
}
