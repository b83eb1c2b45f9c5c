//! The figures of a batch that workers count for reports.

use super::evaluation::Evaluation;
use super::statistics::Statistics;
use super::tables::TablePart;

/// The figures of a batch that workers count for reports. The output or the job takes those that it keeps.
#[derive(Default)]
pub struct Figures {
    /// The statistics of the rows and rejects; `None` if the run does not collect them.
    pub statistics: Option<Box<Statistics>>,
    /// The verdicts on the predictions of a model; `None` if there are no predictions.
    pub evaluation: Option<Box<Evaluation>>,
    /// The counts of the rows of an input table; `None` if no input tables are counted.
    pub table_part: Option<Box<TablePart>>,
}
