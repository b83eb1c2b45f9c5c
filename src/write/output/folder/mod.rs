//! Writes the output of a run to a folder of parts.

mod claimed_parts;
mod column_union;
mod done_inputs;
mod earlier_parts;
mod finished_files;
mod input_rows;
mod open_tables;
mod part_input;
mod partition;
mod same_inputs;
mod shard_agreement;
mod spill;
mod subfolders;
mod table;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;

pub use claimed_parts::ClaimedParts;
pub(crate) use column_union::EarlierColumn;
use done_inputs::DoneInputs;
use earlier_parts::{EarlierParts, entry_part_name};
use open_tables::OpenTables;
pub use part_input::PartInput;
use partition::Partitioner;
use shard_agreement::ShardAgreement;
pub use table::FolderTable;

use super::{BatchResult, DivideRows, EncodeTask, Output, RowsByFolder, TableId};
use crate::counts::{Damage, Tally};
use crate::error::Error;
use crate::options::RESUME;
use crate::store::while_cleaning_up;
use crate::table::reject::Reject;
use crate::write::commit::{
    BorrowedManifest, ClaimedFolder, ManifestEntry, ManifestHeader, OptionDifference, OutputSet,
    PartColumns, PartFile, REJECTS_NAME,
};
use crate::write::rejects::RejectsWriter;
use crate::write::{Encoded, TableMetadata};

/// An output folder with one or more parts for each input. It is complete when it has the file `_SUCCESS`.
pub struct FolderOutput {
    table: FolderTable,
    folder: ClaimedFolder,
    header: ManifestHeader,
    /// The columns of this run's parts, which all of them have.
    columns: PartColumns,
    new_columns: Vec<String>,
    absent_columns: Vec<String>,
    metadata: TableMetadata,
    partitioner: Option<Arc<Partitioner>>,
    /// The inputs that this run has to process, with the start of their parts' names.
    inputs_and_names: Vec<(PartInput, String)>,
    /// The start of the part names of all inputs, in the order of the manifest.
    part_names_in_order: Vec<String>,
    earlier_parts: EarlierParts,
    /// What this shard has in common with the others; `None` for a run over all inputs.
    agreement: Option<ShardAgreement>,
    is_kept: Vec<bool>,
    done_inputs: DoneInputs,
    current_input: Option<CurrentInput>,
    open_tables: OpenTables,
    /// The completed parts of inputs whose processing has not ended.
    parts_by_input: BTreeMap<usize, Vec<PartFile>>,
    /// The inputs whose rows have all been added, but whose tables are not complete yet.
    ending_inputs: BTreeMap<usize, ManifestEntry>,
}

/// The input to which the next rows belong.
struct CurrentInput {
    input_index: usize,
    rejects: Option<RejectsWriter>,
    rejected: u64,
    tally: Tally,
}

impl FolderOutput {
    /// Opens the folder for these inputs. `other_shards` are the inputs of the other shards.
    ///
    /// # Errors
    /// Those of [`ClaimedParts::claim`] and [`ClaimedParts::open`].
    pub fn open(
        table: FolderTable,
        schema: &SchemaRef,
        metadata: TableMetadata,
        inputs: Vec<PartInput>,
        other_shards: Vec<PartInput>,
    ) -> Result<FolderOutput, Error> {
        let claimed = ClaimedParts::claim(table, schema, metadata, inputs, other_shards)?;
        claimed.open(schema, Vec::new(), &|_| None)
    }

    /// The inputs that this run keeps because an earlier run has completed them, in order.
    pub fn kept(&self) -> &[ManifestEntry] {
        &self.earlier_parts.kept_entries
    }

    /// Inputs of earlier runs that are no longer inputs of this job. Their parts stay in the folder.
    pub fn gone(&self) -> &[ManifestEntry] {
        &self.earlier_parts.gone_entries
    }

    /// The options that differ from those of earlier runs. If there are any, all inputs are processed again.
    pub fn changed(&self) -> &[OptionDifference] {
        &self.earlier_parts.changed_options
    }

