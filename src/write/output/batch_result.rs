//! The result of a batch, which a job passes to its output as a whole.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use crate::counts::{Figures, Tally};
use crate::table::class::ClassMembers;
use crate::table::reject::Reject;
use crate::table::validation::Failure;

/// The result of a batch: its rows, and what was found in them.
#[derive(Default)]
pub struct BatchResult {
    /// The rows of the table; `None` if no table is written.
    pub rows: Option<RecordBatch>,
    /// The rows of the table by their folders, instead of `rows`, if the output has a
    /// [`row_divider`](crate::write::Output::row_divider).
    pub rows_by_folder: Option<BTreeMap<String, RecordBatch>>,
    /// The records that are not puzzles.
    pub rejects: Vec<Reject>,
    /// The records that fail validation, including rejects, ordered by row; empty unless `stages.validate` is set.
    pub failures: Vec<Failure>,
    /// The classes of the rows, such as isomorph classes: one element for each of `stages.classes`.
    pub class_members: Vec<ClassMembers>,
    /// The counts of the records.
    pub tally: Tally,
    /// The figures that the workers counted for reports.
    pub figures: Figures,
}

impl BatchResult {
    /// Leaves only the bad records. Called if there are more of them than the run allows: they are kept, but no more
    /// rows are written.
    pub(crate) fn leave_bad_records(&mut self) {
        self.rows = None;
        self.rows_by_folder = None;
        self.class_members.clear();
        self.figures = Figures::default();
    }
}
