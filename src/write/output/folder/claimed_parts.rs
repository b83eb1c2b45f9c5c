//! A claimed output folder with the parts that stay in it, before the columns of the new parts are known. These depend
//! on the parts that stay: all parts together are one table, whose columns are the union of their columns.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;

use super::column_union::{EarlierColumn, unite};
use super::done_inputs::DoneInputs;
use super::earlier_parts::{EarlierParts, entry_part_name};
use super::open_tables::OpenTables;
use super::part_input::{PartInput, part_names};
use super::partition::Partitioner;
use super::same_inputs::use_earlier_names;
use super::shard_agreement::ShardAgreement;
use super::{FolderOutput, FolderTable};
use crate::error::Error;
use crate::write::TableMetadata;
use crate::write::commit::{
    ClaimedFolder, ColumnChange, Manifest, ManifestEntry, ManifestHeader, PartColumns,
};

/// An output folder that this run has claimed, and the parts of earlier runs that stay in it.
pub struct ClaimedParts {
    table: FolderTable,
    folder: ClaimedFolder,
    /// The options of this run. The columns are not known yet.
    header: ManifestHeader,
    metadata: TableMetadata,
    inputs: Vec<PartInput>,
    part_names: Vec<String>,
    earlier_parts: EarlierParts,
    agreement: Option<ShardAgreement>,
    other_shards: Vec<Manifest>,
}

impl ClaimedParts {
    /// Claims the folder for these inputs, and decides which parts of earlier runs stay. `other_shards` are the inputs
    /// of the other shards. `schema` has the columns of the new parts, whose types are not final.
    ///
    /// # Errors
    /// The columns of `--partition-by` cannot name folders, the folder exists and may be neither replaced nor resumed,
    /// it has files that this program has not written, or another run writes it.
    pub fn claim(
        table: FolderTable,
        schema: &SchemaRef,
        metadata: TableMetadata,
        mut inputs: Vec<PartInput>,
        mut other_shards: Vec<PartInput>,
    ) -> Result<ClaimedParts, Error> {
        if !table.partition_by.is_empty() {
            Partitioner::new(schema, &table.partition_by)?;
        }
        let header = table.manifest_header(&metadata);
        let shard = table.shard_name();
        let folder = ClaimedFolder::open(&table.path, table.folder_options(shard.as_deref()))?;
        let runs = folder.read_earlier_runs()?;
        let agreement = table.shard.map(|_| {
            ShardAgreement::new(table.path.clone(), header.clone(), &inputs, &other_shards)
        });
        let other_manifests = match &agreement {
            Some(agreement) => agreement.check_options(&folder)?,
            None => Vec::new(),
        };
        let other_spellings = use_earlier_names(&mut inputs, &mut other_shards, &runs);
        let part_names = part_names(&inputs, &other_shards)?;
        let earlier_manifests = [&runs.unfinished_manifest, &runs.published_manifest]
            .into_iter()
            .flatten();
        let has_other_options = earlier_manifests
            .into_iter()
            .any(|manifest| !manifest.header.has_same_options(&header));
        if !table.resume && !table.overwrite && has_other_options {
            // Replacing the folder would remove the parts of an earlier run with other options.
            return Err(Error::PartsExist(table.path));
        }
        let earlier_parts = EarlierParts::find_reusable(
            &table,
            &folder,
            &header,
            &inputs,
            &other_shards,
            runs,
            &other_spellings,
        )?;
        Ok(ClaimedParts {
            table,
            folder,
            header,
            metadata,
            inputs,
            part_names,
            earlier_parts,
            agreement,
            other_shards: other_manifests,
        })
    }

    /// The columns of the parts that stay in the folder, also of those that other shards have written.
    pub(crate) fn earlier_columns(&self) -> Vec<EarlierColumn> {
        let others = self.other_shards.iter();
        let others = others.map(|manifest| (&manifest.header, manifest.inputs.iter().collect()));
        EarlierColumn::list(self.earlier_parts.staying().into_iter().chain(others))
    }

