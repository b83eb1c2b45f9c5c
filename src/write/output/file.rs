//! Writes the output of a run to a single file.

use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use serde_json::Map;

use super::files_folder::{FilesFolder, TableFiles};
use super::{BatchResult, EncodeTask, Output, TableId};
use crate::error::Error;
use crate::table::reject::Reject;
use crate::table::validation::Failure;
use crate::write::commit::{Claim, FolderKind, OutputSet};
use crate::write::failures::FailuresWriter;
use crate::write::rejects::RejectsWriter;
use crate::write::{Encoded, Table, TableKind, TableMetadata, TableWriter};

/// Writes the rows of all inputs to one table, and the rejects to another.
pub struct FileOutput {
    /// The table; `None` if the run writes no table.
    table: Option<TableWriter>,
    rejects: Option<RejectsWriter>,
    failures: Option<FailuresWriter>,
    /// The claims of the output table and of the rejects table.
    claims: Vec<Claim>,
    /// If a table of this format is a folder: the folder, and the name of the file for the rows. Otherwise `None`.
    folder: Option<(FilesFolder, String)>,
    row_count: u64,
}

const TABLE_ID: TableId = TableId(0);

impl FileOutput {
    /// Makes an output that writes the rows to `table` and the rejects to `rejects`. A table that is `None` is not
    /// written.
    pub fn new(mut table: Option<TableWriter>, mut rejects: Option<RejectsWriter>) -> FileOutput {
        let table_claim = table.as_mut().and_then(TableWriter::take_claim);
        let rejects_claim = rejects.as_mut().and_then(RejectsWriter::take_claim);
        FileOutput {
            table,
            rejects,
            failures: None,
            claims: table_claim.into_iter().chain(rejects_claim).collect(),
            folder: None,
            row_count: 0,
        }
    }

    /// Starts a table. If a table of this format is a folder, starts the folder.
    ///
    /// # Errors
    ///
    /// The file or folder exists and may not be replaced, it cannot be written, or the table lacks a
    /// column that the format needs.
    pub fn start(
        table: &Table,
        schema: &SchemaRef,
        metadata: &TableMetadata,
    ) -> Result<FileOutput, Error> {
        let (true, Some(path)) = (table.format.is_folder(), &table.path) else {
            return Ok(FileOutput::new(Some(table.start(schema, metadata)?), None));
        };
        let kind = TableKind::from_table(table, schema, metadata)?;
        let tables = TableFiles {
            names: &[""],
            format: table.format,
            compression: table.compression,
        };
        let overwrite = table.options.overwrite;
        let (folder, mut names, _) =
            FilesFolder::open(path, FolderKind::Arrays, overwrite, &tables, &[])?;
        let name = names.pop().unwrap_or_default();
        let writer = folder.start_table(&name, &kind)?;
        let output = FileOutput::new(Some(writer), None);
        Ok(FileOutput {
            folder: Some((folder, name)),
            ..output
        })
    }

    /// Limits the size of row groups to this number of bytes.
    pub fn shrink_groups(&mut self, bytes: usize) {
        if let Some(table) = &mut self.table {
            table.shrink_groups(bytes);
        }
    }

    /// Adds a rejects table to the output.
    pub fn with_rejects(mut self, mut rejects: RejectsWriter) -> FileOutput {
        self.claims.extend(rejects.take_claim());
        FileOutput {
            rejects: Some(rejects),
            ..self
        }
    }

    /// Whether the output has a rejects table.
    pub(crate) fn keeps_rejects(&self) -> bool {
        self.rejects.is_some()
    }

    /// Writes rejects to their table, if there is one.
    pub(crate) fn write_rejects(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        match &mut self.rejects {
            Some(writer) => writer.write(source, rejects),
            None => Ok(()),
        }
    }

    /// Writes records that fail validation to their table, if there is one.
    pub(crate) fn write_failures(
        &mut self,
        source: &str,
        failures: &[Failure],
    ) -> Result<(), Error> {
        match &mut self.failures {
            Some(writer) => writer.write(source, failures),
            None => Ok(()),
        }
    }

    /// Adds rows to the table, if there is one. Returns the row groups that became full.
    pub(crate) fn add_rows(&mut self, rows: RecordBatch) -> Vec<EncodeTask> {
        let Some(table) = &mut self.table else {
            return Vec::new();
        };
        self.row_count += rows.num_rows() as u64;
        let full_groups = table.push(rows).into_iter();
        full_groups
            .map(|group| EncodeTask {
                table: TABLE_ID,
                group,
            })
            .collect()
    }

    /// Adds a table of records that fail validation to the output.
    pub fn with_failures(self, failures: FailuresWriter) -> FileOutput {
        FileOutput {
            failures: Some(failures),
            ..self
        }
    }
}

impl Output for FileOutput {
    fn wants_rows(&self) -> bool {
        self.table.is_some()
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.write_rejects(source, &result.rejects)?;
        self.write_failures(source, &result.failures)?;
        let rows = result.rows.take();
        Ok(rows.map_or_else(Vec::new, |rows| self.add_rows(rows)))
    }

    fn append(&mut self, _: TableId, index: usize, encoded: Encoded) -> Result<(), Error> {
        match &mut self.table {
            Some(table) => table.append(index, encoded),
            None => Ok(()),
        }
    }

    fn groups_in_flight(&self) -> usize {
        self.table.as_ref().map_or(0, TableWriter::groups_in_flight)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let last_group = self
            .table
            .as_mut()
            .and_then(TableWriter::take_waiting_group);
        let encode_task = last_group.map(|group| EncodeTask {
            table: TABLE_ID,
            group,
        });
        Ok(encode_task.into_iter().collect())
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        self.claims
            .into_iter()
            .for_each(|claim| set.add_claim(Some(claim)));
        if let Some(rejects) = self.rejects {
            rejects.finish(set)?;
        }
        if let Some(failures) = self.failures {
            set.add(failures.finish()?)?;
        }
        match (self.table, self.folder) {
            (Some(table), Some((mut folder, name))) => {
                folder.add_table(&name, table, self.row_count)?;
                folder.finish(Map::new(), set)
            }
            (Some(table), None) => set.add_marker(table.finish()?),
            (None, _) => Ok(()),
        }
    }

    /// If the run failed because of too many rejects, keeps the rejects, because they show what is wrong.
    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        let FileOutput {
            claims,
            table,
            rejects,
            folder,
            ..
        } = *self;
        let folder_path = folder.as_ref().map(|(folder, _)| folder.path().to_owned());
        let output_path = table
            .as_ref()
            .and_then(TableWriter::path)
            .map(Path::to_owned);
        let output_path = folder_path.or(output_path);
        drop(table);
        if let Some((folder, _)) = folder {
            folder.abandon(&[]);
        }
        let rejects = rejects.filter(|_| why.keeps_rejects())?;
        rejects.keep_table(claims, output_path.as_deref())
    }
}
