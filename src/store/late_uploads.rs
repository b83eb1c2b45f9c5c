//! Uploads of earlier runs whose effect may come later: the run ended without an answer from the store. If such an object
//! appears while this run is at work, the run may replace it.
//!
//! The mark of every object that a run puts starts with the id of the run, so that a note of the ids is sufficient.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{Location, read_mark};

/// The random id of this process's runs.
static RUN_ID: LazyLock<String> =
    LazyLock::new(|| format!("{:016x}", RandomState::new().hash_one(0_u8)));

/// The ids of the earlier runs whose uploads may take effect later.
static LATE_RUNS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Whether a change of the store has been given up without an answer, so that it may take effect later.
static HAS_UNANSWERED_CHANGE: AtomicBool = AtomicBool::new(false);

/// The id of this process's runs, which starts the marks of all objects that they put.
pub(crate) fn run_id() -> &'static str {
    &RUN_ID
}

/// Remembers that a change of the store got no answer.
#[cfg(feature = "cloud")]
pub(super) fn remember_unanswered_change() {
    HAS_UNANSWERED_CHANGE.store(true, Ordering::Relaxed);
}

/// Whether a change of the store got no answer.
pub(crate) fn has_unanswered_change() -> bool {
    HAS_UNANSWERED_CHANGE.load(Ordering::Relaxed)
}

/// Remembers the ids of earlier runs whose uploads may still take effect.
pub(crate) fn expect_late_uploads(runs: &[String]) {
    let mut late_runs = LATE_RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    late_runs.extend_from_slice(runs);
}

/// Forgets the ids of earlier runs, when the output that they wrote is not claimed any more.
pub(crate) fn forget_late_uploads(runs: &[String]) {
    let mut late_runs = LATE_RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    for run in runs {
        if let Some(at) = late_runs.iter().position(|late| late == run) {
            late_runs.swap_remove(at);
        }
    }
}

/// Whether an object with this mark is a late upload of an earlier run.
pub(super) fn is_late_mark(mark: &str) -> bool {
    let late_runs = LATE_RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    late_runs.iter().any(|run| mark.starts_with(run.as_str()))
}

/// Whether there is an object at this location that a late upload of an earlier run has made. Returns false if the
/// request fails.
pub(crate) fn is_late_upload(location: &Location) -> bool {
    let has_late_runs = {
        let late_runs = LATE_RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        !late_runs.is_empty()
    };
    match location {
        Location::Remote(url) if has_late_runs => {
            let mark = read_mark(url).ok().flatten();
            mark.is_some_and(|mark| is_late_mark(&mark))
        }
        _ => false,
    }
}
