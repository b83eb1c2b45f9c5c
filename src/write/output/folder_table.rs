//! The options of a folder of parts, and the check whether a run may write to it.

use std::fs;
use std::path::PathBuf;

use arrow::datatypes::SchemaRef;

use super::manifest::{ManifestHeader, StatusFiles};
use super::parts_folder::{FolderItem, PartsFolder};
use super::replace::is_mount_point;
use super::shard::Shard;
use super::sweep::{RunKind, is_ours, is_reject, is_unfinished_status_file};
use crate::error::{Error, OutputError};
use crate::store::Location;
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
    /// Replace the folder by a new one once that is complete. This is impossible for shards, object
    /// stores and mount points: there the contents are removed at the start, `_SUCCESS` first.
    pub overwrite: bool,
    /// Keep the parts whose inputs and options are unchanged, and write the others.
    pub resume: bool,
    /// Whether an input counts as done even if it could not be read to its end.
    pub keep_going: bool,
}

impl FolderTable {
    pub(super) fn shard_name(&self) -> Option<String> {
        self.shard.as_ref().map(Shard::to_string)
    }

    pub(super) fn run_kind(&self) -> RunKind {
        self.shard
            .map_or(RunKind::Whole, |shard| RunKind::Shards(shard.count()))
    }

    /// Whether a new folder replaces the old one at the end. Shards share the folder, so a single
    /// shard cannot replace it; and object stores and mount points do not support renaming.
    pub(super) fn replaces(&self) -> bool {
        let can_be = match Location::of(&self.path) {
            Ok(location) => !location.is_remote() && !is_mount_point(&location.to_path()),
            Err(_) => false,
        };
        self.overwrite && self.shard.is_none() && can_be
    }

    /// The folder that the parts are written to. A folder that will replace another one lies beside
    /// it until the end.
    pub(super) fn root(&self, replaces: bool) -> Result<PartsFolder, Error> {
        let place = PartsFolder::of(&self.path)?;
        if !replaces {
            return Ok(place);
        }
        let path = place.path();
        let place = fs::canonicalize(&path).unwrap_or(path);
        match place.file_name() {
            Some(name) => {
                let name = format!(".{}.new", name.to_string_lossy());
                PartsFolder::of(&place.with_file_name(name))
            }
            None => Err(OutputError::NotReplaceable(self.path.clone()).into()),
        }
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
            manifest_version: 1,
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

/// Refuses a folder that the run may not write to, given its contents.
pub(super) fn check_place(
    table: &FolderTable,
    status_files: &StatusFiles,
    items: &[FolderItem],
) -> Result<(), Error> {
    let path = &table.path;
    // An earlier run with too many rejects may have left only these.
    if items.iter().all(is_reject) && is_ours(items) {
        return Ok(());
    }
    // Only a run over all inputs may replace the parts of other runs.
    let this = table.run_kind();
    let adds = table.shard.is_some() || table.resume;
    let mut left = items.iter().filter_map(RunKind::item);
    if adds && let Some(found) = left.find(|found| *found != this) {
        return Err(Error::OtherShards {
            path: path.clone(),
            found: found.to_string(),
            this: this.to_string(),
        });
    }
    let is_free = table.shard.is_some() && !status_files.are_among(items);
    if !table.overwrite && !table.resume && !is_free {
        return Err(Error::OutputExists(path.clone()));
    }
    // Another shard that has just started may not have a status file yet.
    let is_status_file =
        |item: &FolderItem| RunKind::item(item).is_some() || is_unfinished_status_file(item);
    let is_known = table.shard.is_some() || items.iter().any(is_status_file);
    if !is_known || !is_ours(items) {
        return Err(OutputError::ForeignFolder { path: path.clone() }.into());
    }
    Ok(())
}
