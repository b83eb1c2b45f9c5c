//! The subfolders of the current input. Each of them has an open table, up to a limit. Rows of further
//! subfolders are written to a spill.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use super::open_tables::OpenTables;
use super::spill::{RowSpill, bucket_count, group_by_folder};
use crate::error::{Error, OptionError};
use crate::open_files;
use crate::options::PARTITION_BY;
use crate::write::commit::PartsFolder;
use crate::write::output::{EncodeTask, TableId};
use crate::write::{TableKind, TableMetadata};

/// The most subfolders of one input that have open tables. Each table is an open file.
const MAX_FOLDERS: usize = 500;

/// The same limit in an object store, where each upload takes about 10 MiB of memory.
const MAX_FOLDERS_IN_STORE: usize = 64;

/// The most subfolders of one input. More of them would hardly be useful, because each has at least one
/// file.
const MOST_FOLDERS: usize = 100_000;

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

impl OpenTables {
    /// Writes the rows of a subfolder to the spill if too many subfolders have open tables. Returns whether
    /// the rows were spilled.
    pub(super) fn spill_rows(&mut self, folder: &str, rows: &RecordBatch) -> Result<bool, Error> {
        let most_folders = self.max_folders;
        let Some(current) = &mut self.current_rows else {
            return Ok(false);
        };
        if current.tables_by_folder.len() < most_folders
            || current.tables_by_folder.contains_key(folder)
        {
            return Ok(false);
        }
        if current.folders_before_spill + most_folders >= MOST_FOLDERS {
            return Err(OptionError::new(
                PARTITION_BY,
                format!(
                    "it makes more than {MOST_FOLDERS} folders of one input: partition by columns with \
                     fewer values"
                ),
            )
            .with_value(self.table.partition_by.join(","))
            .into());
        }
        let spill = match &mut current.row_spill {
            Some(spill) => spill,
            none => {
                let temp_folder = match self.root_folder.is_remote() {
                    true => std::env::temp_dir(),
                    false => self.root_folder.local_path(),
                };
                let depth = current.depth_of_spill.map_or(0, |depth| depth + 1);
                none.insert(RowSpill::new(&self.schema, temp_folder, depth))
            }
        };
        spill.add_rows(folder, rows).map(|()| true)
    }

    /// Ends the current input and all its tables.
    pub(super) fn end_input(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let has_none =
            (self.current_rows.as_ref()).is_some_and(|current| current.tables_by_folder.is_empty());
        if has_none && self.table.partition_by.is_empty() {
            // An input without rows has one part without rows, so that its columns are known.
            self.table_of("")?;
        }
        self.end_folders(work)?;
        let spill = self
            .current_rows
            .as_mut()
            .and_then(|current| current.row_spill.take());
        if let Some(spill) = spill {
            self.drain_spill(spill, work)?;
        }
        self.current_rows = None;
        Ok(())
    }

    /// Writes the spilled rows to tables. No subfolder among them has a table yet.
    fn drain_spill(&mut self, spill: RowSpill, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let depth = spill.depth();
        let mut buckets = spill.into_buckets();
        while let Some(rows) = buckets.next_rows()? {
            if let Some(current) = &mut self.current_rows {
                current.depth_of_spill = Some(depth);
            }
            for rows in rows {
                for (folder, rows) in group_by_folder(&rows?)? {
                    self.add_rows(&folder, rows, work)?;
                }
            }
            self.end_folders(work)?;
            // A bucket may still have too many subfolders, and is then spilled again.
            let deeper = self
                .current_rows
                .as_mut()
                .and_then(|current| current.row_spill.take());
            if let Some(deeper) = deeper {
                self.drain_spill(deeper, work)?;
            }
        }
        Ok(())
    }

    /// Ends the tables of the open subfolders.
    fn end_folders(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let Some(current) = &mut self.current_rows else {
            return Ok(());
        };
        let folders = std::mem::take(&mut current.tables_by_folder);
        current.folders_before_spill += folders.len();
        for id in folders.into_values().filter_map(|filled| filled.table) {
            self.end_table(id, work)?;
        }
        Ok(())
    }
}
