//! The options for reading the tables of a dataset and counting their rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use crate::job::{Progress, RunOptions};
use crate::read::{InferTypes, ReadOptions};

/// The numbers of tables and of damaged tables that have been read.
#[derive(Debug, Default)]
pub struct DamageCount {
    /// The number of tables.
    pub tables: AtomicU64,
    /// The number of tables that could not be read to their end.
    pub damaged: AtomicU64,
}

/// The options for reading the tables of a dataset and counting their rows.
#[derive(Clone)]
pub struct TableOptions {
    /// Which records are read and counted, and how.
    pub run: RunOptions,
    /// The SQL condition for the rows to count; `None` to count all rows.
    pub condition: Option<String>,
    /// Counts the tables and the damaged ones among them.
    pub damage: Arc<DamageCount>,
    /// The memory for counting distinct values, in bytes; `None` for the default. Above this limit, values are sorted
    /// on disk.
    pub values_bytes: Option<u64>,
    /// Stops the job when it is set to the number of a signal.
    pub stop: Arc<AtomicUsize>,
}

/// The default memory for counting distinct values, in bytes. It is enough for a million puzzles. Sorting more on disk
/// costs no time that can be measured.
pub(super) const DEFAULT_VALUES_MEMORY_BYTES: u64 = 128 << 20;

impl Default for TableOptions {
    fn default() -> TableOptions {
        let read = ReadOptions {
            infer_types: InferTypes::All,
            ..ReadOptions::default()
        };
        TableOptions {
            run: RunOptions {
                read,
                ..RunOptions::default()
            },
            condition: None,
            damage: Arc::default(),
            values_bytes: None,
            stop: Arc::default(),
        }
    }
}

/// A function that is called with the total size of the inputs in bytes (if it is known) and the progress.
pub type OnProgress<'a> = &'a mut dyn FnMut(Option<u64>, Progress);
