//! The two notations of values in input formats: plain text and JSON.

/// The notation in which an input format writes the values of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// The value is plain text, as in CSV.
    Plain,
    /// The value is JSON, so strings have quotes and escapes.
    Json,
}
