//! Writes those tables of an output folder that are open at the same time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::finished_files::FinishedFiles;
use super::subfolders::{FOLDERS_PER_ENDED_TABLE, RowsOfInput, SubfolderTable, most_folders};
use super::table::FolderTable;
use crate::error::Error;
use crate::write::commit::{ClaimedFolder, FreeNames, PartFile, PartsFolder};
use crate::write::output::{EncodeTask, TableId};
use crate::write::{Encoded, GROUP_BYTES, RowGroup, TableKind, TableMetadata, TableWriter, Target};

/// The open tables of a folder: tables of the current input, and tables that have all their rows, but whose last
/// groups are still being encoded.
pub(super) struct OpenTables {
    pub(super) table: FolderTable,
    pub(super) root_folder: PartsFolder,
    free_names: FreeNames,
    pub(super) schema: SchemaRef,
    pub(super) max_folders: usize,
    pub(super) current_rows: Option<RowsOfInput>,
    tables_by_id: BTreeMap<TableId, OpenTable>,
    next_id: u64,
    /// The number of open tables that will get no more rows.
    ended_tables: usize,
    /// The number of open tables and of finished files that are not complete, by the index of their input.
    open_tables_by_input: BTreeMap<usize, usize>,
    /// The size in bytes of all rows that are not in a row group yet.
    waiting_bytes: usize,
    groups_in_flight: usize,
    /// The files that are complete. `None` instead of the part for a file with rejects.
    done_files: Vec<(usize, Option<PartFile>)>,
    finished_files: FinishedFiles,
}

struct OpenTable {
    writer: TableWriter,
    input_index: usize,
    path: String,
    rows: u64,
    has_ended: bool,
}

impl OpenTables {
    pub(super) fn new(
        table: &FolderTable,
        folder: &ClaimedFolder,
        schema: &SchemaRef,
    ) -> OpenTables {
        let root = folder.stage();
        OpenTables {
            table: table.clone(),
            root_folder: root.clone(),
            free_names: folder.free_names(),
            schema: schema.clone(),
            max_folders: most_folders(root),
            current_rows: None,
            tables_by_id: BTreeMap::new(),
            next_id: 0,
            ended_tables: 0,
            open_tables_by_input: BTreeMap::new(),
            waiting_bytes: 0,
            groups_in_flight: 0,
            done_files: Vec::new(),
            finished_files: FinishedFiles::new(),
        }
    }

    /// Begins an input. `name` is the start of its parts' names.
    pub(super) fn begin_input(&mut self, input: usize, name: &str, metadata: TableMetadata) {
        self.current_rows = Some(RowsOfInput {
            input_index: input,
            name: name.to_owned(),
            metadata,
            kind: None,
            tables_by_folder: BTreeMap::new(),
            row_spill: None,
            folders_before_spill: 0,
            spill_depth: None,
        });
    }

    /// Adds rows to the table of a subfolder. A table that reaches the maximum number of rows of a part is
    /// ended.
    pub(super) fn add_to_table(
        &mut self,
        folder: &str,
        mut rows: RecordBatch,
        encode_tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        while rows.num_rows() > 0 {
            let id = self.get_or_start_table(folder)?;
            let max = self.table.max_rows.unwrap_or(u64::MAX);
            let Some(table) = self.tables_by_id.get_mut(&id) else {
                return Err(Error::Internal("rows for a table that is not there".into()));
            };
            let room_rows = usize::try_from(max - table.rows).unwrap_or(usize::MAX);
            let taken_rows = rows.num_rows().min(room_rows);
            table.rows += taken_rows as u64;
            let is_full = table.rows == max;
            self.waiting_bytes -= table.writer.waiting_bytes();
            let groups = table.writer.push(rows.slice(0, taken_rows));
            self.waiting_bytes += table.writer.waiting_bytes();
            for group in groups {
                self.encode_later(id, group, encode_tasks)?;
            }
            rows = rows.slice(taken_rows, rows.num_rows() - taken_rows);
            if is_full {
                let current_rows = self.current_rows.as_mut();
                if let Some(filled) =
                    current_rows.and_then(|input| input.tables_by_folder.get_mut(folder))
                {
                    filled.table = None;
                }
                self.end_table(id, encode_tasks)?;
            }
        }
        self.make_room(encode_tasks)
    }

