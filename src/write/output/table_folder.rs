//! A folder with several named tables, such as the parts of a split.

use std::path::{Path, PathBuf};

use arrow::datatypes::SchemaRef;
use serde_json::{Map, Value};

use super::files_folder::{FilesFolder, TableFiles};
use crate::error::Error;
use crate::table::reject::Reject;
use crate::write::commit::{FolderKind, OutputSet};
use crate::write::rejects::RejectsWriter;
use crate::write::table::TableKind;
use crate::write::{Compression, OutputFormat, Table, TableMetadata, TableWriter, TargetOptions};

/// The name and the extension of the file with the rejects.
const REJECTS_NAME_AND_ENDING: (&str, &str) = ("_rejects", "csv");

/// The options for a folder of named tables, such as the parts of a split.
#[derive(Clone, Debug)]
pub struct TableFolder {
    /// The path of the folder, on disk or in an object store.
    pub path: PathBuf,
    /// The format of the tables.
    pub format: OutputFormat,
    /// The compression of the tables if their format is text.
    pub compression: Compression,
    /// Whether an existing folder of this kind is replaced.
    pub overwrite: bool,
}

impl TableFolder {
    /// The path of the rejects file in a folder of tables, unless an option names another file.
    pub fn rejects_path(folder: &Path) -> PathBuf {
        folder.join(format!(
            "{}.{}",
            REJECTS_NAME_AND_ENDING.0, REJECTS_NAME_AND_ENDING.1
        ))
    }

    /// Claims the folder, and starts a table for each name.
    ///
    /// # Errors
    ///
    /// The folder exists and may not be replaced, has files that this program has not written, or
    /// another run writes it.
    pub(crate) fn open(
        &self,
        names: &[&str],
        schema: &SchemaRef,
        metadata: &TableMetadata,
        keeps_rejects: bool,
    ) -> Result<(OpenTableFolder, Vec<TableWriter>), Error> {
        let tables = TableFiles {
            names,
            format: self.format,
            compression: self.compression,
        };
        let (folder, files, mut others) = FilesFolder::open(
            &self.path,
            FolderKind::Split,
            self.overwrite,
            &tables,
            &[REJECTS_NAME_AND_ENDING],
        )?;
        let rejects_file = others.pop().unwrap_or_default();
        let new_table = |name: &str, format: OutputFormat, compression: Compression| Table {
            path: Some(folder.staged_path(name)),
            format,
            compression,
            options: TargetOptions { overwrite: true },
        };
        let writers = files.iter().map(|file| {
            let table = new_table(file, self.format, self.compression);
            folder.start_table(file, &TableKind::from_table(&table, schema, metadata)?)
        });
        let writers = writers.collect::<Result<_, Error>>()?;
        let rejects = keeps_rejects.then(|| {
            let table = new_table(&rejects_file, OutputFormat::CSV, Compression::None);
            RejectsWriter::from_part(table, metadata.clone())
        });
        let open_folder = OpenTableFolder {
            files_folder: folder,
            files,
            rejects_writer: rejects,
            rejects_file_name: rejects_file,
            rejected_rows: 0,
        };
        Ok((open_folder, writers))
    }
}

/// A folder of tables that this run is writing.
pub(crate) struct OpenTableFolder {
    files_folder: FilesFolder,
    files: Vec<String>,
    rejects_writer: Option<RejectsWriter>,
    rejects_file_name: String,
    rejected_rows: u64,
}

impl OpenTableFolder {
    /// The names of the files, in the order of the tables.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Adds rejects to the rejects table, if the folder has one.
    pub(crate) fn rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        self.rejected_rows += rejects.len() as u64;
        match &mut self.rejects_writer {
            Some(writer) => writer.write(source, rejects),
            None => Ok(()),
        }
    }

    /// Finishes the tables, and adds the folder to an output set. `rows` are the numbers of rows of the tables. The
    /// manifest of the folder consists of the fields of `about` and a list of the files.
    pub(crate) fn finish(
        mut self,
        tables: Vec<(TableWriter, u64)>,
        about: Map<String, Value>,
        set: &mut OutputSet,
    ) -> Result<(), Error> {
        for (name, (writer, rows)) in std::mem::take(&mut self.files).iter().zip(tables) {
            self.files_folder.add_table(name, writer, rows)?;
        }
        self.finish_rejects()?;
        self.files_folder.finish(about, set)
    }

    fn finish_rejects(&mut self) -> Result<(), Error> {
        let Some(writer) = self.rejects_writer.take() else {
            return Ok(());
        };
        match writer.finish_part()? {
            Some(target) => {
                (self.files_folder).add_file(&self.rejects_file_name, target, self.rejected_rows)
            }
            None => Ok(()),
        }
    }

    /// Ends a failed run. If it failed because of its rejects, the rejects are kept beside the folder.
    pub(crate) fn abandon(mut self, why: &Error) -> Option<PathBuf> {
        let mut kept_rejects = Vec::new();
        if why.keeps_rejects() && self.finish_rejects().is_ok() {
            kept_rejects.extend(self.files_folder.files().last().cloned());
        }
        self.files_folder.abandon(&kept_rejects)
    }
}
