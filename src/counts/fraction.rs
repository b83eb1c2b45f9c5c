//! Fractions of counts.

use serde_json::Value;

/// The fraction `part / whole`; null if `whole` is 0.
pub(crate) fn fraction(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        whole => Value::from(part as f64 / whole as f64),
    }
}
