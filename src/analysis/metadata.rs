//! Reads the metadata of tables, in which runs of this program describe themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::key_values;
use crate::store::{self, Location};

/// The values of each metadata key. The prefix that all keys of this program have is removed.
pub(super) type MetadataValues = BTreeMap<String, BTreeSet<String>>;

/// The entries of this program in the metadata of a file. If the metadata cannot be read, the result is empty,
/// and the error is reported when the rows are read.
pub(super) fn read_metadata(path: &str) -> MetadataValues {
    let location = Location::parse(path).ok();
    let file = location.filter(|location| match location {
        Location::Standard => false,
        Location::Local(path) => path.is_file(),
        Location::Remote(_) => true,
    });
    let opened = file.and_then(|location| store::open(&location).ok());
    let pairs = opened.and_then(|opened| key_values(path, opened).ok());
    let mut metadata = MetadataValues::new();
    for (key, value) in pairs.into_iter().flatten() {
        if let Some(key) = key.strip_prefix("pipeline.") {
            metadata.entry(key.to_owned()).or_default().insert(value);
        }
    }
    metadata
}
