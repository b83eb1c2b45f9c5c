//! The marks of uploads of earlier runs whose effect may come later: the run ended without an answer from the store. If
//! such an object appears while this run is at work, the run may replace it.

use std::sync::{Mutex, PoisonError};

use super::{Location, read_mark};

static LATE_MARKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Remembers the marks of uploads that may still take effect.
pub(crate) fn expect_late_uploads(marks: &[String]) {
    let mut late_marks = LATE_MARKS.lock().unwrap_or_else(PoisonError::into_inner);
    late_marks.extend_from_slice(marks);
}

/// Whether an object with this mark is a late upload of an earlier run.
pub(super) fn is_late_mark(mark: &str) -> bool {
    let late_marks = LATE_MARKS.lock().unwrap_or_else(PoisonError::into_inner);
    late_marks.iter().any(|late| late == mark)
}

/// Whether there is an object at this location that a late upload of an earlier run has made. Returns false if the
/// request fails.
pub(crate) fn is_late_upload(location: &Location) -> bool {
    let has_late_marks = {
        let late_marks = LATE_MARKS.lock().unwrap_or_else(PoisonError::into_inner);
        !late_marks.is_empty()
    };
    match location {
        Location::Remote(url) if has_late_marks => {
            let mark = read_mark(url).ok().flatten();
            mark.is_some_and(|mark| is_late_mark(&mark))
        }
        _ => false,
    }
}
