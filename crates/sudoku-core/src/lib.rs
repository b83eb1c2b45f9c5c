//! Sudoku puzzles in memory, one or a batch of them: parse, solve, count solutions, grade by the
//! hardest technique needed, explain, generate, bring to the min-lex form.
//!
//! ```
//! use sudoku_core::{Kernel, Ladder, Limits, Puzzle};
//!
//! let puzzles: Vec<Puzzle> = vec![
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?,
//! ];
//! let graded = Ladder::default().grade_all(Kernel::fastest(), &puzzles, Limits::default());
//! let grade = graded[0].grade.as_ref().expect("one solution");
//! assert_eq!(grade.rank.id(), "naked_single");
//! assert_eq!(grade.level().id(), "easy");
//! # Ok::<(), sudoku_core::text::ParseError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | parse and check a puzzle | [`Puzzle`], by [`str::parse`] |
//! | solve, count solutions | [`solve_all`] |
//! | grade | [`Ladder::grade_all`] |
//! | explain a grade, step by step | [`Explanation::of`](explain::Explanation::of) |
//! | generate | [`Generator::puzzle`](generate::Generator::puzzle) |
//! | the min-lex form | [`canonical`](board::canonical) |
//! | other sizes than 9 × 9 | [`sizes`] |
//!
//! A grade is a property of the puzzle: the same for all isomorphs, for every [`Kernel`] and for any
//! number of threads. No function prints, reads a file or starts a thread.

// The modules stand in the order of their use: each uses only those above it.

pub mod random;

pub mod board;

pub mod text;

mod vectors;

pub mod solve;

pub mod sizes;

pub mod grade;

pub mod explain;

pub mod generate;

pub use board::{Digit, Grid};
pub use grade::{Grade, Ladder, Level, Rank};
pub use solve::{Kernel, Limits, Solution, Status, solve_all};
pub use text::Puzzle;
