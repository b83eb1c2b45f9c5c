//! The subfolders of the current input. Each of them has an open table, up to a limit. Rows of further
//! subfolders are written to a spill.

use std::collections::BTreeMap;

use super::spill::{RowSpill, bucket_count};
use crate::open_files;
use crate::write::commit::PartsFolder;
use crate::write::output::TableId;
use crate::write::{TableKind, TableMetadata};

/// The most subfolders of one input that have open tables. Each table is an open file.
const MAX_FOLDERS: usize = 500;

/// The same limit in an object store, where each upload takes about 10 MiB of memory.
const MAX_FOLDERS_IN_STORE: usize = 64;

/// The most subfolders of one input. More of them would hardly be useful, because each has at least one
/// file.
pub(super) const MOST_FOLDERS: usize = 100_000;

/// The limit for tables that wait for their last group: one for this many open subfolders.
pub(super) const FOLDERS_TO_ENDED: usize = 8;

/// The input whose rows are arriving.
pub(super) struct RowsOfInput {
    pub(super) input_index: usize,
    /// The prefix of the names of the input's parts.
    pub(super) name: String,
    pub(super) metadata: TableMetadata,
    pub(super) kind: Option<TableKind>,
    /// The subfolders that have or had an open table. Rows of other subfolders are spilled.
    pub(super) tables_by_folder: BTreeMap<String, SubfolderTable>,
    pub(super) row_spill: Option<RowSpill>,
    /// The number of subfolders that were complete before those in `tables_by_folder`.
    pub(super) folders_before_spill: usize,
    /// The depth of the spill that the rows come from; `None` if they come from the input.
    pub(super) depth_of_spill: Option<u32>,
}

/// The table of a subfolder.
#[derive(Default)]
pub(super) struct SubfolderTable {
    pub(super) table: Option<TableId>,
    pub(super) parts_before: u64,
}

/// How many subfolders of one input can have an open table at the same time.
pub(super) fn most_folders(folder: &PartsFolder) -> usize {
    match folder.is_remote() {
        true => MAX_FOLDERS_IN_STORE,
        false => with_files(open_files::limit()),
    }
}

/// The same limit for a process that may have `files` open files. An eighth as many tables may wait for
/// their last groups. The remaining files are reserved for a spill, the input and the log.
fn with_files(files: usize) -> usize {
    const OTHER_OPEN_FILES: usize = 24;
    let free_files = files.saturating_sub(OTHER_OPEN_FILES + 2 * bucket_count(files));
    (free_files * FOLDERS_TO_ENDED / (FOLDERS_TO_ENDED + 1)).clamp(2, MAX_FOLDERS)
}
