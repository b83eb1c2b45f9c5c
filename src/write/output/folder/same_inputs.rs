//! Recognises the inputs of earlier runs when this run spells their paths in another way.

use std::collections::{HashMap, HashSet};

use super::part_input::PartInput;
use crate::store::FileIdentity;
use crate::write::commit::{EarlierRuns, ManifestEntry};

/// Gives each input the name under which an earlier run has listed it, so that its part keeps its name. `in/a.csv` and
/// `./in/a.csv` are one file, whose rows must not be in the folder twice. Returns all names in the manifests that this
/// run spells in another way.
pub(super) fn use_earlier_names(
    inputs: &mut [PartInput],
    other_shards: &mut [PartInput],
    runs: &EarlierRuns,
) -> HashSet<String> {
    let own_names = inputs.iter().chain(other_shards.iter());
    let own_names: HashSet<&str> = own_names.map(|input| input.source.as_str()).collect();
    let earlier_names: HashSet<&str> = runs.entries().map(|entry| entry.source.as_str()).collect();
    let mut names_by_identity: HashMap<FileIdentity, Vec<&str>> = HashMap::new();
    let unnamed = runs
        .entries()
        .filter(|entry| !own_names.contains(entry.source.as_str()));
    for entry in unnamed {
        for identity in identities(entry) {
            let names = names_by_identity.entry(identity).or_default();
            names.push(&entry.source);
        }
    }
    let mut other_spellings = HashSet::new();
    if names_by_identity.is_empty() {
        return other_spellings;
    }
    for input in inputs.iter_mut().chain(other_shards) {
        let same_files: Vec<&str> = FileIdentity::from_input(&input.source)
            .flat_map(|identity| names_by_identity.get(&identity))
            .flatten()
            .copied()
            .collect();
        other_spellings.extend(same_files.iter().map(|name| (*name).to_owned()));
        if let Some(first) = same_files.first()
            && !earlier_names.contains(input.source.as_str())
        {
            (*first).clone_into(&mut input.source);
        }
    }
    other_spellings
}

/// Whether the name of an earlier input now leads to another file, while the earlier file still exists: a link leads
/// elsewhere, or the command runs in another working folder. Equal sizes and times do not make the two one file. If the
/// earlier file is gone, it was moved together with the names of its folders.
pub(super) fn is_exchanged(input: &PartInput, entry: &ManifestEntry) -> bool {
    let (Some(now), Some(earlier)) = (&input.real_path, &entry.real_path) else {
        return false;
    };
    now != earlier
        && std::fs::exists(earlier).unwrap_or(true)
        && !FileIdentity::from_input(now)
            .any(|identity| FileIdentity::from_input(earlier).any(|other| other == identity))
}

/// The identities of an earlier input; none if it is a local file that no longer exists.
pub(super) fn identities(entry: &ManifestEntry) -> impl Iterator<Item = FileIdentity> {
    let name = if entry.source.contains("://") {
        Some(entry.source.as_str())
    } else {
        entry.existing_name()
    };
    name.into_iter().flat_map(FileIdentity::from_input)
}