    /// The columns of this run's parts that no part of an earlier run has. Empty if no part of an earlier run stays.
    pub fn new_columns(&self) -> &[String] {
        &self.new_columns
    }

    /// The columns of parts that stay in the folder which this run's parts do not have.
    pub fn absent_columns(&self) -> &[String] {
        &self.absent_columns
    }

    /// For each input of the folder, whether an earlier run has completed it.
    pub fn is_kept(&self) -> &[bool] {
        &self.is_kept
    }

    fn current_mut(&mut self) -> Result<&mut CurrentInput, Error> {
        let missing = || Error::Internal("rows before their input".into());
        self.current_input.as_mut().ok_or_else(missing)
    }

    /// The metadata for the parts of an input. The list of inputs in it has only this input.
    fn input_metadata(&self, input: usize) -> TableMetadata {
        let source = self
            .inputs_and_names
            .get(input)
            .map(|(input, _)| &input.source);
        let metadata = self.metadata.clone();
        metadata.with_inputs(serde_json::json!([source]))
    }

    fn input_part_name(&self, input: usize) -> &str {
        self.inputs_and_names
            .get(input)
            .map_or("", |(_, name)| name)
    }

    /// Adds inputs whose tables are all complete to the completed inputs. `ended` is an input whose last row has just
    /// been added. It may have no open tables.
    fn record_done(&mut self, ended: Option<usize>) -> Result<(), Error> {
        self.open_tables.complete_due_files()?;
        let mut inputs: BTreeSet<usize> = ended.into_iter().collect();
        for (input, part) in self.open_tables.take_done() {
            let parts = self.parts_by_input.entry(input).or_default();
            parts.extend(part);
            inputs.insert(input);
        }
        inputs.retain(|input| !self.open_tables.has_open_tables(*input));
        for input in inputs {
            let Some(mut entry) = self.ending_inputs.remove(&input) else {
                continue;
            };
            entry.parts = self.parts_by_input.remove(&input).unwrap_or_default();
            // Parts can be completed in any order.
            entry.parts.sort_by(|a, b| a.path.cmp(&b.path));
            self.done_inputs
                .add_entry(self.input_part_name(input).to_owned(), entry);
        }
        self.done_inputs.write_if_due(&self.folder)
    }

    /// Completes the uploads of all finished files.
    fn complete_files(&mut self) -> Result<(), Error> {
        self.open_tables.complete_files()?;
        self.record_done(None)
    }

    fn finish_rejects(
        &mut self,
        input: usize,
        rejects: Option<RejectsWriter>,
        rows: u64,
    ) -> Result<Option<PartFile>, Error> {
        let Some(rejects) = rejects else {
            return Ok(None);
        };
        let Some(target) = rejects.finish_part()? else {
            return Ok(None);
        };
        let file = PartFile {
            path: self.rejects_path(input),
            rows,
            bytes: target.bytes(),
        };
        self.open_tables.finish_rejects(input, target)?;
        Ok(Some(file))
    }

    fn rejects_path(&self, input: usize) -> String {
        let ending = self.table.file_ending(self.table.rejects_format);
        let name = self.input_part_name(input);
        self.open_tables
            .free_name(&format!("{REJECTS_NAME}/{name}"), &ending)
    }

