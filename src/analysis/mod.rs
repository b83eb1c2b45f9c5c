//! Statistics of tables. The tables are read like the inputs of other commands, and the workers count each
//! batch.
//!
//! ```text
//! names ─ source ─┬─ stored statistics ─ merge ───────────────┐
//!                 └─ count: a job, whose workers fill parts ──┼─▶ Statistics, or a comparison
//!                                   └─ totals: their sum ─────┘
//! ```

mod count;
mod metadata;
mod options;
mod puzzles;
mod source;
mod steps;
mod tables_by_kind;
mod totals;

pub use crate::counts::tables::CountOptions;
pub use options::{DamageCount, OnProgress, TableOptions};
pub use source::{Content, content_of, merged, overlap_of, statistics_of};
