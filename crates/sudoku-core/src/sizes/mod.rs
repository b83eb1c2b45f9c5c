//! Puzzles of other sizes than 9 × 9: 4 × 4, 6 × 6, 12 × 12, 16 × 16 and 25 × 25.
//!
//! They are solved, graded with the techniques of ranks 1–15, and generated; the module
//! [`explain`](crate::explain) explains them. All sizes use the same code, which is generic over the shape of
//! a box.

mod alphabet;
mod any_puzzle;
mod board;
mod generate;
mod grid;
mod isomorphs;
mod ladder;
mod puzzle;
mod search;
mod shape;
mod step;
mod techniques;

pub use crate::board::Size;
pub use alphabet::{Alphabet, AlphabetError, Alphabets};
pub use any_puzzle::{AnyPuzzle, parse_any, parse_any_grid};
pub use board::SizedBoard;
pub use generate::{SizedGenerated, generate_sized};
pub use grid::{SizedGrid, Symbol};
pub use isomorphs::{SizedCanonical, SizedIsomorph};
pub(crate) use ladder::waves_sized;
pub use ladder::{grade_sized, stalled_sized};
pub use puzzle::{SizedPuzzle, is_grid_text, is_other_size, parse, parse_grid};
pub use search::ambiguity::solution_digits_sized;
pub use search::backtrack::{backtrack_sized, find_solutions_sized};
pub use search::cover::cover_sized;
pub use search::solve::{list_solutions_sized, solve_sized};
pub(crate) use shape::Shape;
pub use step::SizedStep;
pub(crate) use step::apply;
