//! What `validate` finds wrong with a dataset.

use crate::numbers::thousands;

/// Records fail what `validate` requires.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not valid: of {} rows {}", thousands(*rows), listed(failures))]
pub struct NotValid {
    /// All records.
    pub rows: u64,
    /// How many fail, and how: `without a solution`.
    pub failures: Vec<(u64, &'static str)>,
}

fn listed(failures: &[(u64, &'static str)]) -> String {
    let failures: Vec<String> = (failures.iter())
        .map(|(count, how)| format!("{} {how}", thousands(*count)))
        .collect();
    failures.join(", ")
}
