//! Records that are not puzzles.

use serde::{Deserialize, Serialize};

/// The most rejects of an error that are kept as examples.
pub const FIRST_REJECTS: usize = 3;

/// The most characters of a rejected record that are kept.
const RAW: usize = 200;

/// The rejects of one error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectsOfKind {
    /// How many there are.
    pub rows: u64,
    /// The first ones.
    pub first: Vec<RejectExample>,
}

/// One of the first rejects of an error, as an example.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectExample {
    /// The input that it came from.
    pub source: String,
    /// Its number there, from 0.
    pub row: Option<u64>,
    /// Its line, from 1, where the input is text.
    pub line: Option<u64>,
    /// The reason in words.
    pub message: String,
    /// The record, or its start.
    pub raw: String,
}

impl RejectExample {
    /// The same with a record that is not too long.
    #[must_use]
    pub fn cut(mut self) -> RejectExample {
        if let Some((end, _)) = self.raw.char_indices().nth(RAW) {
            self.raw.truncate(end);
            self.raw.push('…');
        }
        self
    }
}

impl RejectsOfKind {
    /// Adds a reject.
    pub fn add(&mut self, example: impl FnOnce() -> RejectExample) {
        self.rows += 1;
        if self.first.len() < FIRST_REJECTS {
            self.first.push(example().cut());
        }
    }

    /// Adds those of a later part.
    pub fn merge(&mut self, other: RejectsOfKind) {
        self.rows += other.rows;
        self.first.extend(other.first);
        self.first.truncate(FIRST_REJECTS);
    }
}
