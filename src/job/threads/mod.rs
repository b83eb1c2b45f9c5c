//! The threads of a run: one reads, workers process batches, and one writes.

mod ambiguity;
mod fix_solutions;
pub(crate) mod message;
pub(crate) mod pace;
pub(crate) mod pool;
pub(crate) mod progress;
pub(crate) mod rating;
pub(crate) mod reader;
pub(crate) mod records;
pub(crate) mod split_batch;
pub(crate) mod worker;
pub(crate) mod writer;
