//! The inputs of a folder, as its manifest lists them, and the names of their parts.

use std::collections::HashMap;

use crate::error::OutputError;
use crate::hash::fnv1a;
use crate::read::Recognition;
use crate::write::commit::{ManifestEntry, PART_PREFIX};

/// An input of an output folder: its identity and its version, as the manifest stores them.
#[derive(Clone, Debug)]
pub struct PartInput {
    /// The path of the input, as the user named it.
    pub source: String,
    /// The absolute path of the input, with links resolved; `None` for standard input and objects.
    pub real_path: Option<String>,
    /// The stored (compressed) size of the input in bytes; `None` for a pipe.
    pub bytes: Option<u64>,
    /// The version of the input, such as its modification time; `None` if unknown. An input with an unknown version is
    /// always processed again.
    pub state: Option<String>,
    /// The indices of the row groups that are read; `None` if the whole input is read.
    pub row_groups: Option<Vec<usize>>,
    /// The format and the columns of an object of a store, for the manifest.
    pub recognition: Option<Recognition>,
}

impl PartInput {
    pub(super) fn matches(&self, entry: &ManifestEntry) -> bool {
        self.state.is_some()
            && self.source == entry.source
            && self.bytes == entry.bytes
            && self.state == entry.state
            && self.row_groups == entry.row_groups
    }

    /// The start of the names of the input's parts, such as `part-millions-1a2b3c4d5e6f7a8b`. The number is the 64-bit
    /// FNV-1a hash of the input's path, so the name does not depend on the other inputs. If only some row groups are
    /// read, the hashed text includes their indices: `data/millions.parquet#[0, 8]`.
    pub(super) fn part_name(&self) -> String {
        let name = match self.source.as_str() {
            "-" => "stdin",
            source => source.rsplit('/').next().unwrap_or(source),
        };
        let stem = name.split('.').find(|stem| !stem.is_empty());
        let stem: String = (stem.unwrap_or("input").chars().take(64))
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut part_text = self.source.clone();
        if let Some(groups) = &self.row_groups {
            part_text += &format!("#{groups:?}");
        }
        format!("{PART_PREFIX}{stem}-{:016x}", fnv1a(part_text.as_bytes()))
    }
}

/// For each of these inputs, the start of its parts' names. `other_shards` are the inputs of the other shards.
///
/// # Errors
///
/// Two inputs would have parts with the same names.
pub(super) fn part_names(
    inputs: &[PartInput],
    other_shards: &[PartInput],
) -> Result<Vec<String>, OutputError> {
    let mut sources: HashMap<String, &str> = HashMap::new();
    let mut names = Vec::with_capacity(inputs.len() + other_shards.len());
    for input in inputs.iter().chain(other_shards) {
        let (name, source) = (input.part_name(), &input.source);
        if let Some(first) = sources.insert(name.clone(), source) {
            return Err(OutputError::SamePart {
                first: first.to_owned(),
                second: source.clone(),
                part: name,
            });
        }
        names.push(name);
    }
    names.truncate(inputs.len());
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(source: &str, row_groups: Option<Vec<usize>>) -> PartInput {
        PartInput {
            source: source.into(),
            real_path: None,
            bytes: None,
            state: None,
            row_groups,
            recognition: None,
        }
    }

    #[test]
    fn a_name_has_the_hash_of_the_source() {
        assert_eq!(input("-", None).part_name(), "part-stdin-af63a04c86018698");
    }

    #[test]
    fn different_inputs_have_different_names() {
        let two_inputs = [input("raw/a.csv", None), input("raw/a.csv", Some(vec![0]))];
        let names = part_names(&two_inputs, &[]).unwrap();
        assert_ne!(names[0], names[1]);
        assert_eq!(
            part_names(&two_inputs[..1], &two_inputs[1..]).unwrap(),
            names[..1]
        );
        let error = part_names(&two_inputs[..1], &two_inputs[..1]).unwrap_err();
        assert!(error.to_string().contains("raw/a.csv and raw/a.csv"));
    }
}
