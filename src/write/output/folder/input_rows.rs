//! Adds the rows of an input to the tables of its subfolders. If there are too many subfolders, some rows are first
//! spilled to disk. They are written to tables when the tables of the other subfolders are complete.

use arrow::array::RecordBatch;

use super::open_tables::OpenTables;
use super::spill::{RowSpill, group_by_folder};
use super::subfolders::MOST_FOLDERS;
use crate::error::{Error, OptionError};
use crate::options::PARTITION_BY;
use crate::write::output::EncodeTask;

impl OpenTables {
    /// Adds the rows of a subfolder to its table, or spills them to disk.
    pub(super) fn add_rows(
        &mut self,
        folder: &str,
        rows: RecordBatch,
        encode_tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        if self.spill_rows(folder, &rows)? {
            Ok(())
        } else {
            self.add_to_table(folder, rows, encode_tasks)
        }
    }

    /// If too many subfolders have open tables, spills these rows of a subfolder to disk. Returns whether it has done
    /// so.
    fn spill_rows(&mut self, folder: &str, rows: &RecordBatch) -> Result<bool, Error> {
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
                let temp_folder = if self.root_folder.is_remote() {
                    std::env::temp_dir()
                } else {
                    self.root_folder.local_path()
                };
                let depth = current.spill_depth.map_or(0, |depth| depth + 1);
                none.insert(RowSpill::new(&self.schema, &temp_folder, depth))
            }
        };
        spill.add_rows(folder, rows).map(|()| true)
    }

    /// Ends the current input and all its tables.
    pub(super) fn end_input(&mut self, encode_tasks: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let has_no_table =
            (self.current_rows.as_ref()).is_some_and(|current| current.tables_by_folder.is_empty());
        if has_no_table && self.table.partition_by.is_empty() {
            // An input without rows gets one part without rows, so that readers know its columns.
            self.get_or_start_table("")?;
        }
        self.end_folders(encode_tasks)?;
        let spill = self
            .current_rows
            .as_mut()
            .and_then(|current| current.row_spill.take());
        if let Some(spill) = spill {
            self.drain_spill(spill, encode_tasks)?;
        }
        self.current_rows = None;
        Ok(())
    }

    /// Writes the spilled rows to tables. The subfolders of these rows have no tables yet.
    fn drain_spill(
        &mut self,
        spill: RowSpill,
        encode_tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        let depth = spill.depth();
        let mut buckets = spill.into_buckets();
        while let Some(rows) = buckets.next_rows()? {
            if let Some(current) = &mut self.current_rows {
                current.spill_depth = Some(depth);
            }
            for rows in rows {
                for (folder, rows) in group_by_folder(&rows?)? {
                    self.add_rows(&folder, rows, encode_tasks)?;
                }
            }
            self.end_folders(encode_tasks)?;
            // If a bucket of the spill alone has too many subfolders, some of its rows are spilled again.
            let deeper_spill = self
                .current_rows
                .as_mut()
                .and_then(|current| current.row_spill.take());
            if let Some(deeper_spill) = deeper_spill {
                self.drain_spill(deeper_spill, encode_tasks)?;
            }
        }
        Ok(())
    }

    /// Ends the open tables of all subfolders.
    fn end_folders(&mut self, encode_tasks: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let Some(current) = &mut self.current_rows else {
            return Ok(());
        };
        let folders = std::mem::take(&mut current.tables_by_folder);
        current.folders_before_spill += folders.len();
        for id in folders.into_values().filter_map(|filled| filled.table) {
            self.end_table(id, encode_tasks)?;
        }
        Ok(())
    }
}
