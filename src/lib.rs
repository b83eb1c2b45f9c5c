//! `pipeline` turns files of Sudoku puzzles into tables, on all cores, in bounded memory.
//!
//! ```text
//! read → normalise → validate → solve → grade → write → report
//! ```
//!
//! [`pipeline`] is the flow; the stages stand below it in its order.
//!
//! ```
//! use sudoku_pipeline::board::Grid;
//! use sudoku_pipeline::grade::Ladder;
//! use sudoku_pipeline::normalise::normalise;
//!
//! let puzzle: Grid = normalise(
//!     b"530070000600195000098000060800060003400803001700020006060000280000419005000080079",
//! )?;
//! let grade = Ladder::default().grade(&puzzle);
//! assert_eq!(grade.rank.id(), "naked_single");
//! # Ok::<(), sudoku_pipeline::reject::RejectReason>(())
//! ```

// The flow, and what goes through it.
pub mod pipeline;

mod worker;

pub mod error;
pub mod outcome;
pub mod reject;

// The stages, 1 to 7.
pub mod read;

pub mod inspect;

pub mod normalise;

pub mod validate;

pub mod solve;

pub mod grade;

pub mod write;

pub mod report;

// What they work on, and puzzles to work with.
pub mod board;

pub mod generate;

pub mod explain;

pub mod hodoku;

pub mod rng;

/// The version of this crate, as tables and summaries name it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
