//! The options for a folder of parts.

use std::path::PathBuf;

use crate::read::KnownInputs;
use crate::store::Location;
use crate::write::commit::{
    FolderKind, FolderOptions, MANIFEST_VERSION, ManifestHeader, RunKind, read_earlier_entries,
};
use crate::write::output::shard::Shard;
use crate::write::{Compression, OutputFormat, Table, TableMetadata, TargetOptions};

/// A folder of parts, and the options for writing it.
#[derive(Clone, Debug)]
pub struct FolderTable {
    /// The path of the folder, on disk or in an object store.
    pub path: PathBuf,
    /// The format of the parts.
    pub format: OutputFormat,
    /// The format of the rejects. It is not the format of the parts, because many readers read all files with
    /// the same extension in a folder.
    pub rejects_format: OutputFormat,
    /// The compression of the parts if their format is text.
    pub compression: Compression,
    /// The columns whose values become the names of subfolders.
    pub partition_by: Vec<String>,
    /// The maximum number of rows of a part; `None` for no limit.
    pub max_rows: Option<u64>,
    /// The maximum size in bytes of the rows that are not in a row group yet; `None` for no limit.
    pub group_bytes: Option<usize>,
    /// The shard of the inputs that this run processes; `None` for all inputs.
    pub shard: Option<Shard>,
    /// Whether a complete new folder replaces an existing one.
    pub overwrite: bool,
    /// Whether the parts of unchanged inputs are kept. This requires that the options are unchanged as well.
    pub resume: bool,
    /// Whether to remove the parts of inputs that no longer exist. Only used with `resume`.
    pub prune: bool,
    /// Whether an input counts as complete although damage prevented reading it to its end.
    pub keep_going: bool,
}

impl FolderTable {
    /// The objects of stores that earlier runs into this folder have recognised, if this run can keep their parts. What
    /// cannot be read is left out: opening the folder reports it.
    pub fn known_inputs(&self) -> KnownInputs {
        let mut known = KnownInputs::default();
        if self.overwrite {
            return known;
        }
        let shard = self.shard_name();
        for entry in read_earlier_entries(&self.path, shard.as_deref(), self.resume) {
            if let (Some(state), Some(recognition)) = (entry.state, entry.recognition) {
                known.add(entry.source, entry.bytes, state, recognition);
            }
        }
        known
    }

    pub(super) fn shard_name(&self) -> Option<String> {
        self.shard.as_ref().map(Shard::to_string)
    }

    /// The options for claiming and checking the folder.
    pub(super) fn folder_options<'a>(&self, shard: Option<&'a str>) -> FolderOptions<'a> {
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

    pub(super) fn file_table(&self, place: &Location, format: OutputFormat) -> Table {
        Table {
            path: Some(place.to_path()),
            format,
            compression: self.compression,
            options: TargetOptions { overwrite: true },
        }
    }

    /// The options in the manifest. The columns are added once they are known.
    pub(super) fn manifest_header(&self, metadata: &TableMetadata) -> ManifestHeader {
        ManifestHeader {
            manifest_version: MANIFEST_VERSION,
            shard: self.shard_name(),
            options: metadata.pairs_without_inputs(),
            columns: Vec::new(),
            grid_names: Vec::new(),
            format: format!("{}{}", self.format.id, self.compression.ending()),
            partition_by: self.partition_by.clone(),
            max_rows_per_file: self.max_rows,
            group_bytes: self.group_bytes,
        }
    }

    pub(super) fn file_ending(&self, format: OutputFormat) -> String {
        format!("{}{}", format.extension(), self.compression.ending())
    }
}
