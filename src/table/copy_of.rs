//! The origin of a row that `augment` made.

use std::fmt;

use sudoku_core::board::Isomorph;
use sudoku_core::sizes::SizedIsomorph;

use crate::table::class_key::ClassKey;

/// The puzzle that a row is a copy of, and how the copy was made.
#[derive(Clone, Debug)]
pub struct CopyOf {
    /// The class of the puzzle and of all its isomorphs.
    pub group: ClassKey,
    /// The number of this copy among the copies of its puzzle, from 1; 0 for the puzzle itself.
    pub number: u32,
    /// How the puzzle was transformed.
    pub isomorph: CopyIsomorph,
}

/// How a puzzle was transformed.
#[derive(Clone, Debug)]
pub enum CopyIsomorph {
    /// A 9 × 9 puzzle.
    Nine(Isomorph),
    /// A puzzle of another size.
    Sized(SizedIsomorph),
}

impl fmt::Display for CopyIsomorph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyIsomorph::Nine(isomorph) => isomorph.fmt(f),
            CopyIsomorph::Sized(isomorph) => isomorph.fmt(f),
        }
    }
}
