//! The open tables of an output folder.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::folder_table::FolderTable;
use super::spill::{Spill, bucket_count, by_folder};
use super::{EncodeTask, TableId};
use crate::error::{Error, OutputError};
use crate::open_files;
use crate::write::commit::{ClaimedFolder, PartFile, PartsFolder};
use crate::write::{Encoded, GROUP_BYTES, RowGroup, TableKind, TableMetadata, TableWriter};

/// The most subfolders of one input with open tables. Each table has an open file.
const MAX_FOLDERS: usize = 500;

/// The same limit in an object store, where each upload takes about 10 MiB of memory.
const MAX_FOLDERS_IN_STORE: usize = 64;

/// The most subfolders of one input. More are hardly useful, since each has at least one file.
const MOST_FOLDERS: usize = 100_000;

/// At most one table per this many open subfolders may be waiting for its last group.
const FOLDERS_TO_ENDED: usize = 8;

/// The open tables: those of the current input, and those that have all their rows and wait for
/// their last groups to be encoded.
pub(super) struct OpenTables {
    table: FolderTable,
    root: PartsFolder,
    /// The names that the old set has in a store, where a file cannot be renamed over another.
    taken: HashSet<String>,
    /// The id of this run, for names that are taken.
    run: String,
    schema: SchemaRef,
    max_folders: usize,
    current: Option<CurrentRows>,
    open: BTreeMap<TableId, OpenTable>,
    next: u64,
    /// The number of tables that have all their rows.
    ended: usize,
    /// The number of open tables of each input.
    of_inputs: BTreeMap<usize, usize>,
    /// The bytes of rows that wait for a full group.
    waiting_bytes: usize,
    under_way: usize,
    done: Vec<(usize, PartFile)>,
}

/// The input of the current rows.
struct CurrentRows {
    input: usize,
    /// The start of the names of its parts.
    name: String,
    metadata: TableMetadata,
    kind: Option<TableKind>,
    /// The subfolders that have or had an open table. Rows of other subfolders go to the spill.
    folders: BTreeMap<String, Filled>,
    spill: Option<Spill>,
    /// The number of subfolders before `folders`.
    folders_before: usize,
    /// The depth of the spill that the rows come from; `None` for rows of the input itself.
    from_spill: Option<u32>,
}

/// The table that is being filled in a subfolder.
#[derive(Default)]
struct Filled {
    table: Option<TableId>,
    before: u64,
}

struct OpenTable {
    writer: TableWriter,
    input: usize,
    path: String,
    rows: u64,
    has_ended: bool,
}

/// The subfolders that can have an open table if the process may have this many open files. An eighth as
/// many tables wait for their last groups, and the other files are those of a spill, the input and the log.
fn most_folders(files: usize) -> usize {
    const OTHERS: usize = 24;
    let free = files.saturating_sub(OTHERS + 2 * bucket_count(files));
    (free * FOLDERS_TO_ENDED / (FOLDERS_TO_ENDED + 1)).clamp(2, MAX_FOLDERS)
}

/// `path.ending`, or `path.run.ending` if the former is taken.
fn unused(taken: &HashSet<String>, run: &str, path: &str, ending: &str) -> String {
    let plain = format!("{path}.{ending}");
    match taken.contains(&plain) {
        true => format!("{path}.{run}.{ending}"),
        false => plain,
    }
}

impl OpenTables {
    pub(super) fn new(
        table: &FolderTable,
        folder: &ClaimedFolder,
        schema: &SchemaRef,
    ) -> OpenTables {
        let root = folder.stage();
        let taken = match root.is_remote() {
            true => folder
                .items()
                .iter()
                .map(|item| item.name.clone())
                .collect(),
            false => HashSet::new(),
        };
        OpenTables {
            table: table.clone(),
            root: root.clone(),
            taken,
            run: format!("{:08x}", RandomState::new().hash_one(0_u8) as u32),
            schema: schema.clone(),
            max_folders: match root.is_remote() {
                true => MAX_FOLDERS_IN_STORE,
                false => most_folders(open_files::limit()),
            },
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

    /// Begins an input. `name` is the name of its parts.
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

    /// Adds rows to the table of their subfolder, and ends tables that are full.
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

    /// Writes the rows of a subfolder to the spill if too many subfolders have open tables. Returns
    /// whether it did.
    fn spill(&mut self, folder: &str, rows: &RecordBatch) -> Result<bool, Error> {
        let most = self.max_folders();
        let Some(current) = &mut self.current else {
            return Ok(false);
        };
        if current.folders.len() < most || current.folders.contains_key(folder) {
            return Ok(false);
        }
        if current.folders_before + most >= MOST_FOLDERS {
            return Err(OutputError::TooManyFolders {
                columns: self.table.partition_by.clone(),
                limit: MOST_FOLDERS,
            }
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

    /// Hands out groups of the fullest tables until the waiting rows of all tables fit into one
    /// group, which is their share of the memory plan.
    fn make_room(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        while self.waiting_bytes > self.table.group_bytes.unwrap_or(GROUP_BYTES) {
            let fullest = self.open.iter_mut().max_by_key(|(id, table)| {
                // Prefers the first of equally full tables, so that the choice is deterministic.
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

    /// Hands a group out to be encoded. Groups from a spill are encoded here: all arrive at once,
    /// and would not fit into memory together.
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

    fn max_folders(&self) -> usize {
        self.max_folders
    }

    /// The table that is being filled in this subfolder. Starts one if necessary.
    fn table_of(&mut self, folder: &str) -> Result<TableId, Error> {
        let Some(current) = &mut self.current else {
            return Err(Error::Internal("rows before their input".into()));
        };
        if let Some(Filled {
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
        let path = unused(
            &self.taken,
            &self.run,
            &path,
            &self.table.ending(self.table.format),
        );
        let file = self.table.file(&self.root.at(&path), self.table.format);
        let kind = match &mut current.kind {
            Some(kind) => kind,
            none => none.insert(TableKind::of(&file, &self.schema, &current.metadata)?),
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

    /// Ends a table. It is complete once its last group is encoded. If many tables wait for that,
    /// the group is encoded here, which limits the number of open files.
    fn end_table(&mut self, id: TableId, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let are_many = self.ended >= self.max_folders() / FOLDERS_TO_ENDED;
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

    /// Ends the current input and its tables.
    pub(super) fn end_input(&mut self, work: &mut Vec<EncodeTask>) -> Result<(), Error> {
        let has_none = (self.current.as_ref()).is_some_and(|current| current.folders.is_empty());
        if has_none && self.table.partition_by.is_empty() {
            // An input without rows gets a part with only the columns.
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

    /// Writes the rows of a spill. Their subfolders have no tables yet.
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
            // A bucket may have too many subfolders again.
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

    /// Commits a table if it has all its rows and groups.
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

    /// A name with this ending that no file of the old set has.
    pub(super) fn unused(&self, path: &str, ending: &str) -> String {
        unused(&self.taken, &self.run, path, ending)
    }

    /// Drops the open tables and removes their files.
    pub(super) fn clear(&mut self) {
        self.current = None;
        self.open.clear();
    }

    /// Returns the parts that have been completed since the last call, with their inputs.
    pub(super) fn take_done(&mut self) -> Vec<(usize, PartFile)> {
        std::mem::take(&mut self.done)
    }

    /// Whether a table of this input is open.
    pub(super) fn has(&self, input: usize) -> bool {
        self.of_inputs.contains_key(&input)
    }

    /// The number of groups that have been handed out and are not yet written.
    pub(super) fn groups_under_way(&self) -> usize {
        self.under_way
    }
}
