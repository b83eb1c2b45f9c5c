//! Reads the metadata of tables, in which runs of this program describe themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;

use arrow::ipc::reader::{FileReader, StreamReader};
use parquet::arrow::arrow_reader::ArrowReaderMetadata;

use crate::panics::expected;
use crate::store::{self, Location};

/// The values of each metadata key. The prefix that all keys of this program have is removed.
pub(super) type MetadataValues = BTreeMap<String, BTreeSet<String>>;

/// The entries of this program in the metadata of a file. If the metadata cannot be read, the result is empty,
/// and the error is reported when the rows are read.
pub(super) fn read_metadata(path: &str) -> MetadataValues {
    let pairs = expected(|| read_pairs(path))
        .ok()
        .flatten()
        .unwrap_or_default();
    let mut metadata = MetadataValues::new();
    for (key, value) in pairs {
        if let Some(key) = key.strip_prefix("pipeline.") {
            metadata.entry(key.to_owned()).or_default().insert(value);
        }
    }
    metadata
}

fn read_pairs(path: &str) -> Option<Vec<(String, String)>> {
    let location = Location::parse(path).ok()?;
    if location == Location::Standard {
        return None;
    }
    if let Location::Local(path) = &location
        && !path.is_file()
    {
        return None;
    }
    let opened_file = store::open(&location).ok()?;
    let mut first_bytes = [0; 6];
    std::io::Read::read_exact(&mut { opened_file.reader }, &mut first_bytes).ok()?;
    if first_bytes.starts_with(b"PAR1") {
        let file = opened_file.random?;
        let metadata = ArrowReaderMetadata::load(&file, Default::default()).ok()?;
        let pairs = metadata.metadata().file_metadata().key_value_metadata()?;
        let pairs = pairs.iter().cloned();
        return Some(
            pairs
                .filter_map(|pair| Some((pair.key, pair.value?)))
                .collect(),
        );
    }
    let schema = if first_bytes.starts_with(b"ARROW1") {
        let Location::Local(path) = location else {
            return None;
        };
        FileReader::try_new(std::fs::File::open(path).ok()?, None)
            .ok()?
            .schema()
    } else if first_bytes.starts_with(&[0xff; 4]) {
        let reader = BufReader::new(store::open(&location).ok()?.reader);
        StreamReader::try_new(reader, None).ok()?.schema()
    } else {
        return None;
    };
    Some(schema.metadata().clone().into_iter().collect())
}
