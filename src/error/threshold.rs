//! The error of rows whose number is beyond the limit that an option sets.

use crate::numbers::thousands;
use crate::options::OptionName;

/// More rows than an option allows have a defect, or fewer than it asks for are right. This is only known at
/// the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of {} {found}, but {option} {wants} {limit}{remedy}", thousands(*count), thousands(*rows))]
pub struct ThresholdError {
    /// The number of rows that are counted.
    pub count: u64,
    /// The number of all rows.
    pub rows: u64,
    /// The property of the counted rows, as a phrase for the message.
    pub found: &'static str,
    /// The option that sets the limit.
    pub option: OptionName,
    /// Whether the option `allows` the limit or `asks for` it.
    pub wants: &'static str,
    /// The limit, as text for the message.
    pub limit: String,
    /// Advice for the user, starting with a colon; empty if there is none.
    pub remedy: String,
}
