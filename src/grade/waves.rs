use super::effect::Steps;
use super::ladder::{Ladder, Rung};
use super::position::Position;
use super::rank::{Rank, SEARCH};
use super::singles;
use super::technique::Level;
use crate::board::Grid;

/// What a puzzle with exactly one solution needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The hardest technique needed; of a puzzle beyond the ladder, the hardest that found anything.
    pub rank: Rank,
    /// Whether the ladder ended before the puzzle was solved.
    pub beyond: bool,
    /// The rank of the first wave that only removed candidates.
    pub first_rank: Option<Rank>,
    /// Waves per rank, by [`Rank::index`].
    pub waves: [u16; Rank::COUNT],
}

/// The hardest technique that a puzzle needs, as tables name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The technique's id, `search`, or `beyond`.
    pub id: &'static str,
    /// Its rank; `None` where the puzzle is beyond the ladder.
    pub rank: Option<Rank>,
    /// Its level; `None` where the puzzle is beyond the ladder.
    pub level: Option<Level>,
}

impl Needed {
    /// What a puzzle needs that the ladder ends below.
    pub const BEYOND: Needed = Needed {
        id: "beyond",
        rank: None,
        level: None,
    };

    fn rank(rank: Rank) -> Needed {
        Needed {
            id: rank.id(),
            rank: Some(rank),
            level: Some(rank.level()),
        }
    }

    fn rung(rung: &Rung) -> Needed {
        let info = rung.technique.info();
        Needed {
            id: info.id,
            rank: Some(rung.rank),
            level: Some(info.level),
        }
    }
}

impl Grade {
    /// The hardest technique needed.
    pub fn needed(&self) -> Needed {
        if self.beyond {
            Needed::BEYOND
        } else {
            Needed::rank(self.rank)
        }
    }

    /// Waves of all techniques; the search counts as one.
    pub fn total_waves(&self) -> u16 {
        self.waves.iter().sum()
    }

    /// The techniques' effort, summed over the waves.
    pub fn effort(&self) -> u32 {
        Rank::all()
            .map(|rank| rank.effort() * u32::from(self.waves[rank.index()]))
            .sum()
    }

    /// The level of the hardest technique needed.
    pub fn level(&self) -> Level {
        self.rank.level()
    }

    /// Whether no technique above this rank was used, wherever it stands on the ladder.
    pub fn is_within(&self, highest: Rank) -> bool {
        let above = self.waves.iter().skip(highest.index() + 1);
        above.into_iter().all(|waves| *waves == 0)
    }
}

impl Ladder {
    /// One wave's findings: those of the lowest technique that finds anything.
    pub fn wave(&self, position: &Position, found: &mut Steps) -> Option<Rank> {
        let rung = self.next_rung(position, found)?;
        Some(self.rungs[rung].rank)
    }

    /// [`Ladder::wave`], and which rung it is.
    fn next_rung(&self, position: &Position, found: &mut Steps) -> Option<usize> {
        self.rungs.iter().position(|rung| {
            found.clear();
            rung.technique.find_all(position, found);
            !found.is_empty()
        })
    }

    /// What a puzzle that has exactly one solution needs on a ladder with techniques that argue with
    /// that ([`Ladder::with_uniqueness`]), given its grade on the ladder without them.
    ///
    /// They exchange digits in thought, and so hold where clues alone make the puzzle: with pencil
    /// marks, what is exchanged may not be allowed to stand there.
    pub fn needed(&self, puzzle: &Grid, without: &Grade) -> Needed {
        // What the rungs below the first of them solve is solved by them here too.
        let below = self.rungs[..self.plain].iter();
        let is_below = !without.beyond && below.into_iter().any(|rung| rung.rank == without.rank);
        if is_below || self.plain == self.rungs.len() {
            return without.needed();
        }
        let mut climb = Climb::new(self, puzzle);
        climb.go_on(SEARCH);
        match climb.hardest {
            Some(rung) if climb.is_solved() => Needed::rung(&self.rungs[rung]),
            None if climb.is_solved() => without.needed(),
            _ if self.end().is_some() => Needed::BEYOND,
            _ => Needed::rank(SEARCH),
        }
    }

