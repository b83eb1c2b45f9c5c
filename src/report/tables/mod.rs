//! Statistics of tables, which are read as by every other command, and counted batch by batch on the
//! workers.
//!
//! ```text
//! names ─ source ─┬─ stored statistics ─ merge ──────────────────┐
//!                 └─ count: job ─ plan: rows, rejects, runs ─────┼─▶ Statistics, or a comparison
//!                                   └─ value_groups, column_totals, repeats ─ sorted_counts ┘
//! ```

mod count;
mod metadata;
mod options;
mod plan;
mod puzzles;
mod rejects;
mod roles;
mod rows;
mod runs;
mod source;
mod totals;
mod values;

pub use count::{OnProgress, TableOptions};
pub use options::Measure;
pub use plan::{TablePart, TablePlan};
pub use source::{Content, content_of, merged, overlap_of, statistics_of};
pub(crate) use values::value_groups::ValueGroups;
