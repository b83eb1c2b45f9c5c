//! Decides which parts of earlier runs this run keeps.

use std::collections::{HashMap, HashSet};

use super::column_union::fit_columns;
use super::part_input::PartInput;
use super::same_inputs::is_exchanged;
use super::table::FolderTable;
use crate::error::{Error, OutputError};
use crate::write::commit::{
    ClaimedFolder, ColumnChange, Columns, EarlierRuns, ItemsByPath, Manifest, ManifestEntry,
    ManifestHeader, OptionDifference, PartFile,
};

/// The inputs whose parts earlier runs left in an output folder, divided by what this run does with them.
#[derive(Default)]
pub(super) struct EarlierParts {
    /// The inputs that this run does not process again, in input order. They are in an earlier manifest, or in the
    /// journal of an unfinished run.
    pub(super) kept_entries: Vec<ManifestEntry>,
    /// The starts of the part names of those kept inputs whose entry comes from the journal of an unfinished run.
    unpublished_names: HashSet<String>,
    /// Inputs of earlier runs that are not inputs of this job. Their parts stay in the folder.
    pub(super) gone_entries: Vec<ManifestEntry>,
    /// Inputs that now belong to another shard. Their parts stay in the folder for that shard.
    pub(super) moved_entries: Vec<ManifestEntry>,
    /// The files that the old manifest lists. The new manifest replaces the old one.
    pub(super) listed_files: Vec<PartFile>,
    /// The options whose values differ from earlier runs. If there are any, no parts are kept.
    pub(super) changed_options: Vec<OptionDifference>,
    /// The header of the published manifest.
    published_header: Option<ManifestHeader>,
    /// The header of the journal of an unfinished run.
    unfinished_header: Option<ManifestHeader>,
}

/// The start of the names of an input's parts. `entry` is the entry of the input in the manifest.
pub(super) fn entry_part_name(entry: &ManifestEntry) -> String {
    let input = PartInput {
        source: entry.source.clone(),
        real_path: None,
        bytes: None,
        state: None,
        row_groups: entry.row_groups.clone(),
        recognition: None,
    };
    input.part_name()
}

impl EarlierParts {
    /// Divides the inputs of earlier runs: their parts are kept, or they are no longer inputs, or they are processed
    /// again. `other_shards` are the inputs of the other shards, and `other_spellings` are names under which earlier runs
    /// have listed inputs of this run.
    pub(super) fn find_reusable(
        table: &FolderTable,
        folder: &ClaimedFolder,
        header: &ManifestHeader,
        inputs: &[PartInput],
        other_shards: &[PartInput],
        runs: EarlierRuns,
        other_spellings: &HashSet<String>,
    ) -> Result<EarlierParts, Error> {
        let header_of = |manifest: &Option<Manifest>| Some(manifest.as_ref()?.header.clone());
        let mut earlier_parts = EarlierParts {
            published_header: header_of(&runs.published_manifest),
            unfinished_header: header_of(&runs.unfinished_manifest),
            ..EarlierParts::default()
        };
        let names: HashSet<String> = inputs.iter().map(PartInput::part_name).collect();
        let other_shard_names: HashSet<String> =
            other_shards.iter().map(PartInput::part_name).collect();
        let published = runs.published_manifest.as_ref();
        let entries = || published.iter().flat_map(|manifest| &manifest.inputs);
        earlier_parts.listed_files = match table.shard {
            None if table.overwrite => folder.listed_files(),
            _ => entries().flat_map(|entry| entry.files().cloned()).collect(),
        };
        // The run over the other shard may have written the parts of this input again.
        let is_moved = |entry: &&ManifestEntry| other_shard_names.contains(&entry_part_name(entry));
        earlier_parts.moved_entries = entries().filter(is_moved).cloned().collect();
        if table.overwrite {
            return Ok(earlier_parts);
        }
        let headers = published.iter().copied().chain(&runs.unfinished_manifest);
        earlier_parts.changed_options = (headers
            .map(|manifest| header.differing_options(&manifest.header)))
        .max_by_key(Vec::len)
        .unwrap_or_default();
        let sources = inputs.iter().chain(other_shards).map(|input| &input.source);
        let sources: HashSet<&String> = sources.collect();
        let is_gone = |entry: &&ManifestEntry| {
            !sources.contains(&entry.source) && !other_spellings.contains(&entry.source)
        };
        if !table.prune
            && let Some(manifest) = published
        {
            let mut gone_entries: Vec<ManifestEntry> = entries().filter(is_gone).cloned().collect();
            if !manifest.header.has_same_options(header) {
                if let (Some(first), false) = (
                    gone_entries.first(),
                    manifest.header.has_same_format(header),
                ) {
                    return Err(OutputError::GoneInputs {
                        path: table.path.clone(),
                        inputs: gone_entries.len(),
                        first: first.source.clone(),
                    }
                    .into());
                }
                // If the input exists again in a later run, that run must process it again, with its own
                // options.
                gone_entries.iter_mut().for_each(|entry| entry.state = None);
            }
            earlier_parts.gone_entries = gone_entries;
        }
        let published_files = ItemsByPath::from_items(folder.items());
        let staged_items = folder.staged_items()?;
        let staged_files = if folder.root().is_remote() {
            ItemsByPath::from_items(folder.items())
        } else {
            ItemsByPath::from_items(&staged_items)
        };
        let mut finished_parts: HashMap<String, (ManifestEntry, bool)> = HashMap::new();
        // An unfinished run may have kept fewer parts than this one, and so have chosen other names or types.
        let published_columns = published.map(|manifest| manifest.header.columns.clone());
        let unfinished_manifest = runs.unfinished_manifest.filter(|unfinished| {
            let published_columns = published_columns.as_deref().unwrap_or_default();
            fit_columns(
                published_columns,
                &unfinished.header.columns,
                table.format.is_text,
            )
        });
        let manifests_and_files = [
            (runs.published_manifest, &published_files, false),
            (unfinished_manifest, &staged_files, true),
        ];
        for (manifest, files, is_staged) in manifests_and_files {
            let manifest = manifest.filter(|manifest| manifest.header.has_same_options(header));
            for entry in manifest.into_iter().flat_map(|manifest| manifest.inputs) {
                let may_be_kept = entry.damage.is_none() || table.keep_going;
                let is_whole = entry
                    .files()
                    .all(|part| files.has_file(&part.path, part.bytes))
                    && entry.tally.has_known_ids();
                let name = entry_part_name(&entry);
                if may_be_kept && is_whole && names.contains(&name) {
                    finished_parts.insert(name, (entry, is_staged));
                }
            }
        }
        for input in inputs {
            let name = input.part_name();
            match finished_parts.remove(&name) {
                Some((entry, _)) if is_exchanged(input, &entry) => tracing::warn!(
                    "{} is not the file of the earlier run, {}: its part is replaced; an absolute path keeps both",
                    input.source,
                    entry.real_path.unwrap_or_default()
                ),
                Some((mut entry, is_staged)) if input.matches(&entry) => {
                    entry.real_path.clone_from(&input.real_path);
                    entry.recognition.clone_from(&input.recognition);
                    if is_staged {
                        earlier_parts.unpublished_names.insert(name);
                    }
                    earlier_parts.kept_entries.push(entry);
                }
                _ => {}
            }
        }
        Ok(earlier_parts)
    }

