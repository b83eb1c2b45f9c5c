//! Tables by their names: files, folders of parts, patterns, objects, and the rejects beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use polars::prelude::*;

use super::engine::collect;
use super::local::{LocalTable, TableFormat, bring};
use super::scan::{scan, unreadable};
use crate::error::Error;
use crate::panics::expected;
use crate::read::expand;
use crate::store::Location;

/// The columns that tell a table of rejects.
const REJECT_COLUMNS: [&str; 4] = ["row", "error", "message", "raw"];

/// The tables that are looked at.
pub struct TableSet {
    tables: Vec<OpenedTable>,
}

/// A table that is open: its columns are known.
pub struct OpenedTable {
    /// Its name, as it was given.
    pub name: String,
    pub(super) frame: LazyFrame,
    pub(super) schema: Schema,
    /// Whether its rows are rejects.
    pub(super) is_rejects: bool,
    /// What its file says about the run that wrote it.
    pub(super) metadata: BTreeMap<String, BTreeSet<String>>,
    /// Keeps the copy that is read, where it is one.
    _local: LocalTable,
}

impl TableSet {
    /// Opens the tables of these names. A folder is all of its parts, and the rejects in it; a file
    /// has its rejects beside it, where there are any.
    ///
    /// # Errors
    /// A name without a file, or a file that is no table.
    pub fn open(names: &[String]) -> Result<TableSet, Error> {
        let expanded = expand(names)?;
        expanded.refuse_empty(false)?;
        let given = expanded.inputs;
        let mut all = given.clone();
        for name in names.iter().filter(|name| Path::new(name).is_dir()) {
            let rejects = Path::new(name).join("_rejects");
            if rejects.is_dir() {
                // A run without rejects leaves an empty folder.
                let rejects = expand(&[rejects.display().to_string()]);
                all.extend(rejects.unwrap_or_default().inputs);
            }
        }
        for name in &given {
            all.extend(beside(name).filter(|rejects| !given.contains(rejects)));
        }
        let tables = all.iter().map(|name| OpenedTable::open(name));
        Ok(TableSet {
            tables: tables.collect::<Result<_, _>>()?,
        })
    }

    /// The tables of rows, in order.
    pub fn rows(&self) -> Vec<&OpenedTable> {
        self.tables
            .iter()
            .filter(|table| !table.is_rejects)
            .collect()
    }

    /// The tables of rejects, in order.
    pub fn rejects(&self) -> Vec<&OpenedTable> {
        self.tables
            .iter()
            .filter(|table| table.is_rejects)
            .collect()
    }

    /// All tables, in order.
    pub fn all(&self) -> &[OpenedTable] {
        &self.tables
    }
}

impl OpenedTable {
    fn open(name: &str) -> Result<OpenedTable, Error> {
        let local = bring(name)?;
        let opened = expected(|| {
            let mut frame = scan(name, &local)?;
            let schema = frame
                .collect_schema()
                .map_err(|error| unreadable(name, &error))?;
            Ok::<_, Error>((frame, Schema::clone(&schema)))
        });
        let (mut frame, mut schema) = opened.unwrap_or_else(|panic| {
            let error = PolarsError::ComputeError(panic.into());
            Err(unreadable(name, &error))
        })?;
        // `level=easy/…`: what the name of a folder says is a column, as other readers have it.
        for (column, value) in partitions(name) {
            if schema.get(&column).is_none() {
                schema.with_column(column.as_str().into(), DataType::String);
                frame = frame.with_column(lit(value).alias(column.as_str()));
            }
        }
        let is_rejects = REJECT_COLUMNS
            .iter()
            .all(|column| schema.get(column).is_some());
        Ok(OpenedTable {
            name: Location::parse(name).map_or_else(|_| name.to_owned(), |place| place.to_string()),
            frame,
            schema,
            is_rejects,
            metadata: match local.kind {
                TableFormat::Parquet => parquet_metadata(&local.path),
                TableFormat::ArrowFile => arrow_metadata(&local.path),
                TableFormat::Ndjson | TableFormat::Delimited => BTreeMap::new(),
            },
            _local: local,
        })
    }

    /// How many rows it has.
    pub(super) fn count(&self) -> Result<u64, Error> {
        let counted = collect(self.frame.clone().select([len().alias("n")]))?;
        let count = counted
            .column("n")
            .ok()
            .and_then(|column| column.get(0).ok()?.extract::<u64>());
        count.ok_or_else(|| Error::Internal("a count without a number".into()))
    }
}

/// The rejects table beside a table: `graded.parquet` → `graded.rejects.parquet`.
fn beside(name: &str) -> Option<String> {
    let path = Path::new(name);
    let file = path.file_name()?.to_str()?;
    let (stem, ending) = file.split_once('.')?;
    let rejects = path.with_file_name(format!("{stem}.rejects.{ending}"));
    let is_there = rejects.is_file() && !ending.starts_with("rejects");
    is_there
        .then(|| rejects.to_str().map(str::to_owned))
        .flatten()
}

/// The columns that the names of folders tell.
fn partitions(name: &str) -> Vec<(String, String)> {
    let folders = Path::new(name).parent().into_iter().flat_map(Path::iter);
    let pairs = folders.filter_map(|folder| folder.to_str()?.split_once('='));
    pairs
        .filter(|(column, value)| !column.is_empty() && *value != "__HIVE_DEFAULT_PARTITION__")
        .map(|(column, value)| (column.to_owned(), value.to_owned()))
        .collect()
}

type MetadataValues = BTreeMap<String, BTreeSet<String>>;

/// What this program has written into a file's metadata.
fn ours(pairs: impl Iterator<Item = (String, String)>) -> MetadataValues {
    let mut metadata = MetadataValues::new();
    for (key, value) in pairs {
        if let Some(key) = key.strip_prefix("pipeline.") {
            metadata.entry(key.to_owned()).or_default().insert(value);
        }
    }
    metadata
}

/// A file whose metadata cannot be read has none: reading its rows tells what is wrong.
fn parquet_metadata(path: &Path) -> MetadataValues {
    let read = || {
        let file = File::open(path).ok()?;
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).ok()?;
        let pairs = reader
            .metadata()
            .file_metadata()
            .key_value_metadata()?
            .clone();
        Some(ours(
            pairs
                .into_iter()
                .filter_map(|pair| Some((pair.key, pair.value?))),
        ))
    };
    expected(read).ok().flatten().unwrap_or_default()
}

fn arrow_metadata(path: &Path) -> MetadataValues {
    let read = || {
        let reader = arrow::ipc::reader::FileReader::try_new(File::open(path).ok()?, None).ok()?;
        Some(ours(reader.schema().metadata().clone().into_iter()))
    };
    expected(read).ok().flatten().unwrap_or_default()
}
