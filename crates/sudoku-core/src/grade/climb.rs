//! Grades one puzzle, wave by wave.

use super::batches::singles;
use super::grades::{Grade, HardestTechnique};
use super::ladder::Ladder;
use super::lanes::WaveCounts;
use super::position::Position;
use super::rank::{Rank, SEARCH};
use super::steps::Steps;
use crate::board::{Candidates, Grid};

impl Ladder {
    /// Finds one wave: all instances of the lowest technique that finds any. Returns its rank.
    pub fn wave(&self, position: &Position, found: &mut Steps) -> Option<Rank> {
        let rung = self.next_rung(position, found)?;
        Some(self.rungs[rung].rank)
    }

    /// Like [`Ladder::wave`], but returns the index of the rung.
    fn next_rung(&self, position: &Position, found: &mut Steps) -> Option<usize> {
        self.rungs.iter().position(|rung| {
            found.clear();
            rung.technique.find_all(position, found);
            !found.is_empty()
        })
    }

    /// The hardest technique that a puzzle with exactly one solution needs on a ladder with the
    /// uniqueness techniques ([`Ladder::with_uniqueness`]), given its grade on the ladder without
    /// them.
    ///
    /// These techniques rely on exchanging two digits of a solution to get another one. They hold
    /// for clues only: pencil marks may exclude the exchanged digits.
    pub fn needed(&self, puzzle: &Grid, without: &Grade) -> HardestTechnique {
        // Rungs below the first uniqueness technique are the same on both ladders, so a puzzle that
        // they solve keeps its grade.
        let below = self.rungs[..self.below_uniqueness].iter();
        let is_below = !without.beyond && below.into_iter().any(|rung| rung.rank == without.rank);
        if is_below || self.below_uniqueness == self.rungs.len() {
            return without.needed();
        }
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        match climb.waves.hardest {
            Some(rung) if climb.is_solved() => {
                let needed = HardestTechnique::rung(&self.rungs[rung]);
                HardestTechnique {
                    level: needed.level.max(Some(climb.grade().level())),
                    ..needed
                }
            }
            None if climb.is_solved() => without.needed(),
            _ if self.end().is_some() => HardestTechnique::BEYOND,
            _ => HardestTechnique::rank(SEARCH),
        }
    }

    /// Grades a puzzle that has exactly one solution.
    ///
    /// Works in waves: takes the lowest technique that finds anything on the unchanged board,
    /// applies all its instances at once, and starts again from the bottom. If no technique finds
    /// anything, the rest is search.
    pub fn grade(&self, puzzle: impl Into<Position>) -> Grade {
        self.solve(puzzle).0
    }

    /// The position in which the ladder stops: solved, or without anything to find.
    pub(crate) fn stall(&self, puzzle: impl Into<Position>) -> Position {
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        climb.position
    }

    /// Grades any puzzle as [`Ladder::grade`] does, and returns its solution if the ladder reaches
    /// one.
    ///
    /// No technique of [`LADDER`](super::LADDER) removes a digit from a cell in which a solution
    /// has it. So a valid full grid reached by these techniques is the only solution. For a puzzle
    /// with no or several solutions no such grid is reached, and the grade has no meaning.
    pub fn solve(&self, puzzle: impl Into<Position>) -> (Grade, Option<Grid>) {
        let mut climb = Climb::new(self, puzzle);
        climb.climb_to(SEARCH);
        let solution = climb.position.solution();
        (climb.grade(), solution)
    }
}

/// A puzzle that is being graded.
pub(super) struct Climb<'a> {
    ladder: &'a Ladder,
    pub(super) position: Position,
    pub(super) waves: Waves,
}

/// The waves applied so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waves {
    /// The highest rung used.
    hardest: Option<usize>,
    /// The rank of the first wave that only removed candidates.
    first_rank: Option<Rank>,
    /// The number of waves by [`Rank::index`].
    counts: [u16; Rank::COUNT],
}

impl Waves {
    /// No waves yet.
    pub(super) const NONE: Waves = Waves {
        hardest: None,
        first_rank: None,
        counts: [0; Rank::COUNT],
    };

    fn add(&mut self, rung: usize, rank: Rank, count: u16) {
        self.counts[rank.index()] += count;
        self.hardest = self.hardest.max(Some(rung));
    }

    /// Adds the waves of the lanes.
    pub(super) fn add_counts(&mut self, counts: &WaveCounts) {
        // Only ladders whose first rungs are the first ranks are climbed in lanes.
        for (rung, count) in counts.waves.into_iter().enumerate() {
            self.counts[rung] += count;
            if count > 0 {
                self.hardest = self.hardest.max(Some(rung));
            }
        }
        self.first_rank = self.first_rank.or(counts.first_rank());
    }

    /// The grade on this ladder. `is_solved` says whether the ladder solved the puzzle.
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
    /// A climb before the first wave.
    pub(super) fn new(ladder: &'a Ladder, puzzle: impl Into<Position>) -> Climb<'a> {
        Climb {
            ladder,
            position: puzzle.into(),
            waves: Waves::NONE,
        }
    }

    /// A climb after some waves.
    pub(super) fn after(ladder: &'a Ladder, waves: Waves, position: Position) -> Climb<'a> {
        Climb {
            ladder,
            position,
            waves,
        }
    }

    /// Replaces the puzzle by another one, after some waves.
    pub(super) fn restart(&mut self, waves: Waves, board: Candidates) {
        self.waves = waves;
        self.position.restart(board);
    }

    /// Whether all cells are solved.
    pub(super) fn is_solved(&self) -> bool {
        self.position.is_solved()
    }

    /// Applies waves until the puzzle is solved, no technique finds anything, or a technique above
    /// this rank would be next.
    pub(super) fn climb_to(&mut self, highest: Rank) {
        let singles =
            self.ladder.lowest_rungs() >= singles::RUNGS && highest >= Rank::HIDDEN_SINGLE_LINE;
        let first = if singles { singles::RUNGS } else { 0 };
        while !self.is_solved() {
            if singles {
                self.climb_singles();
            }
            if self.is_solved() || !self.wave(first, highest) {
                return;
            }
        }
    }

    /// Applies one wave of the techniques from this rung up to this rank. Returns whether they
    /// found anything.
    pub(super) fn wave(&mut self, first: usize, highest: Rank) -> bool {
        let mut found = Steps::union_only();
        let rungs = self.ladder.rungs[first..].iter();
        let allowed = rungs.take_while(|rung| rung.rank <= highest);
        let Some((rung, rank)) = allowed.enumerate().find_map(|(at, rung)| {
            found.clear();
            rung.technique.find_all(&self.position, &mut found);
            (!found.is_empty()).then_some((first + at, rung.rank))
        }) else {
            return false;
        };
        self.waves.add(rung, rank, 1);
        if self.waves.first_rank.is_none() && !found.union().places_something() {
            self.waves.first_rank = Some(rank);
        }
        self.position.apply(found.union());
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

    /// Takes over the board and the waves from a lane.
    pub(super) fn apply_lane(&mut self, counts: &WaveCounts, board: Candidates) {
        self.waves.add_counts(counts);
        self.position.change(|own| *own = board);
    }

    /// The grade at the end of the climb.
    pub(super) fn grade(&self) -> Grade {
        self.waves.grade(self.ladder, self.is_solved())
    }
}
