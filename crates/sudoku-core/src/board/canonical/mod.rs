//! Finds the min-lex form of a puzzle: of the texts of all its isomorphs, the one that comes first in the
//! order of characters, with an empty cell before 1. Isomorphs permute the rows within bands, the bands, the
//! columns within stacks, the stacks and the digits, and exchange rows with columns.
//!
//! [`search`] takes about a microsecond. It cannot handle grids with a digit twice in a house; the slow and
//! readable [`twin`] handles all grids, and tests compare the two.

mod dense;
mod form;
mod layout;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod twin;

pub use form::Canonical;

use std::cell::RefCell;

use super::grid::Grid;
use crate::vectors::Shuffles;
use search::{CanonicalForm, MinLexSearch};

/// Finds the min-lex form of any grid: the smallest text of all its isomorphs, row by row, with an empty cell
/// before 1.
///
/// ```
/// use sudoku_core::board::{Grid, Isomorph, canonical};
/// use sudoku_core::random::Rng;
///
/// let grid: Grid =
///     "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........".parse()?;
/// let rearranged = Isomorph::random(&mut Rng::new(1)).apply(&grid);
/// assert_ne!(grid, rearranged);
/// assert_eq!(canonical(&grid).form, canonical(&rearranged).form);
/// # Ok::<(), &str>(())
/// ```
///
/// This takes about a microsecond for a puzzle, and a few microseconds for a full grid or a grid with very
/// few clues. A grid with a digit twice in a house takes up to a second if it has very few clues.
pub fn canonical(grid: &Grid) -> Canonical {
    canonical_with(Shuffles::fastest(), grid)
}

fn canonical_with(shuffles: Shuffles, grid: &Grid) -> Canonical {
    thread_local! {
        static SEARCH: RefCell<MinLexSearch> = RefCell::default();
    }
    if grid.conflict().is_some() {
        return twin::canonical(grid);
    }
    SEARCH.with_borrow_mut(|search| shuffles.run(CanonicalForm { search, grid }))
}
