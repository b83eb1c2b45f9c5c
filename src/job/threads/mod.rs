//! The threads of a run: one reads, workers process batches, and one writes.

mod ambiguity;
pub(crate) mod buffers;
pub(crate) mod bytes_read;
mod figures;
pub(crate) mod fix_solutions;
pub(crate) mod job_source;
pub(crate) mod message;
pub(crate) mod pace;
pub(crate) mod piece_input;
pub(crate) mod piece_work;
pub(crate) mod progress;
pub(crate) mod rating;
pub(crate) mod reader;
pub(crate) mod reader_workers;
pub(crate) mod records;
pub(crate) mod run_totals;
pub(crate) mod split_batch;
pub(crate) mod stages;
pub(crate) mod worker;
pub(crate) mod writer;
