//! `pipeline` turns files of Sudoku puzzles into tables, on all cores, in bounded memory.
//!
//! ```text
//! read → normalise → validate → solve → grade → write → report
//! ```
//!
//! [`job`] runs these stages. Each module uses only modules above it in this file. Code for single
//! puzzles is in the crate [`sudoku_core`].

mod hash;

mod nearest;

pub mod numbers;

pub mod options;

pub mod open_files;

pub mod panics;

pub mod store;

// The rows of a table, and the conditions on them.
pub mod table;

pub mod error;

mod message_names;

mod temporary;

// The types of the columns that are carried from the inputs to the tables.
pub mod carry;

// The other stages: records are read, and rows are reported and written.
pub mod read;

pub mod report;

pub mod write;

// The flow: reader → workers → writer, on all cores, in bounded memory.
pub mod job;

// A dataset as a set of classes of equal puzzles: outputs of a job.
pub mod sets;

// Statistics of whole tables: a job that counts them.
pub mod analysis;

// Record batches in memory through the workers of a job.
pub mod batches;

// The command line, above everything: no other module uses it.
pub mod cli;

// The command line names the library as its other users do.
extern crate self as sudoku_pipeline;

/// The version of this crate, which tables and summaries name.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
