//! The canonical form of a puzzle.

use crate::board::grid::Grid;

/// A puzzle's canonical form, and its symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The min-lex form: the same for all isomorphs, and for no other puzzle.
    pub form: Grid,
    /// How many of the 2 · 6⁸ rearrangements of rows and columns give the same puzzle, up to a renaming of
    /// digits. At least 1, since the rearrangement that changes nothing counts.
    pub automorphisms: u32,
}
