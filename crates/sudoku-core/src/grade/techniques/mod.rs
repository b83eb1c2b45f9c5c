//! The techniques, one in each file, and the list of them.
//!
//! A new technique is a file with its [`technique!`](super::technique::technique) declaration, its
//! finder and its tests, a `mod` line beside it, and a line in [`order`](super::order).

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
        /// The order of the techniques is the definition of the grade: the n-th has rank n.
        pub const LADDER: &[&dyn Technique] = &[$($(&$room::$file::$name,)+)+];
    };
}
for_techniques!(ladder);

/// The version of the ladder. It changes whenever a grade may change.
pub const LADDER_VERSION: u32 = 2;

const SEARCH_EFFORT: u32 = 10_000;

/// The description of a rank's technique.
impl Rank {
    /// The technique of this rank; `None` for search.
    pub fn technique(self) -> Option<&'static dyn Technique> {
        LADDER.get(self.index()).copied()
    }

    /// The technique's level.
    pub fn level(self) -> Level {
        self.info().map_or(Level::Extreme, |info| info.level)
    }

    /// The effort of one wave of the technique.
    pub fn effort(self) -> u32 {
        self.info().map_or(SEARCH_EFFORT, |info| info.effort)
    }

    fn info(self) -> Option<&'static Info> {
        self.technique().map(Technique::info)
    }
}
