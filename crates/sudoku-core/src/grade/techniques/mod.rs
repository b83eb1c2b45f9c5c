//! The solving techniques, each in its own file, and the list of the techniques on the ladder, from the easiest to the
//! hardest.
//!
//! To add a technique, add a file with its [`technique!`](super::technique::technique) declaration, its search and its
//! tests, a `mod` line in its folder, and a line in [`order`](super::order). `CONTRIBUTING.md` has the other steps.
//!
//! A technique has one search (`find_all`), or two: `find_union` for grades, which is quick, and `list_steps`, which is
//! complete and readable. If they are large, they lie in files of one name in the folders `quick` and `listed`.

pub(crate) mod als;
mod basic;
pub(crate) mod chains;
pub(crate) mod fish;
pub(crate) mod forcing;
mod link_graph;
pub(crate) mod locked;
pub(crate) mod single_digit;
pub(crate) mod singles;
mod subset;
mod subsets;
mod uniqueness;
mod wings;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use super::order::for_techniques;
use super::rank::Rank;
use super::technique::{Info, Level, Technique};

pub use uniqueness::UNIQUENESS;

macro_rules! ladder {
    ($($part:ident { $($room:ident::$file:ident::$name:ident,)+ })+) => {
        /// All techniques of the default ladder. Their order defines the grade: the n-th technique has rank n.
        pub const LADDER: &[&dyn Technique] = &[$($(&$room::$file::$name,)+)+];
    };
}
for_techniques!(ladder);

/// The version of the default ladder. It is increased with every change that may alter the grade of any puzzle.
pub const LADDER_VERSION: u32 = 2;

const SEARCH_EFFORT: u32 = 10_000;

/// Properties of the technique that has this rank.
impl Rank {
    /// The technique of this rank; `None` for search.
    pub fn technique(self) -> Option<&'static dyn Technique> {
        LADDER.get(self.index()).copied()
    }

    /// The level of the rank's technique. Search has the highest level.
    pub fn level(self) -> Level {
        self.info().map_or(Level::Extreme, |info| info.level)
    }

    /// The effort that each use (wave) of the rank's technique adds to a grade.
    pub fn effort(self) -> u32 {
        self.info().map_or(SEARCH_EFFORT, |info| info.effort)
    }

    fn info(self) -> Option<&'static Info> {
        self.technique().map(Technique::info)
    }
}