    /// The names that earlier runs with the same options gave to the columns of puzzles and of solutions.
    pub(crate) fn grid_names(&self) -> &[(String, String)] {
        let other_shards = self.other_shards.iter().map(|manifest| &manifest.header);
        let headers = self.earlier_parts.headers().chain(other_shards);
        let mut names = headers.map(|header| header.grid_names.as_slice());
        names.find(|names| !names.is_empty()).unwrap_or_default()
    }

    /// Whether readers of the parts find the types of columns themselves, so that they may differ between parts.
    pub(crate) fn has_untyped_parts(&self) -> bool {
        self.table.format.is_text
    }

    /// The path of the folder, as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.table.path
    }

    /// Opens the folder for parts with this schema. `grid_names` are pairs of this program's name for a column of
    /// puzzles or solutions and its name in the output. `input_of` is the first input that has a column of the output.
    ///
    /// # Errors
    /// A column has types in the new and in the old parts that cannot be read as one column, or the columns of
    /// `--partition-by` cannot name folders.
    pub fn open(
        self,
        schema: &SchemaRef,
        grid_names: Vec<(String, String)>,
        input_of: &dyn Fn(&str) -> Option<String>,
    ) -> Result<FolderOutput, Error> {
        let ClaimedParts {
            table,
            folder,
            mut header,
            metadata,
            inputs,
            part_names,
            mut earlier_parts,
            mut agreement,
            other_shards: _,
        } = self;
        let partitioner = match table.partition_by.as_slice() {
            [] => None,
            names => Some(Arc::new(Partitioner::new(schema, names)?)),
        };
        let schema = partitioner
            .as_ref()
            .map_or(schema, |partitioner| partitioner.schema())
            .clone();
        let fields = schema.fields().iter();
        let own_columns: Vec<(String, String)> = fields
            .map(|field| (field.name().clone(), field.data_type().to_string()))
            .collect();
        let earlier_columns = EarlierColumn::list(earlier_parts.staying());
        header.columns = unite(&table, &own_columns, &earlier_columns, input_of)?;
        header.grid_names = grid_names;
        let columns =
            ColumnChange::between(&own_columns, &header.columns).apply(&PartColumns::default());
        let new_columns = earlier_parts.new_columns(&own_columns);
        let absent_columns = columns.lacks.clone();
        earlier_parts.use_columns(&header.columns);
        if let Some(agreement) = &mut agreement {
            agreement.use_columns(&header.columns, table.format.is_text);
        }
        let kept_names: HashSet<String> = earlier_parts
            .kept_entries
            .iter()
            .map(entry_part_name)
            .collect();
        let is_kept: Vec<bool> = part_names
            .iter()
            .map(|name| kept_names.contains(name))
            .collect();
        let inputs_to_process = inputs.into_iter().zip(part_names.iter().cloned());
        let inputs_to_process: Vec<_> = inputs_to_process
            .filter(|(_, name)| !kept_names.contains(name))
            .collect();
        let unpublished: Vec<ManifestEntry> = earlier_parts.unpublished().cloned().collect();
        let staged = unpublished.iter().flat_map(ManifestEntry::files);
        let staged: HashSet<&str> = staged.map(|file| file.path.as_str()).collect();
        folder.clear_stage(&|name| staged.contains(name))?;
        let journal = match folder.start_journal(&header, &unpublished, &part_names) {
            Ok(journal) => journal,
            Err(error) => {
                folder.abandon(!unpublished.is_empty());
                return Err(error);
            }
        };
        // The journal of this shard is there now, so that others see it.
        if let Some(agreement) = &agreement
            && let Err(error) = agreement.check(&folder)
        {
            folder.abandon(!unpublished.is_empty());
            return Err(error);
        }
        Ok(FolderOutput {
            open_tables: OpenTables::new(&table, &folder, &schema),
            folder,
            header,
            columns,
            new_columns,
            absent_columns,
            metadata,
            partitioner,
            inputs_and_names: inputs_to_process,
            part_names_in_order: part_names,
            earlier_parts,
            agreement,
            is_kept,
            done_inputs: DoneInputs::new(journal),
            current_input: None,
            parts_by_input: Default::default(),
            ending_inputs: Default::default(),
            table,
        })
    }
}
