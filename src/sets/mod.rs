//! A dataset as a set: which of its puzzles are the same, and what follows from that.
//!
//! ```text
//! rows and their classes, in input order
//!   ├─ dedup     the first row of each class is written, the others are listed
//!   ├─ split     all rows of a class go to the same part
//!   └─ overlap   rows of one dataset whose class another one has
//! ```
//!
//! Each is an [`Output`](crate::write::Output) of a [`Job`](crate::job::Job) whose stages have
//! [`class`](crate::job::Stages::class). Classes are kept in an index whose memory is bounded: beyond its
//! limit the rest of the work is done by partitions on disk.

mod dedup;
mod findings;
mod index;
mod overlap;
mod partitions;
mod places;
mod split;
mod spool;

pub use dedup::DedupOutput;
pub use findings::{Findings, SharedFindings};
pub use index::IndexMemory;
pub use overlap::OverlapOutput;
pub use split::{MANIFEST, Part, SUCCESS, Split, SplitOutput};
