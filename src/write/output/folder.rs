//! The output of a run to a folder of parts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::abandon::{discard, rejects_beside};
use super::folder_table::{FolderTable, INPUTS, check_place};
use super::manifest::{Journal, ManifestEntry, ManifestHeader, PartFile, SUCCESS, StatusFiles};
use super::open_tables::OpenTables;
use super::part_input::{PartInput, part_names};
use super::partition::Partitioner;
use super::parts_folder::{Files, FolderItem, PartsFolder, each, refused};
use super::replace::replace;
use super::sweep::{REJECTS, RunKind, input_of, is_reject, sweep};
use super::{EncodeTask, Output, TableId};
use crate::error::Error;
use crate::report::{Damage, Tally};
use crate::store;
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::rejects::{FinishedRejects, RejectsWriter};
use crate::write::{Encoded, TableMetadata};

/// A folder with one or more parts for each input. It is complete once it has `_SUCCESS`.
pub struct FolderOutput {
    table: FolderTable,
    root: PartsFolder,
    status_files: StatusFiles,
    header: ManifestHeader,
    metadata: TableMetadata,
    partitioner: Option<Partitioner>,
    /// The inputs that are not done yet, with the names of their parts.
    inputs: Vec<(PartInput, String)>,
    /// The names of the parts of all inputs, in the order of the manifest.
    order: Vec<String>,
    kept: Vec<ManifestEntry>,
    is_kept: Vec<bool>,
    done: Vec<ManifestEntry>,
    journal: Journal,
    current: Option<CurrentInput>,
    tables: OpenTables,
    /// The complete parts of inputs that are still in progress.
    parts: BTreeMap<usize, Vec<PartFile>>,
    /// Inputs whose rows have all arrived, but whose tables are not complete.
    ending: BTreeMap<usize, ManifestEntry>,
    /// Whether this is a new folder that will replace another.
    replaces: bool,
    /// Whether the folder was empty at the start, so that all its contents are from this run.
    is_fresh: bool,
    /// Whether the folder existed at the start.
    had_folder: bool,
    /// Whether the output has been committed or abandoned.
    settled: bool,
}

/// The input of the current rows.
struct CurrentInput {
    input: usize,
    rejects: Option<RejectsWriter>,
    rejected: u64,
    tally: Tally,
}

