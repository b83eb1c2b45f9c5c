//! A folder with one table for each name: the parts of a split.

use std::path::{Path, PathBuf};

use arrow::datatypes::SchemaRef;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::table::reject::Reject;
use crate::write::commit::{
    ClaimedFolder, FolderKind, FolderOptions, MANIFEST_VERSION, OutputSet, PartFile, RunKind,
};
use crate::write::rejects::RejectsWriter;
use crate::write::table::TableKind;
use crate::write::{Compression, OutputFormat, Table, TableMetadata, TableWriter, TargetOptions};

/// The file of the rejects.
const REJECTS: &str = "_rejects.csv";

/// The tables of a folder and how they are written.
#[derive(Clone, Debug)]
pub struct TableFolder {
    /// The folder, on disk or in a store.
    pub path: PathBuf,
    /// The format of the tables.
    pub format: OutputFormat,
    /// Their compression, if the format is text.
    pub compression: Compression,
    /// Replace a folder of this kind.
    pub overwrite: bool,
}

impl TableFolder {
    /// The file of the rejects, if they are not written elsewhere.
    pub fn rejects_path(&self) -> PathBuf {
        self.path.join(REJECTS)
    }

    /// Claims the folder, and starts a table for each name.
    ///
    /// # Errors
    /// The folder exists and may not be replaced, holds something that is not ours, or another run writes
    /// it.
    pub(crate) fn open(
        &self,
        names: &[&str],
        schema: &SchemaRef,
        metadata: &TableMetadata,
        keeps_rejects: bool,
    ) -> Result<(OpenTableFolder, Vec<TableWriter>), Error> {
        let folder = ClaimedFolder::open(
            &self.path,
            FolderOptions {
                kind: FolderKind::Split,
                shard: None,
                run: RunKind::Whole,
                overwrite: self.overwrite,
                resume: false,
            },
        )?;
        let table = |name: &str, format: OutputFormat, compression: Compression| Table {
            path: Some(folder.stage().at(name).to_path()),
            format,
            compression,
            options: TargetOptions { overwrite: true },
        };
        let ending = format!("{}{}", self.format.extension(), self.compression.ending());
        let free = folder.free_names();
        let files: Vec<String> = names.iter().map(|name| free.free(name, &ending)).collect();
        let mut promised = files.clone();
        promised.push(REJECTS.to_owned());
        if let Err(error) = folder.mark_stage(&promised) {
            folder.abandon(false);
            return Err(error);
        }
        let writers = files.iter().map(|file| {
            let table = table(file, self.format, self.compression);
            let path = table.path.as_deref().unwrap_or(Path::new(""));
            TableKind::from_table(&table, schema, metadata)?.start_part(path)
        });
        let writers = writers.collect::<Result<_, Error>>()?;
        let rejects = keeps_rejects.then(|| {
            let table = table(REJECTS, OutputFormat::CSV, Compression::None);
            RejectsWriter::of_part(table, metadata.clone())
        });
        let open = OpenTableFolder {
            replaced: folder.listed_by_all(),
            folder,
            files,
            rejects,
            rejected: 0,
        };
        Ok((open, writers))
    }
}

/// A folder of tables that is being written.
pub(crate) struct OpenTableFolder {
    folder: ClaimedFolder,
    files: Vec<String>,
    rejects: Option<RejectsWriter>,
    rejected: u64,
    /// The files of the old set.
    replaced: Vec<PartFile>,
}

impl OpenTableFolder {
    /// The names of the files, in the order of the tables.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Adds rejects, if they are kept here.
    pub(crate) fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        self.rejected += rejects.len() as u64;
        match &mut self.rejects {
            Some(writer) => writer.write(source, rejects),
            None => Ok(()),
        }
    }

    /// Ends the tables, which have this many rows, and hands the folder over. The manifest says what `about`
    /// says, and lists the files.
    pub(crate) fn finish(
        mut self,
        tables: Vec<(TableWriter, u64)>,
        about: Map<String, Value>,
        set: &mut OutputSet,
    ) -> Result<(), Error> {
        let mut files = Vec::new();
        for (path, (writer, rows)) in std::mem::take(&mut self.files).into_iter().zip(tables) {
            let bytes = writer.finish()?.finish_part()?;
            files.push(PartFile { path, rows, bytes });
        }
        files.extend(self.finish_rejects()?);
        self.folder.sync(files.iter())?;
        let mut manifest = Map::new();
        manifest.insert("command".into(), "split".into());
        manifest.insert("manifest_version".into(), MANIFEST_VERSION.into());
        manifest.extend(about);
        manifest.insert("files".into(), serde_json::to_value(&files)?);
        let text = format!("{:#}\n", Value::Object(manifest));
        // In a store, a killed run may also have left files that no manifest lists.
        let mut removed = self.folder.remote_files(&|_| true);
        removed.extend(self.replaced.iter().map(|old| old.path.clone()));
        removed.retain(|path| !files.iter().any(|file| file.path == *path));
        self.folder.publish(set, &text, &files, removed, true)
    }

    fn finish_rejects(&mut self) -> Result<Option<PartFile>, Error> {
        let Some(writer) = self.rejects.take() else {
            return Ok(None);
        };
        let Some(target) = writer.finish_part()? else {
            return Ok(None);
        };
        Ok(Some(PartFile {
            path: REJECTS.into(),
            rows: self.rejected,
            bytes: target.finish_part()?,
        }))
    }

    /// Ends a run that failed. Rejects that were too many are kept beside the folder.
    pub(crate) fn abandon(mut self, why: &Error) -> Option<PathBuf> {
        let mut kept = None;
        if let Error::TooManyRejects { .. } = why {
            let rejects = self.finish_rejects().ok().flatten();
            kept = rejects.and_then(|file| self.folder.keep_rejects(&[file]));
        }
        self.folder.abandon(false);
        kept
    }
}