    /// Makes row groups from the tables with the most pending bytes, until the pending rows of all tables together have
    /// at most the size of one group. The memory plan assumes this limit.
    fn make_room(&mut self, encode_tasks: &mut Vec<EncodeTask>) -> Result<(), Error> {
        while self.waiting_bytes > self.table.group_bytes.unwrap_or(GROUP_BYTES) {
            let fullest = self.tables_by_id.iter_mut().max_by_key(|(id, table)| {
                // If several tables have equally many bytes, the first one is chosen, so that the order of groups is
                // deterministic.
                (table.writer.waiting_bytes(), Reverse(**id))
            });
            let Some((id, table)) = fullest else {
                return Ok(());
            };
            let (id, bytes) = (*id, table.writer.waiting_bytes());
            let Some(group) = table.writer.take_waiting_group() else {
                return Ok(());
            };
            self.waiting_bytes -= bytes;
            self.encode_later(id, group, encode_tasks)?;
        }
        Ok(())
    }

    /// Returns a row group that a worker will encode. A group of rows that were spilled to disk is encoded on this
    /// thread instead, because many of these groups at once would not fit into memory.
    fn encode_later(
        &mut self,
        id: TableId,
        group: RowGroup,
        encode_tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        self.groups_in_flight += 1;
        let current_rows = self.current_rows.as_ref();
        if current_rows.is_some_and(|current| current.spill_depth.is_some()) {
            let encoded = group.encode()?;
            return self.append(id, group.index, encoded);
        }
        encode_tasks.push(EncodeTask { table: id, group });
        Ok(())
    }

    /// The open table of a subfolder. It is started if it does not exist.
    pub(super) fn get_or_start_table(&mut self, folder: &str) -> Result<TableId, Error> {
        let Some(current) = &mut self.current_rows else {
            return Err(Error::Internal("rows before their input".into()));
        };
        if let Some(SubfolderTable {
            table: Some(id), ..
        }) = current.tables_by_folder.get(folder)
        {
            return Ok(*id);
        }
        let subfolder_table = current
            .tables_by_folder
            .entry(folder.to_owned())
            .or_default();
        let mut path = current.name.clone();
        if self.table.max_rows.is_some() {
            path += &format!("-{:05}", subfolder_table.parts_before);
        }
        if !folder.is_empty() {
            self.root_folder.create_subfolder(folder)?;
            path = format!("{folder}/{path}");
        }
        let ending = self.table.file_ending(self.table.format);
        let path = self.free_names.free_name(&path, &ending);
        let file = self
            .table
            .file_table(&self.root_folder.location_of(&path), self.table.format);
        let kind = match &mut current.kind {
            Some(kind) => kind,
            none => none.insert(TableKind::from_table(
                &file,
                &self.schema,
                &current.metadata,
            )?),
        };
        let mut writer = kind.start_part(&self.root_folder.location_of(&path).to_path())?;
        if let Some(bytes) = self.table.group_bytes {
            writer.shrink_groups(bytes);
        }
        let id = TableId(self.next_id);
        self.next_id += 1;
        subfolder_table.table = Some(id);
        subfolder_table.parts_before += 1;
        *self
            .open_tables_by_input
            .entry(current.input_index)
            .or_default() += 1;
        let table = OpenTable {
            writer,
            input_index: current.input_index,
            path,
            rows: 0,
            has_ended: false,
        };
        self.tables_by_id.insert(id, table);
        Ok(id)
    }

    /// Ends a table, which gets no more rows. It is complete when its last group has been encoded. If many tables wait
    /// for their last group, that group is encoded on this thread, to limit the number of open files.
    pub(super) fn end_table(
        &mut self,
        id: TableId,
        encode_tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        let many_tables_wait = self.ended_tables >= self.max_folders / FOLDERS_PER_ENDED_TABLE;
        let Some(table) = self.tables_by_id.get_mut(&id) else {
            return Ok(());
        };
        table.has_ended = true;
        self.ended_tables += 1;
        self.waiting_bytes -= table.writer.waiting_bytes();
        if many_tables_wait {
            let in_flight_before = table.writer.groups_in_flight();
            table.writer.encode_rest()?;
            self.groups_in_flight += table.writer.groups_in_flight() - in_flight_before;
        } else if let Some(group) = table.writer.take_waiting_group() {
            self.encode_later(id, group, encode_tasks)?;
        }
        self.complete_table(id)
    }

