//! The syntax in which a format writes values.

/// The syntax in which a format writes values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Plain text, as in CSV.
    Plain,
    /// JSON text.
    Json,
}
