//! The error of `validate` for a dataset with invalid records.

use crate::numbers::{counted, thousands};

/// Some records do not meet the requirements of `validate`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not valid: of {} {}", counted(*rows, "row"), list_failures(failures))]
pub struct NotValid {
    /// The number of all records in the dataset.
    pub rows: u64,
    /// How many records fail for each reason. Reasons are texts such as `without a solution`.
    pub failures: Vec<(u64, &'static str)>,
}

fn list_failures(failures: &[(u64, &'static str)]) -> String {
    let failures: Vec<String> = (failures.iter())
        .map(|(count, how)| format!("{} {how}", thousands(*count)))
        .collect();
    failures.join(", ")
}
