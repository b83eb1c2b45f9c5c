//! A row as an example.

use serde::{Deserialize, Serialize};

/// A row as an example of its level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelExample {
    /// The puzzle.
    pub puzzle: String,
    /// The hardest technique that it needs.
    pub technique: String,
    /// The input that it came from.
    pub source: Option<String>,
    /// Its number there, from 0.
    pub row: Option<u64>,
}
