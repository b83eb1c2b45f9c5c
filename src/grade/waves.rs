use super::effect::{Effect, Steps};
use super::position::Position;
use super::rank::{Rank, SEARCH};
use super::technique::{Level, Technique};
use super::techniques::LADDER;
use crate::board::Grid;

/// What a puzzle with exactly one solution needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The hardest technique needed.
    pub rank: Rank,
    /// The rank of the first wave that only removed candidates.
    pub first_rank: Option<Rank>,
    /// Waves per rank, by [`Rank::index`].
    pub waves: [u16; Rank::COUNT],
}

impl Grade {
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
}

/// The techniques that are tried, from the lowest rank up.
#[derive(Clone)]
pub struct Ladder {
    rungs: Vec<(Rank, &'static dyn Technique)>,
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder::up_to(SEARCH)
    }
}

impl Ladder {
    /// The techniques of [`LADDER`] whose rank is at most this.
    pub fn up_to(highest: Rank) -> Ladder {
        Ladder {
            rungs: Rank::all()
                .zip(LADDER.iter().copied())
                .filter(|(rank, _)| *rank <= highest)
                .collect(),
        }
    }

    /// The rungs from the lowest up.
    pub fn rungs(&self) -> impl Iterator<Item = (Rank, &'static dyn Technique)> + '_ {
        self.rungs.iter().copied()
    }

    /// One wave's findings: those of the lowest technique that finds anything.
    pub fn wave(&self, position: &Position, found: &mut Steps) -> Option<Rank> {
        self.rungs.iter().find_map(|(rank, technique)| {
            found.clear();
            technique.find_all(position, found);
            (!found.is_empty()).then_some(*rank)
        })
    }

    /// Grades a puzzle that has exactly one solution.
    ///
    /// By waves: the lowest technique that finds anything on the unchanged board, all of its
    /// findings at once, and again from the bottom. Where no technique finds anything, the rest
    /// is search.
    pub fn grade(&self, puzzle: &Grid) -> Grade {
        self.solve(puzzle).0
    }

    /// [`Ladder::grade`] of any puzzle, and its solution where the ladder reaches one.
    ///
    /// No technique removes a digit that stands there in some solution. So a valid full grid that
    /// the ladder reaches is the only solution; the grade of a puzzle with none or several, where no
    /// such grid can be reached, means nothing.
    pub fn solve(&self, puzzle: &Grid) -> (Grade, Option<Grid>) {
        let mut position = Position::new(puzzle);
        let mut found = Steps::union_only();
        let mut grade = Grade {
            rank: Rank::LOWEST,
            first_rank: None,
            waves: [0; Rank::COUNT],
        };
        while !position.is_solved() {
            let rank = self.wave(&position, &mut found).unwrap_or(SEARCH);
            grade.waves[rank.index()] += 1;
            grade.rank = grade.rank.max(rank);
            if rank == SEARCH {
                break;
            }
            let effect: &Effect = found.union();
            if grade.first_rank.is_none() && !effect.places_something() {
                grade.first_rank = Some(rank);
            }
            position.apply(effect);
        }
        (grade, position.solution())
    }
}
