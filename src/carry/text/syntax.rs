//! The syntax in which an input format writes values: plain text or JSON.

/// The syntax in which an input format writes the values of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Plain text, as in CSV.
    Plain,
    /// JSON text.
    Json,
}
