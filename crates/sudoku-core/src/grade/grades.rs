//! The grade of a puzzle, and its hardest technique in the form that tables use.

use std::sync::LazyLock;

use super::ladder::Rung;
use super::rank::{Rank, SEARCH};
use super::technique::Level;

/// The grade of a puzzle with exactly one solution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grade {
    /// The rank of the hardest technique that the puzzle needs. If the ladder of techniques does not solve the puzzle,
    /// it is the rank of the hardest technique that found a step.
    pub rank: Rank,
    /// Whether the ladder of techniques did not solve the puzzle and has no final search.
    pub beyond: bool,
    /// The rank of the first technique that only removed candidates; `None` if no technique did that.
    pub first_rank: Option<Rank>,
    /// For each technique, in how many waves it was applied, by [`Rank::index`]. A wave applies all steps that the
    /// technique finds on a board.
    pub waves: [u16; Rank::COUNT],
}

/// The fields of a [`Grade`] as numbers, in their order: for pickles in Python, which keep them between runs.
pub type GradeParts = (u8, bool, Option<u8>, Vec<u16>);

/// The hardest technique that a puzzle needs, in the form that tables use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardestTechnique {
    /// The id of the technique; `search` if the puzzle needs a search, and `beyond` if the ladder does not solve it.
    pub id: &'static str,
    /// The rank of the technique; `None` if the ladder does not solve the puzzle.
    pub rank: Option<Rank>,
    /// The level of the technique; `None` if the ladder does not solve the puzzle.
    pub level: Option<Level>,
}

impl HardestTechnique {
    /// The value for a puzzle that the techniques of the ladder do not solve, if the ladder has no final search.
    pub const BEYOND: HardestTechnique = HardestTechnique {
        id: "beyond",
        rank: None,
        level: None,
    };

    pub(super) fn rank(rank: Rank) -> HardestTechnique {
        HardestTechnique {
            id: rank.id(),
            rank: Some(rank),
            level: Some(rank.level()),
        }
    }

    pub(super) fn rung(rung: &Rung) -> HardestTechnique {
        let info = rung.technique.info();
        HardestTechnique {
            id: info.id,
            rank: Some(rung.rank),
            level: Some(info.level),
        }
    }
}

impl Grade {
    /// The fields as numbers, from which [`Grade::from_parts`] restores the grade.
    pub fn to_parts(&self) -> GradeParts {
        let Grade {
            rank,
            beyond,
            first_rank,
            waves,
        } = self;
        (
            rank.number(),
            *beyond,
            first_rank.map(Rank::number),
            waves.to_vec(),
        )
    }

    /// Restores a grade from the result of [`Grade::to_parts`]; `None` if it is that of another version of the ladder.
    pub fn from_parts((rank, beyond, first_rank, waves): GradeParts) -> Option<Grade> {
        Some(Grade {
            rank: Rank::from_number(rank)?,
            beyond,
            first_rank: match first_rank {
                Some(number) => Some(Rank::from_number(number)?),
                None => None,
            },
            waves: waves.try_into().ok()?,
        })
    }

    /// The hardest technique that the puzzle needs, in the form that tables use.
    pub fn needed(&self) -> HardestTechnique {
        if self.beyond {
            HardestTechnique::BEYOND
        } else {
            HardestTechnique {
                level: Some(self.level()),
                ..HardestTechnique::rank(self.rank)
            }
        }
    }

    /// Whether the techniques of the ladder solve the puzzle, without a final search.
    pub fn is_solved_by_techniques(&self) -> bool {
        !self.beyond && self.rank != SEARCH
    }

    /// The number of waves of all techniques together. A final search counts as one wave.
    pub fn total_waves(&self) -> u16 {
        self.waves.iter().sum()
    }

    /// The total effort of the grade: for each technique, its effort times the number of its waves.
    pub fn effort(&self) -> u32 {
        static EFFORTS: LazyLock<Vec<u32>> =
            LazyLock::new(|| Rank::all().map(Rank::effort).collect());
        let waves = self.waves.iter().map(|waves| u32::from(*waves));
        waves
            .zip(&*EFFORTS)
            .map(|(waves, effort)| waves * effort)
            .sum()
    }

    /// The level of the hardest technique that the puzzle needs, or the highest level of any technique used, if that is
    /// higher. The two only differ on ladders with their own order, where a technique can come after one of a higher
    /// level.
    pub fn level(&self) -> Level {
        let highest_used = self.waves.iter().rposition(|waves| *waves > 0);
        let highest = highest_used.and_then(|index| Rank::all().nth(index));
        highest
            .map_or(self.rank, |rank| rank.max(self.rank))
            .level()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Ladder;

    /// In HoDoKu's order, colouring comes after finned fish and Sue de Coq, although these have a higher level.
    #[test]
    fn the_level_is_never_below_that_of_a_technique_used() {
        for (puzzle, hardest, used) in [
            (
                ".................1..2.34.5......6..7..3.......51.........81..3..7.3.....6.....2..",
                "simple_coloring",
                "finned_jellyfish",
            ),
            (
                "................12..3..4..5......6.....12......7.3..8......68...2.......15......9",
                "multi_coloring",
                "finned_swordfish",
            ),
            (
                "................12..3.45...........4...61..7...5.....3.....3....7...2...16.....8.",
                "simple_coloring",
                "sue_de_coq",
            ),
        ] {
            let ladder = Ladder::named("hodoku").unwrap();
            let puzzle: crate::board::Grid = puzzle.parse().unwrap();
            let grade = ladder.grade(&puzzle);
            assert_eq!(grade.needed().id, hardest);
            assert!(grade.waves[Rank::from_id(used).unwrap().index()] > 0);
            assert_eq!(grade.level(), Level::Unfair, "{used}");
            assert_eq!(grade.needed().level, Some(Level::Unfair), "{used}");
            let needed_with_uniqueness = ladder.clone().with_uniqueness().needed(&puzzle, &grade);
            assert!(
                needed_with_uniqueness.level >= Some(Level::Hard),
                "{needed_with_uniqueness:?}"
            );
        }
    }
}
