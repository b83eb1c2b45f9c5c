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

pub mod wrap;

pub mod options;

pub mod open_files;

pub mod panics;

pub mod store;

// The rows and columns of output tables, and the conditions of `--where` on rows.
pub mod table;

pub mod error;

pub mod address_space;

mod message_names;
mod pool;

mod signals;
mod temporary;

// The types of carried columns: columns of the input that are copied to the output.
pub mod carry;

// The counts of runs and of tables.
pub mod counts;

// The stages that read records and write tables.
pub mod read;

pub mod write;

// All formats of inputs and outputs. Opens inputs by them.
pub mod formats;

// The flow: reader → workers → writer, on all cores, in bounded memory.
pub mod job;

// Commands such as `dedup` and `split`, which compare the puzzles of datasets.
pub mod sets;

// What is shown of counts: summaries, metrics, sheets, charts and pages. The flow does not use it.
pub mod report;

// Statistics of whole tables, for `stats` and `report`.
pub mod analysis;

// Processes record batches in memory, for example for the Python package.
pub mod batches;

// The command line, above everything: no other module uses it.
pub mod cli;

// Lets the module `cli` write `sudoku_pipeline::…`, like every other user of the library.
extern crate self as sudoku_pipeline;

/// The version of this crate, which is written to tables and summaries.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
