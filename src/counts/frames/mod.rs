//! Counts rows with polars: the columns of a batch become a data frame once, and each figure is a group-by over it.
//!
//! ```text
//! columns of a batch ─ columns ─▶ DataFrame ─ AGGREGATIONS: group by keys, add up measures ─▶ groups per figure
//!   groups of all batches ─ merged by the same keys ─▶ Statistics, Breakdown, Evaluation, RunFigures
//! ```
//!
//! To add a figure, add an entry to [`AGGREGATIONS`](aggregations::AGGREGATIONS). It is not counted if a table lacks its
//! columns. There are few groups; distinct values without a bound are counted in
//! [`SortedCounts`](crate::counts::tables::distinct::sorted_counts::SortedCounts) instead.

pub(crate) mod aggregated_frames;
pub(crate) mod aggregations;
pub(crate) mod columns;
pub(crate) mod grouping;
pub(crate) mod groups;

use polars::prelude::PolarsError;

use crate::error::Error;

/// The maximum number of rows of a frame. Batches of tables with more rows are counted in several frames, because polars
/// keeps the rows of each group, and what it needs for them does not count to the memory of a batch.
pub(crate) const ROWS_PER_FRAME: usize = 1 << 13;

impl From<PolarsError> for Error {
    /// Frames are made by this program and not read from inputs, so an error of polars is a bug.
    fn from(error: PolarsError) -> Error {
        Error::Internal(format!("a data frame: {error}"))
    }
}
