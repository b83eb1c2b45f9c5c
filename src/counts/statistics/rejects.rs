//! Counts rejects, and keeps the first of them as examples.

use serde::{Deserialize, Serialize};

/// For each error, the number of rejects that are kept as examples.
pub const FIRST_REJECTS: usize = 3;

/// The maximum number of characters that are kept of a rejected record.
const MOST_RAW_CHARACTERS: usize = 200;

/// The rejects that have the same error: how many there are, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectsOfKind {
    /// The number of rejects that have this error.
    pub rows: u64,
    /// The first rejects, as examples.
    pub first: Vec<RejectExample>,
}

/// A reject that is kept as an example, because it is one of the first with its error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectExample {
    /// The input that the record came from.
    pub source: String,
    /// The number of the record in its input, from 0; `None` if unknown.
    pub row: Option<u64>,
    /// The line of the record, from 1; `None` in binary formats.
    pub line: Option<u64>,
    /// A message that says why the record was rejected.
    pub message: String,
    /// The text of the record, cut to 200 characters.
    pub raw: String,
}

impl RejectExample {
    /// Cuts the text of the record to 200 characters.
    #[must_use]
    pub fn cut(mut self) -> RejectExample {
        if let Some((end, _)) = self.raw.char_indices().nth(MOST_RAW_CHARACTERS) {
            self.raw.truncate(end);
            self.raw.push('…');
        }
        self
    }
}

impl RejectsOfKind {
    /// Counts a reject. Calls `example` only as long as there are fewer than [`FIRST_REJECTS`] examples.
    pub fn add(&mut self, example: impl FnOnce() -> RejectExample) {
        self.rows += 1;
        if self.first.len() < FIRST_REJECTS {
            self.first.push(example().cut());
        }
    }

    /// Adds the rejects of a later part of the dataset.
    pub fn merge(&mut self, other: RejectsOfKind) {
        self.rows += other.rows;
        self.first.extend(other.first);
        self.first.truncate(FIRST_REJECTS);
    }
}