    /// The manifest of the folder after this run has completed it.
    fn manifest(&self) -> BorrowedManifest<'_> {
        let mut entries: BTreeMap<String, &ManifestEntry> = BTreeMap::new();
        let finished_entries = self
            .earlier_parts
            .kept_entries
            .iter()
            .chain(self.done_inputs.written());
        for entry in finished_entries {
            entries.insert(entry_part_name(entry), entry);
        }
        let entries = self
            .part_names_in_order
            .iter()
            .filter_map(|name| entries.remove(name));
        let staying_entries = self
            .earlier_parts
            .gone_entries
            .iter()
            .chain(&self.earlier_parts.moved_entries);
        BorrowedManifest {
            header: &self.header,
            inputs: entries.chain(staying_entries).collect(),
        }
    }

    /// Writes rejects of the current input to its table of rejects.
    fn write_rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        if rejects.is_empty() {
            return Ok(());
        }
        let input = self.current_mut()?.input_index;
        if self.current_mut()?.rejects.is_none() {
            let stage = self.folder.stage();
            stage.create_subfolder(REJECTS_NAME)?;
            let rejects_location = stage.location_of(&self.rejects_path(input));
            let table = self
                .table
                .file_table(&rejects_location, self.table.rejects_format);
            let writer = RejectsWriter::from_part(table, self.input_metadata(input));
            self.current_mut()?.rejects = Some(writer);
        }
        let current_input = self.current_mut()?;
        current_input.rejected += rejects.len() as u64;
        match &mut current_input.rejects {
            Some(writer) => writer.write(source, rejects),
            None => Ok(()),
        }
    }

    /// Adds rows of the current input to its part, or to those of its partitions.
    fn add_rows(&mut self, rows: RowsByFolder) -> Result<Vec<EncodeTask>, Error> {
        let mut encode_tasks = Vec::new();
        for (folder, rows) in rows {
            let tables = &mut self.open_tables;
            tables.add_rows(&folder, rows, &mut encode_tasks)?;
        }
        self.record_done(None)?;
        Ok(encode_tasks)
    }
}

impl Output for FolderOutput {
    fn wants_rows(&self) -> bool {
        true
    }

    fn row_divider(&self) -> Option<Arc<dyn DivideRows>> {
        let partitioner = self.partitioner.as_ref()?;
        Some(Arc::clone(partitioner) as Arc<dyn DivideRows>)
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current_input = Some(CurrentInput {
            input_index: input,
            rejects: None,
            rejected: 0,
            tally: Tally::default(),
        });
        let metadata = self.input_metadata(input);
        let name = self
            .inputs_and_names
            .get(input)
            .map_or("", |(_, name)| name);
        self.open_tables.begin_input(input, name, metadata);
        Ok(())
    }

