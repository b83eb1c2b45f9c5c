//! The counts that `dedup`, `split` and `overlap` add to the summary of a run.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

/// The findings of `dedup`, `split` and `overlap` for the summary of the run.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Counts by name, in the order of the summary.
    pub counts: Map<String, Value>,
    /// The number of rows that were read and are left out of the output for this reason.
    pub left_out: u64,
    /// Counts with their names, for people.
    pub says: Vec<(u64, String)>,
    /// A warning, for people.
    pub warning: Option<String>,
}

/// The findings of an output. They can be read after the output has been dropped.
#[derive(Clone, Debug, Default)]
pub struct SharedFindings(Arc<Mutex<Findings>>);

impl SharedFindings {
    /// The findings up to now.
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