impl FolderOutput {
    /// Opens the folder for these inputs. `others` are the inputs of the other shards.
    ///
    /// # Errors
    /// The folder exists and may be neither replaced nor resumed, or it contains files that this
    /// tool did not write.
    pub fn open(
        table: FolderTable,
        schema: &SchemaRef,
        metadata: TableMetadata,
        inputs: Vec<PartInput>,
        others: &[PartInput],
    ) -> Result<FolderOutput, Error> {
        let partitioner = match table.partition_by.as_slice() {
            [] => None,
            names => Some(Partitioner::new(schema, names)?),
        };
        let schema = partitioner
            .as_ref()
            .map_or(schema, Partitioner::schema)
            .clone();
        let header = table.header(&schema, &metadata);
        let (order, of_others) = part_names(&inputs, others)?;
        let of_others: HashSet<String> = of_others.into_iter().collect();
        let shard = table.shard_name();
        let replaces = table.replaces();
        let root = table.root(replaces)?;
        let status_files = StatusFiles::of(&root, shard.as_deref());
        let mut items = PartsFolder::of(&table.path)?.items()?;
        check_place(&table, &status_files, &items)?;
        if replaces {
            items.clear();
            let path = root.path();
            if path.exists() {
                // A killed run has left it.
                fs::remove_dir_all(&path).map_err(|error| refused(&path, error))?;
            }
        }
        let is_fresh = !replaces && table.shard.is_none() && items.iter().all(is_reject);
        let had_folder = root.path().exists();
        root.make()?;

        let (earlier, named_earlier) = status_files.earlier(&header, &items)?;
        let files = Files::of(&items);
        let is_done = |input: &PartInput, entry: &ManifestEntry| {
            let may_be = table.resume && (entry.damage.is_none() || table.keep_going);
            may_be && input.matches(entry) && is_whole(&files, entry)
        };
        let done = last_done(&inputs, earlier, is_done);
        let is_kept: Vec<bool> = done.iter().map(Option::is_some).collect();
        let names = order.iter().cloned();
        let todo = inputs.into_iter().zip(names).zip(&is_kept);
        let todo = todo.filter(|(_, is_kept)| !**is_kept);
        let todo = todo.map(|(input, _)| input).collect();
        let kept: Vec<ManifestEntry> = done.into_iter().flatten().collect();
        // The manifest and the journal determine which files are removed from the folder. They are
        // removed last, so that if this run is killed, the next one still knows all leftover files.
        status_files.forget_success()?;
        let this = table.run_kind();
        let is_other = |item: &&FolderItem| RunKind::item(item).is_some_and(|found| found != this);
        let (successes, others): (Vec<&FolderItem>, Vec<&FolderItem>) =
            (items.iter().filter(is_other)).partition(|item| item.name.starts_with(SUCCESS));
        each(&successes, |item| store::delete(&item.location))?;
        {
            let parts = kept.iter().flat_map(ManifestEntry::files);
            let keep: HashSet<&str> = parts.map(|part| part.path.as_str()).collect();
            let earlier = (named_earlier.iter())
                .filter_map(|path| input_of(path.rsplit('/').next()?))
                // Excludes inputs that belong to another shard now, which may have written them
                // already.
                .filter(|input| !of_others.contains(*input));
            let names = order.iter().map(String::as_str);
            let own: HashSet<&str> = names.chain(earlier).collect();
            let own = table.shard.map(|_| &own);
            sweep(&items, &keep, own, |name| status_files.is_temporary(name))?;
        }
        let journal = Journal::start(&status_files, &header, &kept, &items)?;
        status_files.forget_manifest()?;
        each(&others, |item| store::delete(&item.location))?;
        Ok(FolderOutput {
            tables: OpenTables::new(&table, &root, &schema),
            root,
            status_files,
            header,
            metadata,
            partitioner,
            inputs: todo,
            order,
            kept,
            is_kept,
            done: Vec::new(),
            journal,
            current: None,
            parts: BTreeMap::new(),
            ending: BTreeMap::new(),
            replaces,
            is_fresh,
            had_folder,
            settled: false,
            table,
        })
    }

    /// The inputs that an earlier run has finished, in order.
    pub fn kept(&self) -> &[ManifestEntry] {
        &self.kept
    }

    /// For each input that the folder was opened for: whether an earlier run has finished it.
    pub fn is_kept(&self) -> &[bool] {
        &self.is_kept
    }

    fn current(&mut self) -> Result<&mut CurrentInput, Error> {
        let missing = || Error::Internal("rows before their input".into());
        self.current.as_mut().ok_or_else(missing)
    }

    /// The metadata of the parts of an input. It names only that input.
    fn metadata_of(&self, input: usize) -> TableMetadata {
        let source = self.inputs.get(input).map(|(input, _)| &input.source);
        let mut metadata = self.metadata.clone();
        for (key, value) in &mut metadata {
            if key == INPUTS {
                *value = serde_json::json!([source]).to_string();
            }
        }
        metadata
    }

    fn name_of(&self, input: usize) -> &str {
        self.inputs.get(input).map_or("", |(_, name)| name)
    }

