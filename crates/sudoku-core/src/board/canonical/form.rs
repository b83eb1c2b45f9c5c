//! The result type of the search for the canonical form (min-lex form) of a puzzle.

use crate::board::grid::Grid;

/// The canonical form of a puzzle, and the number of its automorphisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The min-lex form. Two puzzles have the same form exactly if they are isomorphic.
    pub form: Grid,
    /// The number of rearrangements, out of 2 · 6⁸ of rows and columns, that give the same puzzle after a
    /// renaming of digits. At least 1, because the identity counts.
    pub automorphisms: u32,
}
