//! The metadata of output files, in which the runs of this program describe themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The prefix of the keys that this program writes to the metadata of files.
const KEY_PREFIX: &str = "pipeline.";

/// The metadata of an output file: entries with a name and a value, in order. In the file, the key of an entry is
/// `pipeline.` followed by its name.
#[derive(Clone, Debug, Default)]
pub struct TableMetadata(Vec<(String, String)>);

/// The values of metadata entries, by the name of the entry.
pub type MetadataValues = BTreeMap<String, BTreeSet<String>>;

impl TableMetadata {
    /// The version of this program and the name of the command.
    pub fn for_command(command: &str) -> TableMetadata {
        let mut metadata = TableMetadata::default();
        metadata.add("version", Some(crate::VERSION));
        metadata.add("command", Some(command));
        metadata
    }

    /// Removes the entry with this name if there is one, and adds the new entry at the end. Does nothing without
    /// a value.
    pub fn add(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.0.retain(|(key, _)| entry_name(key) != Some(name));
            self.0
                .push((format!("{KEY_PREFIX}{name}"), value.to_string()));
        }
    }

    /// The entries as pairs of a key and a value, in order.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// The entries as pairs, without the entry that lists the table's inputs.
    pub(crate) fn pairs_without_inputs(&self) -> Vec<(String, String)> {
        let pairs = self.0.iter().filter(|(key, _)| !is_inputs(key));
        pairs.cloned().collect()
    }

    /// Replaces the entry that lists the table's inputs.
    pub(crate) fn with_inputs(mut self, inputs: impl Display) -> TableMetadata {
        for (_, value) in self.0.iter_mut().filter(|(key, _)| is_inputs(key)) {
            *value = inputs.to_string();
        }
        self
    }
}

fn is_inputs(key: &str) -> bool {
    entry_name(key) == Some("inputs")
}

/// The name of an entry, from its key; `None` if another program has written the key.
pub(crate) fn entry_name(key: &str) -> Option<&str> {
    key.strip_prefix(KEY_PREFIX)
}

/// Adds the values of this program's entries to `values`. Entries of other programs are left out.
pub fn collect_values(
    pairs: impl IntoIterator<Item = (String, String)>,
    values: &mut MetadataValues,
) {
    for (key, value) in pairs {
        if let Some(name) = entry_name(&key) {
            values.entry(name.to_owned()).or_default().insert(value);
        }
    }
}
