//! Parts of a whole in percent.

/// The part of a whole in percent, rounded to three digits or fewer.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        whole => {
            let exact = 100.0 * part as f64 / whole as f64;
            // Three digits, so that small shares do not vanish and large ones stay short.
            match exact {
                exact if exact >= 10.0 => (exact * 10.0).round() / 10.0,
                exact if exact >= 0.1 => (exact * 100.0).round() / 100.0,
                exact => (exact * 1e5).round() / 1e5,
            }
        }
    }
}
