//! The ways in which formats write values.

/// How a format writes values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// As text, as in CSV.
    Plain,
    /// As JSON.
    Json,
}
