//! The min-lex form of a puzzle: the isomorph whose 81 characters come first, row
//! by row, an empty cell before 1. Isomorphs permute the rows within bands, the bands, the columns
//! within stacks, the stacks and the digits, and exchange rows with columns.
//!
//! [`search`] finds it in about a microsecond. [`twin`] is its readable twin, which also handles grids with a
//! digit twice in a house; the search cannot.

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

/// Finds the min-lex form of any grid: over all arrangements of rows, columns, bands, stacks,
/// transposition and digits the smallest text, row by row, with an empty cell before 1.
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
/// This takes about a microsecond, and a few for full grids and for grids with very few clues. A grid with a
/// digit twice in a house takes up to a second if it has very few clues.
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
