//! Checks that the shards that share a folder fit together: they have the same options and format, a column has types
//! that readers can read as one, and no input is read by two of them.
//!
//! Each shard first writes its journal and then reads the journals and manifests of the others, so at least one of two
//! shards that start at the same time sees the other.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::column_union::shown_type;
use super::part_input::PartInput;
use super::same_inputs::identities;
use crate::carry::widening::fit_together;
use crate::error::{Error, OutputError};
use crate::store::FileIdentity;
use crate::write::commit::{ClaimedFolder, Columns, Manifest, ManifestEntry, ManifestHeader};

/// Options that may differ between shards: the version, because an update must not block a folder, and the limit of
/// the memory, because it belongs to the machine.
const FREE_OPTIONS: [&str; 2] = ["version", "memory_limit"];

/// What a shard compares with the other shards of its folder.
pub(super) struct ShardAgreement {
    path: PathBuf,
    header: ManifestHeader,
    /// Whether readers find the types of columns themselves, so that they may differ between parts.
    is_untyped: bool,
    own_inputs: Vec<PartInput>,
    /// The names of the inputs of all shards, as this run spells them.
    names: HashSet<String>,
}

impl ShardAgreement {
    pub(super) fn new(
        path: PathBuf,
        header: ManifestHeader,
        own_inputs: &[PartInput],
        other_shards: &[PartInput],
    ) -> ShardAgreement {
        let inputs = own_inputs.iter().chain(other_shards);
        ShardAgreement {
            path,
            header,
            is_untyped: true,
            own_inputs: own_inputs.to_vec(),
            names: inputs.map(|input| input.source.clone()).collect(),
        }
    }

    /// Sets the columns of this shard, which are then compared too, unless they are untyped.
    pub(super) fn use_columns(&mut self, columns: &Columns, is_untyped: bool) {
        self.header.columns = columns.to_vec();
        self.is_untyped = is_untyped;
    }

    /// Fails if another shard in the folder does not fit this one.
    pub(super) fn check(&self, folder: &ClaimedFolder) -> Result<(), Error> {
        let others = self.check_options(folder)?;
        if self.is_untyped {
            return Ok(());
        }
        let own = self.header.columns.iter();
        let own_types: HashMap<&str, &str> = own
            .map(|(name, data_type)| (name.as_str(), data_type.as_str()))
            .collect();
        for manifest in &others {
            let mut columns = manifest.header.columns.iter();
            let is_other = |(name, data_type): &&(String, String)| {
                let own = own_types.get(name.as_str());
                own.is_some_and(|own| !fit_together(own, data_type))
            };
            if let Some((name, data_type)) = columns.find(is_other) {
                let own = own_types.get(name.as_str()).unwrap_or(&"");
                let (data_type, own) = (shown_type(data_type), shown_type(own));
                let what = format!("with column {name} as {data_type}, which is {own} now");
                return Err(self.error(manifest, what));
            }
        }
        Ok(())
    }

    /// Fails if another shard has other options, or has read an input of this one. Returns the manifests and journals
    /// of the other shards.
    pub(super) fn check_options(&self, folder: &ClaimedFolder) -> Result<Vec<Manifest>, Error> {
        let others = folder.read_other_shards()?;
        let own_by_name: HashMap<&str, &PartInput> = (self.own_inputs.iter())
            .map(|input| (input.source.as_str(), input))
            .collect();
        let mut names_by_identity: Option<HashMap<FileIdentity, &str>> = None;
        for manifest in &others {
            let differing = manifest.header.differing_options(&self.header).into_iter();
            let differing = differing.map(|option| option.name);
            let mut differing: Vec<String> = differing.collect();
            differing.retain(|name| !FREE_OPTIONS.contains(&name.as_str()));
            if !differing.is_empty() {
                return Err(self.error(manifest, format!("with other {}", differing.join(", "))));
            }
            for entry in &manifest.inputs {
                if self.names.contains(&entry.source) {
                    let own = own_by_name.get(entry.source.as_str());
                    if own.is_some_and(|own| reads_rows_of(own, entry)) {
                        let what = format!("and divided {} in another way", entry.source);
                        return Err(self.error(manifest, what));
                    }
                    continue;
                }
                let names = names_by_identity.get_or_insert_with(|| self.names_by_identity());
                if let Some(name) = identities(entry).find_map(|identity| names.get(&identity)) {
                    let what = format!("and named {} the input {name}", entry.source);
                    return Err(self.error(manifest, what));
                }
            }
        }
        Ok(others)
    }

    fn names_by_identity(&self) -> HashMap<FileIdentity, &str> {
        let names = self.names.iter();
        let identities = names.flat_map(|name| {
            FileIdentity::from_input(name).map(move |identity| (identity, name.as_str()))
        });
        identities.collect()
    }

    fn error(&self, other: &Manifest, what: String) -> Error {
        OutputError::ShardsDiffer {
            path: self.path.clone(),
            shard: other.header.shard.clone().unwrap_or_default(),
            what,
        }
        .into()
    }
}

/// Whether the input has rows of the entry: the same version of the file, and a common row group.
fn reads_rows_of(input: &PartInput, entry: &ManifestEntry) -> bool {
    let is_same_version =
        input.state.is_some() && input.bytes == entry.bytes && input.state == entry.state;
    let has_common_group = match (&input.row_groups, &entry.row_groups) {
        (Some(own), Some(others)) => own.iter().any(|group| others.contains(group)),
        _ => true,
    };
    is_same_version && has_common_group
}
