//! The counts that `dedup`, `split` and `overlap` add to the summary of a run.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use crate::table::class::ClassMembers;

/// The counts of a `dedup`, `split` or `overlap`, for the summary and the log of the run.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The counts by name, in the order in which the summary lists them.
    pub counts: Map<String, Value>,
    /// The number of rows that were read but not written.
    pub left_out: u64,
    /// The counts that the log shows, each with a description.
    pub says: Vec<(u64, String)>,
    /// A warning for the log; `None` if there is none.
    pub warning: Option<String>,
}

/// The counts of an output. They remain available when the output no longer exists.
#[derive(Clone, Debug, Default)]
pub struct SharedFindings(Arc<Mutex<Arc<Findings>>>);

impl SharedFindings {
    /// The counts up to now.
    pub fn get(&self) -> Arc<Findings> {
        let findings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&findings)
    }

    pub(super) fn store_findings(&self, findings: Findings) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(findings);
    }
}

/// The numbers of rows that have no class of the requested kind. There is a number for each kind of class that replaces
/// it.
#[derive(Clone, Copy, Default)]
pub(super) struct FallbackCounts {
    by_text: u64,
    by_isomorph: u64,
}

impl FallbackCounts {
    pub(super) fn add(&mut self, members: &ClassMembers) {
        self.by_text += members.by_text;
        self.by_isomorph += members.by_isomorph;
    }

    /// Adds these numbers to the counts of a summary or a manifest.
    pub(super) fn write_to(self, counts: &mut Map<String, Value>) {
        counts.insert("text_fallbacks".into(), self.by_text.into());
        counts.insert("isomorph_fallbacks".into(), self.by_isomorph.into());
    }
}
