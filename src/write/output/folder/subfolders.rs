//! The subfolders of the current input. Each of them has an open table, up to a limit. Rows of further
//! subfolders are written to a spill.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use super::open_tables::OpenTables;
use super::spill::{Spill, bucket_count, by_folder};
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
pub(super) struct CurrentRows {
    pub(super) input: usize,
    /// The prefix of the names of the input's parts.
    pub(super) name: String,
    pub(super) metadata: TableMetadata,
    pub(super) kind: Option<TableKind>,
    /// The subfolders that have or had an open table. Rows of other subfolders are spilled.
    pub(super) folders: BTreeMap<String, SubfolderTable>,
    pub(super) spill: Option<Spill>,
    /// The number of subfolders that were complete before those in `folders`.
    pub(super) folders_before: usize,
    /// The depth of the spill that the rows come from; `None` if they come from the input.
    pub(super) from_spill: Option<u32>,
}

/// The table of a subfolder.
#[derive(Default)]
pub(super) struct SubfolderTable {
    pub(super) table: Option<TableId>,
    pub(super) before: u64,
}

/// The most subfolders of one input that can have open tables.
pub(super) fn most_folders(folder: &PartsFolder) -> usize {
    match folder.is_remote() {
        true => MAX_FOLDERS_IN_STORE,
        false => with_files(open_files::limit()),
    }
}

/// The same limit for a process that may have `files` open files. An eighth as many tables may wait for
/// their last groups. The remaining files are reserved for a spill, the input and the log.
fn with_files(files: usize) -> usize {
    const OTHERS: usize = 24;
    let free = files.saturating_sub(OTHERS + 2 * bucket_count(files));
    (free * FOLDERS_TO_ENDED / (FOLDERS_TO_ENDED + 1)).clamp(2, MAX_FOLDERS)
}

impl OpenTables {
    /// Writes the rows of a subfolder to the spill if too many subfolders have open tables. Returns whether
    /// the rows were spilled.
    pub(super) fn spill(&mut self, folder: &str, rows: &RecordBatch) -> Result<bool, Error> {
        let most = self.max_folders;
        let Some(current) = &mut self.current else {
            return Ok(false);
        };
        if current.folders.len() < most || current.folders.contains_key(folder) {
            return Ok(false);
        }
        if current.folders_before + most >= MOST_FOLDERS {
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
        let spill = match &mut current.spill {
            Some(spill) => spill,
            none => {
                let on = match self.root.is_remote() {
                    true => std::env::temp_dir(),
                    false => self.root.path(),
                };
                let depth = current.from_spill.map_or(0, |depth| depth + 1);
                none.insert(Spill::new(&self.schema, on, depth))
            }
        };
        spill.add(folder, rows).map(|()| true)
    }

    /// Ends the current input and all its tables.
    pub(super) fn end_input(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let has_none = (self.current.as_ref()).is_some_and(|current| current.folders.is_empty());
        if has_none && self.table.partition_by.is_empty() {
            // An input without rows has one part without rows, so that its columns are known.
            self.table_of("")?;
        }
        self.end_folders(work)?;
        let spill = self
            .current
            .as_mut()
            .and_then(|current| current.spill.take());
        if let Some(spill) = spill {
            self.drain(spill, work)?;
        }
        self.current = None;
        Ok(())
    }

    /// Writes the spilled rows to tables. No subfolder among them has a table yet.
    fn drain(&mut self, spill: Spill, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let depth = spill.depth();
        let mut buckets = spill.drain();
        while let Some(rows) = buckets.next_rows()? {
            if let Some(current) = &mut self.current {
                current.from_spill = Some(depth);
            }
            for rows in rows {
                for (folder, rows) in by_folder(&rows?)? {
                    self.add(&folder, rows, work)?;
                }
            }
            self.end_folders(work)?;
            // A bucket may still have too many subfolders, and is then spilled again.
            let deeper = self
                .current
                .as_mut()
                .and_then(|current| current.spill.take());
            if let Some(deeper) = deeper {
                self.drain(deeper, work)?;
            }
        }
        Ok(())
    }

    /// Ends the tables of the open subfolders.
    fn end_folders(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let Some(current) = &mut self.current else {
            return Ok(());
        };
        let folders = std::mem::take(&mut current.folders);
        current.folders_before += folders.len();
        for id in folders.into_values().filter_map(|filled| filled.table) {
            self.end_table(id, work)?;
        }
        Ok(())
    }
}
