//! The error for a number of rows that is above the maximum or below the minimum that an option sets.

use crate::numbers::thousands;
use crate::options::OptionName;

/// More rows have a defect than an option allows, or fewer rows are correct than an option requires. The numbers are
/// known only at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of {} {found}, but {option} {wants} {limit}{remedy}", thousands(*count), thousands(*rows))]
pub struct ThresholdError {
    /// The number of rows that have the property `found`.
    pub count: u64,
    /// The number of all rows.
    pub rows: u64,
    /// The property of the counted rows, as a phrase.
    pub found: &'static str,
    /// The option that sets the limit.
    pub option: OptionName,
    /// The verb of the message: `allows` if the limit is a maximum, and `asks for` if it is a minimum.
    pub wants: &'static str,
    /// The limit, as text for the message.
    pub limit: String,
    /// Advice for the user, which starts with a colon; empty if there is none.
    pub remedy: String,
}
