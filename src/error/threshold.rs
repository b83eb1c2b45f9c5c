//! The error of rows whose number is beyond the limit that an option sets.

use crate::numbers::thousands;
use crate::options::OptionName;

/// More rows than an option allows have a defect, or fewer than it asks for are right. It is known at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of {} {found}, but {option} {wants} {limit}{remedy}", thousands(*count), thousands(*rows))]
pub struct ThresholdError {
    /// The number of rows that are counted.
    pub count: u64,
    /// The number of all rows.
    pub rows: u64,
    /// What is said of the rows that are counted.
    pub found: &'static str,
    /// The option that sets the limit.
    pub option: OptionName,
    /// Whether the option `allows` the limit or `asks for` it.
    pub wants: &'static str,
    /// The limit, as it is written.
    pub limit: String,
    /// How to solve it, after a colon; empty if there is nothing to say.
    pub remedy: String,
}
