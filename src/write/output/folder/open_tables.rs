//! The open tables of an output folder.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::subfolders::{CurrentRows, FOLDERS_TO_ENDED, SubfolderTable, most_folders};
use super::table::FolderTable;
use crate::error::Error;
use crate::write::commit::{ClaimedFolder, FreeNames, PartFile, PartsFolder};
use crate::write::output::{EncodeTask, TableId};
use crate::write::{Encoded, GROUP_BYTES, RowGroup, TableKind, TableMetadata, TableWriter};

/// The open tables of a folder: those of the current input, and those that have all their rows and wait for
/// their last groups to be encoded.
pub(super) struct OpenTables {
    pub(super) table: FolderTable,
    pub(super) root: PartsFolder,
    names: FreeNames,
    pub(super) schema: SchemaRef,
    pub(super) max_folders: usize,
    pub(super) current: Option<CurrentRows>,
    open: BTreeMap<TableId, OpenTable>,
    next: u64,
    /// The number of open tables that have all their rows.
    ended: usize,
    /// The number of open tables, by the index of their input.
    of_inputs: BTreeMap<usize, usize>,
    /// The bytes of all rows that are not in a group yet.
    waiting_bytes: usize,
    under_way: usize,
    done: Vec<(usize, PartFile)>,
}

