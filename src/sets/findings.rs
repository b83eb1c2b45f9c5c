use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

/// What a run has found out about a dataset as a set, for its summary.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Counts by name, in the order of the summary.
    pub counts: Map<String, Value>,
    /// Of the rows that were read, those that are not written because of this.
    pub left_out: u64,
    /// The same for a person: so many of this.
    pub says: Vec<(u64, String)>,
    /// What a person should look at.
    pub warning: Option<String>,
}

/// The findings of an output, which outlive it.
#[derive(Clone, Debug, Default)]
pub struct SharedFindings(Arc<Mutex<Findings>>);

impl SharedFindings {
    /// What has been found so far.
    pub fn get(&self) -> Findings {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn set(&self, findings: Findings) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = findings;
    }
}