    /// Adds an encoded row group to its table.
    pub(super) fn append(
        &mut self,
        id: TableId,
        index: usize,
        encoded: Encoded,
    ) -> Result<(), Error> {
        if let Some(table) = self.tables_by_id.get_mut(&id) {
            let in_flight_before = table.writer.groups_in_flight();
            table.writer.append(index, encoded)?;
            self.groups_in_flight -= in_flight_before - table.writer.groups_in_flight();
        }
        self.complete_table(id)
    }

    /// Finishes a table if all its groups are written.
    fn complete_table(&mut self, id: TableId) -> Result<(), Error> {
        let is_complete =
            |table: &OpenTable| table.has_ended && table.writer.groups_in_flight() == 0;
        if !self.tables_by_id.get(&id).is_some_and(is_complete) {
            return Ok(());
        }
        let Some(table) = self.tables_by_id.remove(&id) else {
            return Ok(());
        };
        self.ended_tables -= 1;
        let target = table.writer.finish()?;
        let part = PartFile {
            path: table.path,
            rows: table.rows,
            bytes: target.bytes(),
        };
        self.finish_file(table.input_index, Some(part), target)
    }

    /// Finishes a file with the rejects of an input.
    pub(super) fn finish_rejects(&mut self, input: usize, target: Target) -> Result<(), Error> {
        *self.open_tables_by_input.entry(input).or_default() += 1;
        self.finish_file(input, None, target)
    }

    /// Finishes a file. An upload may be completed later, together with others.
    fn finish_file(
        &mut self,
        input: usize,
        part: Option<PartFile>,
        target: Target,
    ) -> Result<(), Error> {
        if !self.root_folder.is_remote() {
            target.finish_part()?;
            self.add_done(input, part);
            return Ok(());
        }
        self.finished_files.add(input, part, target);
        self.complete_due_files()
    }

    /// Completes the uploads of finished files, if some have waited for long enough.
    pub(super) fn complete_due_files(&mut self) -> Result<(), Error> {
        if self.finished_files.is_due() {
            self.complete_files()
        } else {
            Ok(())
        }
    }

    /// Completes the uploads of all finished files.
    pub(super) fn complete_files(&mut self) -> Result<(), Error> {
        for (input, part) in self.finished_files.complete_all()? {
            self.add_done(input, part);
        }
        Ok(())
    }

    fn add_done(&mut self, input: usize, part: Option<PartFile>) {
        self.done_files.push((input, part));
        if let Some(open) = self.open_tables_by_input.get_mut(&input) {
            *open -= 1;
            if *open == 0 {
                self.open_tables_by_input.remove(&input);
            }
        }
    }

    /// A file name with this extension. No file of the old output has this name.
    pub(super) fn free_name(&self, path: &str, ending: &str) -> String {
        self.free_names.free_name(path, ending)
    }

    /// Drops the open tables. This closes local files, which stay until the stage folder is cleared, and cancels
    /// uploads.
    pub(super) fn drop_tables(&mut self) {
        self.current_rows = None;
        self.tables_by_id.clear();
        self.finished_files.clear();
    }

    /// Returns the parts that were completed since the last call, with the indices of their inputs. An index without a
    /// part is that of an input whose rejects were completed.
    pub(super) fn take_done(&mut self) -> Vec<(usize, Option<PartFile>)> {
        std::mem::take(&mut self.done_files)
    }

    /// Whether a table of this input is open, or the upload of one of its files is not complete.
    pub(super) fn has_open_tables(&self, input: usize) -> bool {
        self.open_tables_by_input.contains_key(&input)
    }

    /// The number of row groups that are being encoded, or have been encoded but not written.
    pub(super) fn groups_in_flight(&self) -> usize {
        self.groups_in_flight
    }
}