struct OpenTable {
    writer: TableWriter,
    input: usize,
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
            root: root.clone(),
            names: folder.free_names(),
            schema: schema.clone(),
            max_folders: most_folders(root),
            current: None,
            open: BTreeMap::new(),
            next: 0,
            ended: 0,
            of_inputs: BTreeMap::new(),
            waiting_bytes: 0,
            under_way: 0,
            done: Vec::new(),
        }
    }

    /// Begins an input. `name` is the prefix of its parts' names.
    pub(super) fn begin_input(&mut self, input: usize, name: &str, metadata: TableMetadata) {
        self.current = Some(CurrentRows {
            input,
            name: name.to_owned(),
            metadata,
            kind: None,
            folders: BTreeMap::new(),
            spill: None,
            folders_before: 0,
            from_spill: None,
        });
    }

    /// Adds rows to the table of a subfolder, and ends tables that have reached the most rows of a part.
    pub(super) fn add(
        &mut self,
        folder: &str,
        mut rows: RecordBatch,
        work: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        if self.spill(folder, &rows)? {
            return Ok(());
        }
        while rows.num_rows() > 0 {
            let id = self.table_of(folder)?;
            let max = self.table.max_rows.unwrap_or(u64::MAX);
            let Some(table) = self.open.get_mut(&id) else {
                return Err(Error::Internal("rows for a table that is not there".into()));
            };
            let room = usize::try_from(max - table.rows).unwrap_or(usize::MAX);
            let taken = rows.num_rows().min(room);
            table.rows += taken as u64;
            let is_full = table.rows == max;
            self.waiting_bytes -= table.writer.waiting_bytes();
            let groups = table.writer.push(rows.slice(0, taken));
            self.waiting_bytes += table.writer.waiting_bytes();
            for group in groups {
                self.hand_out(id, group, work)?;
            }
            rows = rows.slice(taken, rows.num_rows() - taken);
            if is_full {
                let current = self.current.as_mut();
                if let Some(filled) = current.and_then(|input| input.folders.get_mut(folder)) {
                    filled.table = None;
                }
                self.end_table(id, work)?;
            }
        }
        self.make_room(work)
    }

    /// Returns groups of the tables with the most pending bytes, until the pending rows of all tables fit
    /// into the size of one group, as the memory plan assumes.
    fn make_room(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        while self.waiting_bytes > self.table.group_bytes.unwrap_or(GROUP_BYTES) {
            let fullest = self.open.iter_mut().max_by_key(|(id, table)| {
                // Of equally full tables the first is chosen, so that the order is deterministic.
                (table.writer.waiting_bytes(), Reverse(**id))
            });
            let Some((id, table)) = fullest else {
                return Ok(());
            };
            let (id, bytes) = (*id, table.writer.waiting_bytes());
            let Some(group) = table.writer.take_group() else {
                return Ok(());
            };
            self.waiting_bytes -= bytes;
            self.hand_out(id, group, work)?;
        }
        Ok(())
    }

    /// Returns a group to be encoded by a worker. Groups of spilled rows are encoded on this thread,
    /// because all of them at once would not fit into memory.
    fn hand_out(
        &mut self,
        id: TableId,
        group: RowGroup,
        work: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        self.under_way += 1;
        let current = self.current.as_ref();
        if current.is_some_and(|current| current.from_spill.is_some()) {
            let encoded = group.encode()?;
            return self.append(id, group.index, encoded);
        }
        work.push(EncodeTask { table: id, group });
        Ok(())
    }

    /// The table that receives the rows of a subfolder; started if necessary.
    pub(super) fn table_of(&mut self, folder: &str) -> Result<TableId, Error> {
        let Some(current) = &mut self.current else {
            return Err(Error::Internal("rows before their input".into()));
        };
        if let Some(SubfolderTable {
            table: Some(id), ..
        }) = current.folders.get(folder)
        {
            return Ok(*id);
        }
        let filled = current.folders.entry(folder.to_owned()).or_default();
        let mut path = current.name.clone();
        if self.table.max_rows.is_some() {
            path += &format!("-{:05}", filled.before);
        }
        if !folder.is_empty() {
            self.root.make_folder(folder)?;
            path = format!("{folder}/{path}");
        }
        let ending = self.table.ending(self.table.format);
        let path = self.names.free(&path, &ending);
        let file = self.table.file(&self.root.at(&path), self.table.format);
        let kind = match &mut current.kind {
            Some(kind) => kind,
            none => none.insert(TableKind::from_table(
                &file,
                &self.schema,
                &current.metadata,
            )?),
        };
        let mut writer = kind.start_part(&self.root.at(&path).to_path())?;
        if let Some(bytes) = self.table.group_bytes {
            writer.shrink_groups(bytes);
        }
        let id = TableId(self.next);
        self.next += 1;
        filled.table = Some(id);
        filled.before += 1;
        *self.of_inputs.entry(current.input).or_default() += 1;
        let table = OpenTable {
            writer,
            input: current.input,
            path,
            rows: 0,
            has_ended: false,
        };
        self.open.insert(id, table);
        Ok(id)
    }

    /// Ends a table, which is complete after its last group is encoded. If many tables wait for their last
    /// group, it is encoded on this thread to limit the number of open files.
    pub(super) fn end_table(
        &mut self,
        id: TableId,
        work: &mut Vec<EncodeTask>,
    ) -> Result<(), Error> {
        let are_many = self.ended >= self.max_folders / FOLDERS_TO_ENDED;
        let Some(table) = self.open.get_mut(&id) else {
            return Ok(());
        };
        table.has_ended = true;
        self.ended += 1;
        self.waiting_bytes -= table.writer.waiting_bytes();
        if are_many {
            let before = table.writer.in_flight();
            table.writer.encode_rest()?;
            self.under_way += table.writer.in_flight() - before;
        } else if let Some(group) = table.writer.take_group() {
            self.hand_out(id, group, work)?;
        }
        self.complete(id)
    }

    /// Adds an encoded group to its table.
    pub(super) fn append(
        &mut self,
        id: TableId,
        index: usize,
        encoded: Encoded,
    ) -> Result<(), Error> {
        if let Some(table) = self.open.get_mut(&id) {
            let before = table.writer.in_flight();
            table.writer.append(index, encoded)?;
            self.under_way -= before - table.writer.in_flight();
        }
        self.complete(id)
    }

    /// Finishes a table if all its groups are written.
    fn complete(&mut self, id: TableId) -> Result<(), Error> {
        let is_complete = |table: &OpenTable| table.has_ended && table.writer.in_flight() == 0;
        if !self.open.get(&id).is_some_and(is_complete) {
            return Ok(());
        }
        let Some(table) = self.open.remove(&id) else {
            return Ok(());
        };
        self.ended -= 1;
        let target = table.writer.finish()?;
        let part = PartFile {
            path: table.path,
            rows: table.rows,
            bytes: target.finish_part()?,
        };
        self.done.push((table.input, part));
        if let Some(open) = self.of_inputs.get_mut(&table.input) {
            *open -= 1;
            if *open == 0 {
                self.of_inputs.remove(&table.input);
            }
        }
        Ok(())
    }

    /// A name with this extension that no file of the old set has.
    pub(super) fn free_name(&self, path: &str, ending: &str) -> String {
        self.names.free(path, ending)
    }

    /// Drops the open tables, which removes their files.
    pub(super) fn clear(&mut self) {
        self.current = None;
        self.open.clear();
    }

    /// Returns the parts that were completed since the last call, with the indices of their inputs.
    pub(super) fn take_done(&mut self) -> Vec<(usize, PartFile)> {
        std::mem::take(&mut self.done)
    }

    /// Whether a table of this input is open.
    pub(super) fn has(&self, input: usize) -> bool {
        self.of_inputs.contains_key(&input)
    }

    /// The number of groups that have been returned for encoding and are not yet written.
    pub(super) fn groups_under_way(&self) -> usize {
        self.under_way
    }
}
