//! `pipeline` turns files of Sudoku puzzles into tables, on all cores, in bounded memory.
//!
//! ```text
//! read → normalise → validate → solve → grade → write → report
//! ```
//!
//! [`pipeline`] is the flow; the stages stand below it in its order.
//!
//! ```
//! use sudoku_pipeline::grade::Ladder;
//! use sudoku_pipeline::normalise::normalise;
//! use sudoku_pipeline::validate::validate;
//!
//! let start = normalise(
//!     b"530070000600195000098000060800060003400803001700020006060000280000419005000080079",
//! )?;
//! let puzzle = validate(start, None)?;
//! let grade = Ladder::default().grade(&puzzle);
//! assert_eq!(grade.rank.id(), "naked_single");
//! # Ok::<(), sudoku_pipeline::reject::RejectReason>(())
//! ```

// The flow, and what goes through it.
pub mod pipeline;

pub mod memory;

pub mod error;
pub mod outcome;
pub mod reject;

// The stages, 1 to 7.
pub mod read;

pub mod inspect;

pub mod normalise;

pub mod alphabet;

pub mod validate;

pub mod sized;

pub mod solve;

pub mod grade;

pub mod filter;

pub mod write;

pub mod report;

mod recast;

// Where files are: on disk, or in an object store.
pub mod store;

// How they use this machine's processor.
pub mod kernel;

mod lanes;

// What they work on, and puzzles to work with.
pub mod board;

pub mod generate;

pub mod explain;

pub mod hodoku;

pub mod rng;

/// The version of this crate, as tables and summaries name it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
