//! The grades and ratings that generated puzzles must have.

mod hodoku;

use crate::grade::{Level, Rank};
use crate::rating::RatingRange;

pub use hodoku::HodokuTarget;

/// The grade or rating that puzzles must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradeTarget {
    /// Any grade.
    Any,
    /// This technique is the hardest one needed.
    Technique(Rank),
    /// The hardest technique needed has this level.
    Level(Level),
    /// Sudoku Explainer's rating is in this range.
    Rating(RatingRange),
    /// HoDoKu's level and score are as wanted.
    Hodoku(HodokuTarget),
}

impl GradeTarget {
    /// Whether a puzzle whose hardest technique has this rank has the wanted grade.
    pub(crate) fn accepts(self, rank: Rank) -> bool {
        match self {
            GradeTarget::Any => true,
            // A rank says nothing about the ratings of Sudoku Explainer and HoDoKu.
            GradeTarget::Rating(_) | GradeTarget::Hodoku(_) => false,
            GradeTarget::Technique(wanted) => rank == wanted,
            GradeTarget::Level(level) => rank.level() == level,
        }
    }

    /// The highest rank that puzzles may have; `None` if any rank is fine. Techniques above this rank are not
    /// needed to decide whether a puzzle has the wanted grade.
    pub fn highest(self) -> Option<Rank> {
        match self {
            GradeTarget::Any | GradeTarget::Rating(_) | GradeTarget::Hodoku(_) => None,
            GradeTarget::Technique(wanted) => Some(wanted),
            GradeTarget::Level(level) => Rank::all().filter(|rank| rank.level() == level).last(),
        }
    }
}
