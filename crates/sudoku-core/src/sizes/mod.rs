//! Puzzles of other sizes than 9 × 9: 4 × 4, 6 × 6, 16 × 16 and 25 × 25.

mod alphabet;
mod grid;
mod puzzle;
mod solve;

pub use crate::board::Size;
pub use alphabet::{Alphabet, AlphabetError, Alphabets};
pub use grid::{SizedGrid, Symbol};
pub use puzzle::{SizedPuzzle, is_other_size, parse};
pub use solve::solve_sized;
