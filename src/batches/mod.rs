//! Processes record batches in memory, for callers such as the Python package.
//!
//! ```text
//! BatchFunction   one batch, on the caller's thread, without state between batches
//! BatchStream     a stream of batches, on all cores, in order, in bounded memory; one small batch on the caller's thread
//! ```
//!
//! Both use the workers of [`crate::job`], and therefore give the same rows as the command line.

mod function;
mod options;
mod output;
mod rejects;
mod small;
mod stream;
mod stream_job;

pub use function::{BatchFunction, BatchRows};
pub use options::{BatchOptions, DatasetOptions, RejectsAs};
pub use rejects::SpooledRejects;
pub use stream::{BatchStream, StreamItem};