    /// Records inputs as done if all their tables are complete. `ended` is an input that has just
    /// ended and may have no tables in progress.
    fn record(&mut self, ended: Option<usize>) -> Result<(), Error> {
        let mut inputs: BTreeSet<usize> = ended.into_iter().collect();
        for (input, part) in self.tables.take_done() {
            self.parts.entry(input).or_default().push(part);
            inputs.insert(input);
        }
        inputs.retain(|input| !self.tables.has(*input));
        for input in inputs {
            let Some(mut entry) = self.ending.remove(&input) else {
                continue;
            };
            entry.parts = self.parts.remove(&input).unwrap_or_default();
            // Tables may be completed in any order.
            entry.parts.sort_by(|a, b| a.path.cmp(&b.path));
            let name = self.inputs.get(input).map_or("", |(_, name)| name);
            self.journal.add(name, &entry)?;
            self.done.push(entry);
        }
        Ok(())
    }

    fn finish_rejects(
        &self,
        input: usize,
        rejects: Option<RejectsWriter>,
        rows: u64,
    ) -> Result<Option<PartFile>, Error> {
        let Some(rejects) = rejects else {
            return Ok(None);
        };
        match rejects.finish()? {
            FinishedRejects::Table(target) => {
                let bytes = target.bytes();
                target.commit()?;
                Ok(Some(PartFile {
                    path: self.rejects_path(input),
                    rows,
                    bytes,
                }))
            }
            FinishedRejects::Nothing(_) => Ok(None),
        }
    }

    fn rejects_path(&self, input: usize) -> String {
        let ending = self.table.ending(self.table.rejects_format);
        format!("{REJECTS}/{}.{ending}", self.name_of(input))
    }
}

impl Output for FolderOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current = Some(CurrentInput {
            input,
            rejects: None,
            rejected: 0,
            tally: Tally::default(),
        });
        let metadata = self.metadata_of(input);
        let name = self.inputs.get(input).map_or("", |(_, name)| name);
        self.tables.begin_input(input, name, metadata);
        Ok(())
    }

    fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        if rejects.is_empty() {
            return Ok(());
        }
        let input = self.current()?.input;
        if self.current()?.rejects.is_none() {
            self.root.make_folder(REJECTS)?;
            let place = self.root.at(&self.rejects_path(input));
            let table = self.table.file(&place, self.table.rejects_format);
            let writer = RejectsWriter::new(table, self.metadata_of(input), true)?;
            self.current()?.rejects = Some(writer);
        }
        let current = self.current()?;
        current.rejected += rejects.len() as u64;
        match &mut current.rejects {
            Some(writer) => writer.write(source, rejects),
            None => Ok(()),
        }
    }

    /// `validate` does not write to folders.
    fn failures(&mut self, _: &str, _: &[Failure]) -> Result<(), Error> {
        Ok(())
    }

    fn rows(&mut self, rows: Option<RecordBatch>, tally: &Tally) -> Result<Vec<EncodeTask>, Error> {
        self.current()?.tally.merge(tally);
        let mut work = Vec::new();
        let Some(rows) = rows.filter(|rows| rows.num_rows() > 0) else {
            return Ok(work);
        };
        match &self.partitioner {
            None => self.tables.add("", rows, &mut work)?,
            Some(partitioner) => {
                for (folder, rows) in partitioner.split(&rows)? {
                    self.tables.add(&folder, rows, &mut work)?;
                }
            }
        }
        self.record(None)?;
        Ok(work)
    }

    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        let mut work = Vec::new();
        let Some(current) = self.current.take() else {
            return Ok(work);
        };
        let input = current.input;
        let rejects = self.finish_rejects(input, current.rejects, current.rejected)?;
        let Some((info, _)) = self.inputs.get(input) else {
            return Err(Error::Internal("an input that is not there".into()));
        };
        let entry = ManifestEntry {
            source: info.source.clone(),
            bytes: info.bytes,
            state: info.state.clone(),
            row_groups: info.row_groups.clone(),
            tally: current.tally.to_record(),
            damage: damage.cloned(),
            parts: Vec::new(),
            rejects,
        };
        self.ending.insert(input, entry);
        self.tables.end_input(&mut work)?;
        self.record(Some(input))?;
        Ok(work)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        self.tables.append(table, index, encoded)?;
        self.record(None)
    }

    fn groups_under_way(&self) -> usize {
        self.tables.groups_under_way()
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        Ok(Vec::new())
    }

    fn commit(mut self: Box<Self>) -> Result<(), Error> {
        let mut entries: BTreeMap<String, ManifestEntry> = BTreeMap::new();
        for entry in self.kept.drain(..).chain(self.done.drain(..)) {
            let input = PartInput {
                source: entry.source.clone(),
                bytes: None,
                state: None,
                row_groups: entry.row_groups.clone(),
            };
            entries.insert(input.part_name(), entry);
        }
        let entries = self.order.iter().filter_map(|name| entries.remove(name));
        self.status_files.succeed(&self.header, entries.collect())?;
        if self.replaces {
            let place = PartsFolder::of(&self.table.path)?;
            replace(&self.root.path(), &place.path())?;
        }
        self.settled = true;
        Ok(())
    }

    /// Removes a new folder in which no part is complete, or if the next run needs other options,
    /// since the next run would be refused because of it. If there were too many rejects, they are
    /// kept.
    fn abandon(mut self: Box<Self>, mut why: Error) -> Error {
        let mut keeps_rejects = false;
        if let Error::TooManyRejects { kept_in, .. } = &mut why {
            *kept_in = self.keep_rejects();
            keeps_rejects = kept_in.is_some();
        }
        self.discard(keeps_rejects, why.is_about_options());
        why
    }

    fn left_behind(&self) -> &'static str {
        match self.replaces {
            true => "the folder is as it was",
            false if self.is_fresh && self.done.is_empty() => "nothing was left in the folder",
            false if self.table.overwrite => {
                "what was in the folder is gone; the new parts that are done are kept, and --resume \
                 does the rest"
            }
            false => "the parts that are done are kept, and --resume does the rest",
        }
    }
}

