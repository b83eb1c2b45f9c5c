//! What a row is a copy of.

use sudoku_core::board::Isomorph;

use crate::table::class_key::ClassKey;

/// What a row is a copy of.
#[derive(Clone, Debug)]
pub struct CopyOf {
    /// The class of the puzzle and of all its isomorphs.
    pub group: ClassKey,
    /// Which copy of its puzzle this is, from 1.
    pub number: u32,
    /// What has been done to the puzzle.
    pub isomorph: Isomorph,
}
