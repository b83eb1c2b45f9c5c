//! Reads the metadata of tables. In it, each run of this program describes itself.

use crate::read::key_values;
use crate::store::{self, Location};
use crate::write::{MetadataValues, collect_values};

/// The entries that this program has written to the metadata of a file. If the metadata cannot be read, there are none.
/// The error is then reported when the rows are read.
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
    collect_values(pairs.into_iter().flatten(), &mut metadata);
    metadata
}
