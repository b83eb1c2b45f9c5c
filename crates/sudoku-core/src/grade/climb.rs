//! Grades one puzzle, wave by wave.

use super::grades::{Grade, Needed};
use super::ladder::Ladder;
use super::lanes::Counted;
use super::position::Position;
use super::rank::{Rank, SEARCH};
use super::singles;
use super::steps::Steps;
use crate::board::{Candidates, Grid};

impl Ladder {
    /// Finds one wave: all findings of the lowest technique that finds anything. Returns its rank.
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
    /// techniques that argue with uniqueness ([`Ladder::with_uniqueness`]), given its grade on the
    /// ladder without them.
    ///
    /// These techniques exchange two digits of a solution for another solution. They hold for clues
    /// alone: pencil marks may rule the exchanged digits out.
    pub fn needed(&self, puzzle: &Grid, without: &Grade) -> Needed {
        // What the rungs below the first of them solve is solved by them here too.
        let below = self.rungs[..self.plain].iter();
        let is_below = !without.beyond && below.into_iter().any(|rung| rung.rank == without.rank);
        if is_below || self.plain == self.rungs.len() {
            return without.needed();
        }
        let mut climb = Climb::new(self, puzzle);
        climb.go_on(SEARCH);
        match climb.waves.hardest {
            Some(rung) if climb.is_solved() => {
                let needed = Needed::rung(&self.rungs[rung]);
                Needed {
                    level: needed.level.max(Some(climb.grade().level())),
                    ..needed
                }
            }
            None if climb.is_solved() => without.needed(),
            _ if self.end().is_some() => Needed::BEYOND,
            _ => Needed::rank(SEARCH),
        }
    }

    /// Grades a puzzle that has exactly one solution.
    ///
    /// Works by waves: it takes the lowest technique that finds anything on the unchanged board,
    /// applies all of its findings at once, and starts again from the bottom. Where no technique
    /// finds anything, the rest is search.
    pub fn grade(&self, puzzle: impl Into<Position>) -> Grade {
        self.solve(puzzle).0
    }

    /// What the ladder leaves of a puzzle: a solved position, or one in which it finds nothing.
    pub(crate) fn stall(&self, puzzle: impl Into<Position>) -> Position {
        let mut climb = Climb::new(self, puzzle);
        climb.go_on(SEARCH);
        climb.position
    }

    /// [`Ladder::grade`] of any puzzle, and its solution where the ladder reaches one.
    ///
    /// No technique of [`LADDER`](super::LADDER) removes a digit that stands there in some solution.
    /// So a valid full grid that a ladder of such techniques reaches is the only solution; the grade
    /// of a puzzle with none or several, where no such grid can be reached, means nothing.
    pub fn solve(&self, puzzle: impl Into<Position>) -> (Grade, Option<Grid>) {
        let mut climb = Climb::new(self, puzzle);
        climb.go_on(SEARCH);
        let solution = climb.position.solution();
        (climb.grade(), solution)
    }
}

/// A puzzle on its way up a ladder.
pub(super) struct Climb<'a> {
    ladder: &'a Ladder,
    pub(super) position: Position,
    pub(super) waves: Waves,
}

/// The waves of a climb so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waves {
    /// The highest rung.
    hardest: Option<usize>,
    /// The rank of the first that only removed candidates.
    first_rank: Option<Rank>,
    /// How many there were, by [`Rank::index`].
    counts: [u16; Rank::COUNT],
}

impl Waves {
    /// Before the first.
    pub(super) const NONE: Waves = Waves {
        hardest: None,
        first_rank: None,
        counts: [0; Rank::COUNT],
    };

    fn add(&mut self, rung: usize, rank: Rank, count: u16) {
        self.counts[rank.index()] += count;
        self.hardest = self.hardest.max(Some(rung));
    }

    /// Further waves, in lanes.
    pub(super) fn add_counted(&mut self, counted: &Counted) {
        // On a ladder that is climbed in lanes, the first rungs are the first ranks.
        for (rung, count) in counted.waves.into_iter().enumerate() {
            self.counts[rung] += count;
            if count > 0 {
                self.hardest = self.hardest.max(Some(rung));
            }
        }
        self.first_rank = self.first_rank.or(counted.first_rank());
    }

    /// The grade on this ladder, of a puzzle that is solved or will not be.
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
    /// Before the first wave.
    pub(super) fn new(ladder: &'a Ladder, puzzle: impl Into<Position>) -> Climb<'a> {
        Climb {
            ladder,
            position: puzzle.into(),
            waves: Waves::NONE,
        }
    }

    /// After some waves.
    pub(super) fn after(ladder: &'a Ladder, waves: Waves, position: Position) -> Climb<'a> {
        Climb {
            ladder,
            position,
            waves,
        }
    }

    /// Another puzzle, after some waves, takes the place of this one.
    pub(super) fn restart(&mut self, waves: Waves, board: Candidates) {
        self.waves = waves;
        self.position.restart(board);
    }

    /// Whether no cell is open any more.
    pub(super) fn is_solved(&self) -> bool {
        self.position.is_solved()
    }

    /// Wave by wave until the puzzle is solved, or nothing finds anything, or a technique above
    /// this rank is to be tried.
    pub(super) fn go_on(&mut self, highest: Rank) {
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

    /// One wave of the techniques from this rung up to this rank; whether they find anything.
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

    /// Takes over the board and the waves that the lowest rungs counted in lanes.
    pub(super) fn take(&mut self, counted: &Counted, board: Candidates) {
        self.waves.add_counted(counted);
        self.position.change(|own| *own = board);
    }

    /// The grade, of a climb that does not go on.
    pub(super) fn grade(&self) -> Grade {
        self.waves.grade(self.ladder, self.is_solved())
    }
}