    /// Records that fail validation are not written, because `validate` does not write folders.
    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.write_rejects(source, &result.rejects)?;
        // The tally is only used for the manifest.
        self.current_mut()?.tally.merge(&result.tally);
        let rows = match (result.rows_by_folder.take(), result.rows.take()) {
            (Some(rows), _) => rows,
            (None, Some(rows)) => match &self.partitioner {
                Some(partitioner) => partitioner.divide(&rows)?,
                None => RowsByFolder::from([(String::new(), rows)]),
            },
            (None, None) => return Ok(Vec::new()),
        };
        let has_rows = rows.values().any(|rows| rows.num_rows() > 0);
        if has_rows {
            self.add_rows(rows)
        } else {
            Ok(Vec::new())
        }
    }

    fn end_input(&mut self, damage: Option<&Damage>) -> Result<Vec<EncodeTask>, Error> {
        let mut encode_tasks = Vec::new();
        let Some(current) = self.current_input.take() else {
            return Ok(encode_tasks);
        };
        let input = current.input_index;
        let rejects = self.finish_rejects(input, current.rejects, current.rejected)?;
        let Some((info, _)) = self.inputs_and_names.get(input) else {
            return Err(Error::Internal("an input that is not there".into()));
        };
        let entry = ManifestEntry {
            source: info.source.clone(),
            real_path: info.real_path.clone(),
            bytes: info.bytes,
            state: info.state.clone(),
            row_groups: info.row_groups.clone(),
            recognition: info.recognition.clone(),
            tally: current.tally,
            damage: damage.cloned(),
            columns: self.columns.clone(),
            parts: Vec::new(),
            rejects,
        };
        self.ending_inputs.insert(input, entry);
        self.open_tables.end_input(&mut encode_tasks)?;
        self.record_done(Some(input))?;
        Ok(encode_tasks)
    }

    fn append(&mut self, table: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        self.open_tables.append(table, index, encoded)?;
        self.record_done(None)
    }

    fn groups_in_flight(&self) -> usize {
        self.open_tables.groups_in_flight()
    }

    fn idle(&mut self) -> Result<(), Error> {
        self.done_inputs.write_if_due(&self.folder)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        self.complete_files()?;
        self.done_inputs.write_waiting(&self.folder)?;
        Ok(Vec::new())
    }

    fn finish(mut self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        self.complete_files()?;
        self.done_inputs.write_waiting(&self.folder)?;
        if let Some(agreement) = &self.agreement {
            agreement.check(&self.folder)?;
        }
        let manifest = self.manifest();
        let new_entries = self
            .earlier_parts
            .unpublished()
            .chain(self.done_inputs.written());
        let new_parts: Vec<PartFile> = new_entries
            .flat_map(ManifestEntry::files)
            .cloned()
            .collect();
        let staying_names = manifest.inputs.iter().flat_map(|entry| entry.files());
        let staying_names: HashSet<&str> = staying_names.map(|file| file.path.as_str()).collect();
        let known_names: HashSet<&str> = self
            .part_names_in_order
            .iter()
            .map(String::as_str)
            .collect();
        // In an object store, the removed files include parts of a killed run that no manifest lists.
        let mut removed_files = self
            .folder
            .remote_files(&|input| known_names.contains(input));
        removed_files.extend(
            self.earlier_parts
                .listed_files
                .iter()
                .map(|file| file.path.clone()),
        );
        removed_files.retain(|path| !staying_names.contains(path.as_str()));
        let replaces_all = self.table.overwrite && self.table.shard.is_none();
        let text = manifest.to_text()?;
        (self.folder).publish(set, &text, &new_parts, removed_files, replaces_all)
    }

    /// Keeps the completed parts for the next run, unless the error shows that the next run needs other options. If
    /// the run failed because of its rejects, they are kept in a folder beside this one.
    fn abandon(mut self: Box<Self>, why: &Error) -> Option<PathBuf> {
        // Complete parts are kept. If these cannot be, they are not in the journal.
        let _ = while_cleaning_up(|| self.complete_files());
        self.open_tables.drop_tables();
        let mut kept_rejects = None;
        if why.keeps_rejects() {
            let mut rejects = Vec::new();
            if let Some(current) = self.current_input.take() {
                let finished =
                    self.finish_rejects(current.input_index, current.rejects, current.rejected);
                rejects.extend(finished.ok().flatten());
                let _ = while_cleaning_up(|| self.open_tables.complete_files());
            }
            let ending = self.ending_inputs.values();
            rejects.extend(
                self.done_inputs
                    .all_entries()
                    .chain(ending)
                    .filter_map(|entry| entry.rejects.clone()),
            );
            kept_rejects = self.folder.keep_rejects(&rejects);
        }
        let is_written = self.done_inputs.write_waiting(&self.folder).is_ok();
        let unpublished = self
            .earlier_parts
            .unpublished()
            .chain(self.done_inputs.written());
        let whole_files = unpublished.flat_map(ManifestEntry::files);
        let whole_names: HashSet<&str> = whole_files.map(|file| file.path.as_str()).collect();
        let keeps_parts = is_written && !whole_names.is_empty() && !why.is_about_options();
        if keeps_parts {
            // If a file cannot be removed now, the next run removes it.
            let _ = self.folder.clear_stage(&|name| whole_names.contains(name));
        }
        self.folder.abandon(keeps_parts);
        kept_rejects
    }

    fn left_behind(&self) -> String {
        let has_parts = self.done_inputs.all_entries().next().is_some();
        let files_left = match (
            self.folder.keeps_nothing(),
            has_parts,
            self.folder.has_old_set(),
        ) {
            (true, _, true) => "the folder is as it was",
            (true, ..) | (false, false, false) => "nothing was left in the folder",
            (false, false, true) => "the folder is as it was",
            (false, true, true) => {
                return format!(
                    "the folder is as it was; the new parts that are done are kept, and {RESUME} does the rest"
                );
            }
            (false, true, false) => {
                return format!("the parts that are done are kept, and {RESUME} does the rest");
            }
        };
        files_left.to_owned()
    }
}
