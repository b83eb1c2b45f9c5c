//! The subfolders of the current input. Each has an open table, up to a maximum number. Rows of all other subfolders
//! are spilled to disk.

use std::collections::BTreeMap;

use super::spill::{RowSpill, bucket_count};
use crate::open_files;
use crate::write::commit::PartsFolder;
use crate::write::output::TableId;
use crate::write::{TableKind, TableMetadata};

/// The maximum number of subfolders of one input that have open tables. Each table is an open file.
const MAX_FOLDERS: usize = 500;

/// The same maximum for an object store, where each open table is an upload with a part in memory or in a temporary
/// file.
const MAX_FOLDERS_IN_STORE: usize = 64;

/// The maximum number of subfolders of one input. More subfolders would hardly be useful, because each has at
/// least one file.
pub(super) const MOST_FOLDERS: usize = 100_000;

/// At most one table per this many open subfolders may be waiting for its last group to be encoded.
pub(super) const FOLDERS_PER_ENDED_TABLE: usize = 8;

/// The input to which the next rows belong, and its subfolders.
pub(super) struct RowsOfInput {
    pub(super) input_index: usize,
    /// The start of the names of the input's parts.
    pub(super) name: String,
    pub(super) metadata: TableMetadata,
    pub(super) kind: Option<TableKind>,
    /// The subfolders that have or had an open table. Rows of all other subfolders are spilled to disk.
    pub(super) tables_by_folder: BTreeMap<String, SubfolderTable>,
    pub(super) row_spill: Option<RowSpill>,
    /// The number of subfolders that were complete before the tables in `tables_by_folder` were started.
    pub(super) folders_before_spill: usize,
    /// The number of times that these rows were spilled to disk before; `None` if they come directly from the input.
    pub(super) spill_depth: Option<u32>,
}

/// The open table of a subfolder, and the number of parts that the subfolder has got for this input.
#[derive(Default)]
pub(super) struct SubfolderTable {
    pub(super) table: Option<TableId>,
    pub(super) parts_before: u64,
}

/// The maximum number of subfolders of one input that have open tables at the same time.
pub(super) fn most_folders(folder: &PartsFolder) -> usize {
    if folder.is_remote() {
        MAX_FOLDERS_IN_STORE
    } else {
        max_folders_with_files(open_files::limit())
    }
}

/// The maximum number of subfolders with open tables, for a process that can have `files` open files. One more file is
/// reserved for every eight subfolders, for a table that waits for its last group. Some files are reserved for a spill,
/// the input and the log.
fn max_folders_with_files(files: usize) -> usize {
    const OTHER_OPEN_FILES: usize = 24;
    let free_files = files.saturating_sub(OTHER_OPEN_FILES + 2 * bucket_count(files));
    (free_files * FOLDERS_PER_ENDED_TABLE / (FOLDERS_PER_ENDED_TABLE + 1)).clamp(2, MAX_FOLDERS)
}
