//! Record batches in, record batches out: the work of a job for callers whose rows are in memory,
//! such as the Python package.
//!
//! ```text
//! BatchFunction   one batch, on the thread that calls it; no state from one batch to the next
//! BatchStream     a stream of batches, on all cores: read ahead, in order, in bounded memory
//! ```
//!
//! Both run the workers of [`crate::job`], so that the rows are those of the command line.

mod function;
mod options;
mod output;
mod rejects;
mod stream;

pub use function::{BatchFunction, BatchRows};
pub use options::{BatchOptions, RejectsAs};
pub use rejects::SpooledRejects;
pub use stream::{BatchStream, Next, StreamRun};
