//! Commands that compare the puzzles of datasets by class: two puzzles of one class count as equal.
//!
//! ```text
//! rows and their classes, in input order
//!   ├─ dedup     the first row of each class is written, the others are listed
//!   ├─ split     all rows of a class go to the same part
//!   ├─ overlap   rows of one dataset whose class another one has
//!   └─ audit     what is invalid, repeated or shared is removed from several sets
//! ```
//!
//! Each command is an [`Output`](crate::write::Output) of a [`Job`](crate::job::Job) whose processing steps
//! determine [`classes`](crate::job::Stages::classes). An index stores the classes. If it reaches its memory
//! limit, it continues on disk.

mod audit;
mod class_index;
mod dedup;
mod duplicate_rows;
mod findings;
mod in_order;
mod key_map;
mod memory_claims;
mod ordered_lookups;
mod overlap;
mod pairs;
mod part_shares;
mod partitions;
mod row_places;
mod row_spool;
mod split;
mod strata;
#[cfg(test)]
mod tests;
mod waiting_rows;

pub use audit::{
    Audit, AuditLayout, AuditOutput, AuditSet, AuditTextContext, AuditTexts, MakeAuditTexts,
    Preferred, SharedAudit, removed_columns,
};
pub use class_index::IndexMemory;
pub use dedup::DedupOutput;
pub use duplicate_rows::duplicate_columns;
pub use findings::{Findings, SharedFindings};
pub use overlap::OverlapOutput;
pub use pairs::pair_columns;
pub use part_shares::PartSize;
pub use split::{Split, SplitOutput, SplitPart};