impl FolderOutput {
    /// Commits the rejects of the current input, and returns the folder of all rejects.
    fn keep_rejects(&mut self) -> Option<PathBuf> {
        if let Some(current) = self.current.take() {
            (self.finish_rejects(current.input, current.rejects, current.rejected)).ok()?;
        }
        match self.replaces {
            true => rejects_beside(&self.root, &self.table),
            false => Some(self.table.path.join(REJECTS)),
        }
    }

    /// Removes files that a later run cannot use. With `all`, also removes the parts of inputs that
    /// are done.
    fn discard(&mut self, keeps_rejects: bool, all: bool) {
        self.settled = true;
        self.tables.clear();
        if self.replaces {
            let _ = fs::remove_dir_all(self.root.path());
        } else if self.is_fresh && (all || self.done.is_empty()) {
            discard(&self.root, keeps_rejects, self.had_folder);
        }
    }
}

impl Drop for FolderOutput {
    fn drop(&mut self) {
        if !self.settled {
            self.discard(false, false);
        }
    }
}

/// For each input: its last entry that is still valid.
fn last_done(
    inputs: &[PartInput],
    earlier: Vec<ManifestEntry>,
    is_done: impl Fn(&PartInput, &ManifestEntry) -> bool,
) -> Vec<Option<ManifestEntry>> {
    let mut entries: HashMap<_, Vec<ManifestEntry>> = HashMap::new();
    for entry in earlier {
        let key = (entry.source.clone(), entry.row_groups.clone());
        entries.entry(key).or_default().push(entry);
    }
    let last = |input: &PartInput| {
        let key = (input.source.clone(), input.row_groups.clone());
        let entries = entries.remove(&key)?.into_iter();
        entries.rev().find(|entry| is_done(input, entry))
    };
    inputs.iter().map(last).collect()
}

/// Whether all files of an entry exist with their recorded sizes.
fn is_whole(files: &Files<'_>, entry: &ManifestEntry) -> bool {
    entry.files().all(|part| files.has(&part.path, part.bytes))
        && Tally::from_record(&entry.tally).is_some()
}
