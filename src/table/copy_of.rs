//! The origin of a row that `augment` made.

use sudoku_core::board::Isomorph;

use crate::table::class_key::ClassKey;

/// The puzzle that a row is a copy of, and how the copy was made.
#[derive(Clone, Debug)]
pub struct CopyOf {
    /// The class of the puzzle and of all its isomorphs.
    pub group: ClassKey,
    /// The number of this copy among the copies of its puzzle, from 1; 0 for the puzzle itself.
    pub number: u32,
    /// How the puzzle was transformed.
    pub isomorph: Isomorph,
}
