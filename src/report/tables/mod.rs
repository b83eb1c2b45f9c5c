//! Counts the rows of tables that this or another program has written. The workers count each batch. Its counts are a
//! part of statistics, of rejects, or of a comparison of solvers.
//!
//! ```text
//! plan: rows, rejects, runs ─▶ row_figures, frames
//!         rows ─▶ column_totals, repeats ─ sorted_counts
//! ```

pub(crate) mod column_roles;
mod options;
pub(crate) mod plan;
pub(crate) mod rejects;
mod row_figures;
mod rows;
pub(crate) mod runs;
pub(crate) mod values;

pub use options::Measure;
pub use plan::{TablePart, TablePlan};
pub(crate) use row_figures::{MOST_FRAME_ROWS, RowFigures};