    /// The headers of earlier runs.
    pub(super) fn headers(&self) -> impl Iterator<Item = &ManifestHeader> {
        self.published_header.iter().chain(&self.unfinished_header)
    }

    /// The entries whose parts stay in the folder, with the header to which the columns in the entries refer.
    pub(super) fn staying(&self) -> Vec<(&ManifestHeader, Vec<&ManifestEntry>)> {
        let (unpublished, published): (Vec<_>, Vec<_>) =
            (self.kept_entries.iter()).partition(|entry| self.is_unpublished(entry));
        let others = self.gone_entries.iter().chain(&self.moved_entries);
        let published = published.into_iter().chain(others).collect();
        let pairs = [
            (&self.published_header, published),
            (&self.unfinished_header, unpublished),
        ];
        let pairs = pairs.into_iter();
        pairs
            .filter_map(|(header, entries)| Some((header.as_ref()?, entries)))
            .collect()
    }

    /// Those of the columns that no earlier run knows. Empty if no part of an earlier run stays.
    pub(super) fn new_columns(&self, columns: &Columns) -> Vec<String> {
        let staying = self.staying();
        if staying.iter().all(|(_, entries)| entries.is_empty()) {
            return Vec::new();
        }
        let headers = staying.iter();
        let known: HashSet<&str> = headers
            .flat_map(|(header, _)| header.columns.iter().map(|(name, _)| name.as_str()))
            .collect();
        let names = columns.iter().map(|(name, _)| name);
        names
            .filter(|name| !known.contains(name.as_str()))
            .cloned()
            .collect()
    }

    /// Makes the columns in the entries relative to these columns of the folder.
    pub(super) fn use_columns(&mut self, columns: &Columns) {
        let change = |header: &Option<ManifestHeader>| {
            let old = header.as_ref().map_or(&[][..], |header| &header.columns);
            (old != columns).then(|| ColumnChange::between(old, columns))
        };
        let published = change(&self.published_header);
        let unfinished = change(&self.unfinished_header);
        let unpublished_names = &self.unpublished_names;
        for entry in &mut self.kept_entries {
            let change = if unpublished_names.contains(&entry_part_name(entry)) {
                &unfinished
            } else {
                &published
            };
            if let Some(change) = change {
                entry.columns = change.apply(&entry.columns);
            }
        }
        let others = self.gone_entries.iter_mut().chain(&mut self.moved_entries);
        if let Some(change) = &published {
            others.for_each(|entry| entry.columns = change.apply(&entry.columns));
        }
    }

    fn is_unpublished(&self, entry: &ManifestEntry) -> bool {
        self.unpublished_names.contains(&entry_part_name(entry))
    }

    /// The kept inputs that are not in the old manifest.
    pub(super) fn unpublished(&self) -> impl Iterator<Item = &ManifestEntry> {
        let entries = self.kept_entries.iter();
        entries.filter(|entry| self.is_unpublished(entry))
    }
}
