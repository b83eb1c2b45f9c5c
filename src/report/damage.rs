//! Inputs that a run with `--keep-going` could not read to their end.

use serde::{Deserialize, Serialize};

/// An input that could not be read to its end, in a run that went on without the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// The input, as it was named.
    pub source: String,
    /// The problem and its byte.
    pub message: String,
    /// Bytes of the file, as it is stored, that were not read; null where its size is not known.
    pub stored_bytes_unread: Option<u64>,
    /// Bytes of the decompressed input that were read and belong to a record, or to a record batch of
    /// Arrow, that the damage cut.
    #[serde(alias = "text_bytes_dropped")]
    pub bytes_dropped: u64,
    /// Rows that were not read; null where the file does not say how many it has.
    #[serde(default)]
    pub rows_lost: Option<u64>,
    /// It could not be opened: none of its records was read.
    #[serde(default)]
    pub nothing_read: bool,
}
