use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arrow::datatypes::SchemaRef;

use super::manifest::{Header, Marks};
use super::sweep::{has_marks, is_ours};
use crate::error::Error;
use crate::write::{Compression, Metadata, OutputFormat, Table, TargetOptions};

/// A folder of parts, and how they are written.
#[derive(Clone, Debug)]
pub struct FolderTable {
    /// The folder.
    pub path: PathBuf,
    /// The format of the parts.
    pub format: OutputFormat,
    /// Of the rejects.
    pub rejects_format: OutputFormat,
    /// The compression of a text format.
    pub compression: Compression,
    /// Columns whose values name folders within the folder.
    pub partition_by: Vec<String>,
    /// Rows of a part, at most.
    pub max_rows: Option<u64>,
    /// Which shard of the inputs this run takes, of how many.
    pub shard: Option<(u64, u64)>,
    /// Replace the folder by a new one, once that is complete.
    pub overwrite: bool,
    /// Keep the parts whose inputs and options are the same, and do the rest.
    pub resume: bool,
}

impl FolderTable {
    pub(super) fn shard_name(&self) -> Option<String> {
        self.shard.map(|(shard, of)| format!("{shard}-of-{of}"))
    }

    /// Shards share the folder, so that none can replace it.
    pub(super) fn replaces(&self) -> bool {
        self.overwrite && self.shard.is_none()
    }

    /// Where the parts are written: a folder is replaced at the end.
    pub(super) fn root(&self) -> Result<PathBuf, Error> {
        if !self.replaces() {
            return Ok(self.path.clone());
        }
        let place = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        match place.file_name() {
            Some(name) => {
                let name = format!(".{}.new", name.to_string_lossy());
                Ok(place.with_file_name(name))
            }
            None => Err(Error::Usage(format!(
                "{} cannot be replaced",
                self.path.display()
            ))),
        }
    }

    pub(super) fn file(&self, path: PathBuf, format: OutputFormat) -> Table {
        Table {
            path: Some(path),
            format,
            compression: self.compression,
            options: TargetOptions { overwrite: true },
        }
    }

    pub(super) fn header(&self, schema: &SchemaRef, metadata: &Metadata) -> Header {
        let fields = schema.fields().iter();
        Header {
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
        }
    }

    pub(super) fn ending(&self, format: OutputFormat) -> String {
        format!("{}{}", format.extension(), self.compression.ending())
    }
}

/// The metadata of a table that names its inputs.
pub(super) const INPUTS: &str = "pipeline.inputs";

/// Whether a run may write into the folder.
pub(super) fn check_place(table: &FolderTable, marks: &Marks) -> Result<(), Error> {
    let path = &table.path;
    let is_empty = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(refused(path, error)),
    };
    if is_empty {
        return Ok(());
    }
    let is_free = table.shard.is_some() && !marks.any_exists();
    if !table.overwrite && !table.resume && !is_free {
        return Err(Error::OutputExists(path.clone()));
    }
    // Of a shard that has just begun there may be no mark yet.
    let is_known = table.shard.is_some() || has_marks(path)?;
    if !is_known || !is_ours(path)? {
        return Err(Error::Usage(format!(
            "{} holds what pipeline did not write: name another folder",
            path.display()
        )));
    }
    Ok(())
}

fn refused(path: &Path, error: io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}
