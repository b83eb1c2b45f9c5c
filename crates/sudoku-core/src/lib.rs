//! One Sudoku puzzle, or a batch of them in memory: parse, solve, count solutions, grade by the
//! hardest technique needed, explain, generate, bring to the min-lex form.
//!
//! ```
//! use sudoku_core::grade::Ladder;
//! use sudoku_core::text::{normalise, validate};
//!
//! let start = normalise(
//!     b"530070000600195000098000060800060003400803001700020006060000280000419005000080079",
//! )?;
//! let puzzle = validate(start, None)?;
//! let grade = Ladder::default().grade(&puzzle);
//! assert_eq!(grade.rank.id(), "naked_single");
//! # Ok::<(), sudoku_core::text::RejectReason>(())
//! ```
//!
//! The modules stand in the order of the work: each uses only those above it.

pub mod random;

pub mod board;

pub mod text;

mod vectors;

pub mod solve;

pub mod sizes;

pub mod grade;

pub mod explain;

pub mod generate;
