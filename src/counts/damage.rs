//! The inputs that a run with `--keep-going` could not read to their end.

use serde::{Deserialize, Serialize};

/// An input that could not be read to its end, in a run that continued without the rest of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// The path of the input, as the user named it.
    pub source: String,
    /// A message about the damage, with the byte offset at which it starts.
    pub message: String,
    /// The number of bytes of the stored file that were not read; null if the file's size is not known.
    pub stored_bytes_unread: Option<u64>,
    /// The number of decompressed bytes that were read, but belong to a record or record batch that the damage
    /// cut off.
    #[serde(alias = "text_bytes_dropped")]
    pub bytes_dropped: u64,
    /// The number of rows that were not read; null if the file does not state how many rows it has.
    #[serde(default)]
    pub rows_lost: Option<u64>,
    /// Whether the input could not be opened, so that no record was read.
    #[serde(default)]
    pub nothing_read: bool,
}

impl Damage {
    /// The number of rows that are lost at least. If the file does not state how many rows it has, the record that the
    /// damage has cut is counted.
    pub fn rows_lost_at_least(&self) -> u64 {
        let cut_record = u64::from(self.bytes_dropped > 0);
        self.rows_lost.unwrap_or(cut_record)
    }
}
