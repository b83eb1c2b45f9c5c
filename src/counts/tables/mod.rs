//! Counts the rows of tables that this or another program has written. The workers count each batch. Its counts are a
//! part of statistics, of rejects, or of a comparison of solvers.
//!
//! ```text
//! plan: rows, rejects, runs ─▶ row_figures, frames      outcomes, which a run has in memory ─▶ row_figures, frames
//!         rows ─▶ distinct
//!         rows, outcomes ─▶ column_roles ─▶ counted_columns, the registry of what is counted ─▶ written_by_commands
//! ```

pub(crate) mod column_roles;
mod counted_columns;
pub(crate) mod distinct;
mod options;
mod outcomes;
pub(crate) mod plan;
pub(crate) mod rejects;
mod row_figures;
mod rows;
pub(crate) mod runs;
pub(crate) mod written_by_commands;

pub use options::CountOptions;
pub(crate) use outcomes::labels_of;
pub use plan::{TablePart, TablePlan};
pub(crate) use row_figures::{MOST_FRAME_ROWS, RowFigures};
pub(crate) use rows::BatchCounts;