    /// Grades a puzzle that has exactly one solution.
    ///
    /// By waves: the lowest technique that finds anything on the unchanged board, all of its
    /// findings at once, and again from the bottom. Where no technique finds anything, the rest
    /// is search.
    pub fn grade(&self, puzzle: impl Into<Position>) -> Grade {
        self.solve(puzzle).0
    }

    /// [`Ladder::grade`] of any puzzle, and its solution where the ladder reaches one.
    ///
    /// No technique of [`LADDER`](super::LADDER) removes a digit that stands there in some solution.
    /// So a valid full grid that a ladder of such techniques reaches is the only solution; the grade
    /// of a puzzle with none or several, where no such grid can be reached, means nothing.
    pub fn solve(&self, puzzle: impl Into<Position>) -> (Grade, Option<Grid>) {
        let mut climb = Climb::new(self, puzzle);
        climb.go_on(SEARCH);
        climb.finish()
    }
}

/// A puzzle on its way up a ladder.
pub struct Climb<'a> {
    ladder: &'a Ladder,
    position: Position,
    /// The highest rung so far.
    hardest: Option<usize>,
    first_rank: Option<Rank>,
    waves: [u16; Rank::COUNT],
}

impl<'a> Climb<'a> {
    /// Before the first wave.
    pub fn new(ladder: &'a Ladder, puzzle: impl Into<Position>) -> Climb<'a> {
        Climb {
            ladder,
            position: puzzle.into(),
            hardest: None,
            first_rank: None,
            waves: [0; Rank::COUNT],
        }
    }

    /// Whether no cell is open any more.
    pub fn is_solved(&self) -> bool {
        self.position.is_solved()
    }

    /// Wave by wave until the puzzle is solved, or nothing finds anything, or a technique above
    /// this rank is to be tried.
    pub fn go_on(&mut self, highest: Rank) {
        let rungs = &self.ladder.rungs;
        let singles = self.ladder.starts_with_singles() && highest >= Rank::HIDDEN_SINGLE_LINE;
        let first = if singles { singles::RUNGS } else { 0 };
        let mut found = Steps::union_only();
        while !self.is_solved() {
            if singles {
                self.climb_singles();
            }
            if self.is_solved() {
                return;
            }
            let allowed = rungs[first..]
                .iter()
                .take_while(|rung| rung.rank <= highest);
            let Some(rung) = allowed.enumerate().find_map(|(at, rung)| {
                found.clear();
                rung.technique.find_all(&self.position, &mut found);
                (!found.is_empty()).then_some(first + at)
            }) else {
                return;
            };
            let rank = rungs[rung].rank;
            self.waves[rank.index()] += 1;
            self.hardest = self.hardest.max(Some(rung));
            if self.first_rank.is_none() && !found.union().places_something() {
                self.first_rank = Some(rank);
            }
            self.position.apply(found.union());
        }
    }

    fn climb_singles(&mut self) {
        let (waves, hardest) = (&mut self.waves, &mut self.hardest);
        self.position.change(|board| {
            singles::climb(board, |rung| {
                waves[rung] += 1;
                *hardest = (*hardest).max(Some(rung));
            });
        });
    }

    /// The grade, and the solution where there is one on top.
    pub fn finish(self) -> (Grade, Option<Grid>) {
        let ladder = self.ladder;
        let mut grade = Grade {
            rank: self
                .hardest
                .map_or(Rank::LOWEST, |rung| ladder.rungs[rung].rank),
            beyond: false,
            first_rank: self.first_rank,
            waves: self.waves,
        };
        if !self.is_solved() {
            if ladder.end().is_some() {
                grade.beyond = true;
            } else {
                grade.rank = SEARCH;
                grade.waves[SEARCH.index()] += 1;
            }
        }
        (grade, self.position.solution())
    }
}
