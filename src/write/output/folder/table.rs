//! The options of a folder of parts.

use std::path::PathBuf;

use arrow::datatypes::SchemaRef;

use crate::store::Location;
use crate::write::commit::{FolderKind, FolderOptions, MANIFEST_VERSION, ManifestHeader, RunKind};
use crate::write::output::shard::Shard;
use crate::write::{Compression, OutputFormat, Table, TableMetadata, TargetOptions};

/// A folder of parts and the options for writing it.
#[derive(Clone, Debug)]
pub struct FolderTable {
    /// The folder, on disk or in a store.
    pub path: PathBuf,
    /// The format of the parts.
    pub format: OutputFormat,
    /// The format of the rejects. It differs from that of the parts, because many readers read all
    /// files of one format below a folder.
    pub rejects_format: OutputFormat,
    /// The compression of a text format.
    pub compression: Compression,
    /// The columns whose values become the names of subfolders.
    pub partition_by: Vec<String>,
    /// The most rows of a part.
    pub max_rows: Option<u64>,
    /// The most memory for rows that wait to be encoded; `None` for no limit.
    pub group_bytes: Option<usize>,
    /// The shard of the inputs that this run processes.
    pub shard: Option<Shard>,
    /// Replace the folder by a new one once that is complete.
    pub overwrite: bool,
    /// Keep the parts whose inputs and options are unchanged, and write the others.
    pub resume: bool,
    /// Remove the parts whose inputs are gone when resuming. Without it they stay.
    pub prune: bool,
    /// Whether an input counts as done even if it could not be read to its end.
    pub keep_going: bool,
}

impl FolderTable {
    pub(super) fn shard_name(&self) -> Option<String> {
        self.shard.as_ref().map(Shard::to_string)
    }

    /// How the folder is opened.
    pub(super) fn options<'a>(&self, shard: Option<&'a str>) -> FolderOptions<'a> {
        FolderOptions {
            kind: FolderKind::Parts,
            shard,
            run: self.run_kind(),
            overwrite: self.overwrite,
            resume: self.resume,
        }
    }

    fn run_kind(&self) -> RunKind {
        self.shard
            .map_or(RunKind::AllInputs, |shard| RunKind::Shards(shard.count()))
    }

    pub(super) fn file(&self, place: &Location, format: OutputFormat) -> Table {
        Table {
            path: Some(place.to_path()),
            format,
            compression: self.compression,
            options: TargetOptions { overwrite: true },
        }
    }

    pub(super) fn header(&self, schema: &SchemaRef, metadata: &TableMetadata) -> ManifestHeader {
        let fields = schema.fields().iter();
        ManifestHeader {
            manifest_version: MANIFEST_VERSION,
            shard: self.shard_name(),
            options: metadata
                .iter()
                .filter(|(key, _)| key != INPUTS)
                .cloned()
                .collect(),
            columns: fields
                .map(|field| (field.name().clone(), field.data_type().to_string()))
                .collect(),
            format: format!("{}{}", self.format.id, self.compression.ending()),
            partition_by: self.partition_by.clone(),
            max_rows_per_file: self.max_rows,
            group_bytes: self.group_bytes,
        }
    }

    pub(super) fn ending(&self, format: OutputFormat) -> String {
        format!("{}{}", format.extension(), self.compression.ending())
    }
}

/// The metadata key of the list of a table's inputs.
pub(super) const INPUTS: &str = "pipeline.inputs";
