//! `pipeline` turns files of Sudoku puzzles into tables, on all cores, in bounded memory.
//!
//! ```text
//! read → normalise → validate → solve → grade → write → report
//! ```
//!
//! [`pipeline`] is the flow; the stages stand below it in its order.
//!
//! Everything about one puzzle is in the crate [`sudoku_core`].

// The flow, and what goes through it.
pub mod pipeline;

pub mod memory;

pub mod error;
pub mod outcome;
pub mod reject;

// The stages, 1 to 7.
pub mod read;

pub mod inspect;

pub mod filter;

pub mod write;

pub mod report;

mod recast;

// Where files are: on disk, or in an object store.
pub mod store;

/// The version of this crate, as tables and summaries name it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
