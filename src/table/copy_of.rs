//! The origin of a row that `augment` made.

use std::fmt;

use sudoku_core::board::Isomorph;
use sudoku_core::sizes::SizedIsomorph;

use crate::table::class_key::ClassKey;

/// The origin of a row that `augment` made: an original puzzle, and the transformation that made the copy.
#[derive(Clone, Debug)]
pub struct CopyOf {
    /// The key of the class that the original puzzle shares with all its isomorphs.
    pub group: ClassKey,
    /// The number of the copy, from 1; 0 for the original puzzle.
    pub number: u32,
    /// The transformation that made the copy.
    pub isomorph: CopyIsomorph,
}

/// The transformation of an original puzzle to its copy.
#[derive(Clone, Debug)]
pub enum CopyIsomorph {
    /// The transformation of a 9 × 9 puzzle.
    Nine(Isomorph),
    /// The transformation of a puzzle of another size.
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
