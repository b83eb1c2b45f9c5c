//! The options of commands that write a folder with a table for each part or dataset, and the plan that they share.

use std::path::{Path, PathBuf};

use clap::Args;
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::sets::IndexMemory;
use sudoku_pipeline::store::path_text;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::{
    Compression, OutputFormat, TableFolder, TargetOptions, names_stdout, writable_folder,
};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::input::ReadArgs;
use crate::cli::options::one_table;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::destination::Destination;
use crate::cli::run::memory::{RunMemory, share_memory};
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::rejects::Rejects;
use crate::cli::run::work::PartsFolder;

#[derive(Args)]
pub(crate) struct FolderArgs {
    /// The folder for the output, with a table for each part
    #[arg(long, value_name = "FOLDER", help_heading = "Writing")]
    output: PathBuf,
    /// The format of the parts [default: that of the inputs, or parquet if they have several]
    #[arg(long, value_name = "FORMAT", help_heading = "Writing")]
    format: Option<OutputFormat>,
    /// The compression of a text format [default: that of the inputs]
    #[arg(long, value_name = "HOW", help_heading = "Writing")]
    compression: Option<Compression>,
}

impl FolderArgs {
    /// The output folder. Fails if it cannot be written, or if the format is binary and a compression is named.
    pub(crate) fn parts_folder(
        self,
        command: &'static str,
        overwrite: bool,
    ) -> Result<PartsFolder, CommandError> {
        refuse_file(command, &self.output)?;
        writable_folder(&self.output)?;
        if let (Some(format), Some(compression)) = (self.format, self.compression) {
            one_table::refuse_double_compression(format, compression)?;
        }
        Ok(PartsFolder {
            path: self.output,
            format: self.format,
            compression: self.compression,
            overwrite,
        })
    }
}

/// The plan of a command that writes a folder of tables, and the memory of its index. The rejects are in the folder,
/// unless the options name another table.
pub(super) fn plan_of_folder(
    command: &'static str,
    folder: &PartsFolder,
    read: ReadArgs,
    report: ReportArgs,
    stages: Stages,
    groups: Vec<ColumnGroup>,
) -> Result<(Plan, IndexMemory), CommandError> {
    let rejects_path = TableFolder::rejects_path(&folder.path);
    let (index, rest) = share_memory(command, report.run.memory_limit, Some(&rejects_path))?;
    let names_rejects = report.rejects.is_some();
    let memory = RunMemory {
        limit: rest,
        other_output: Some(&folder.path),
    };
    let mut plan = plan::plan_within(command, read, None, report, stages, groups, memory)?;
    if !names_rejects {
        plan.destination = rejects_within(rejects_path, folder.overwrite)?;
    }
    plan.run.read.nested_as_text = folder.format.is_some_and(|format| !format.has_nested());
    Ok((plan, index))
}

/// The destination for a command that writes no table of rows: only a table of rejects at `path`.
fn rejects_within(path: PathBuf, overwrite: bool) -> Result<Destination, CommandError> {
    Ok(Destination::File {
        table: None,
        rejects: Some(Rejects {
            table: one_table::table(path, None, TargetOptions { overwrite })?,
            always: false,
        }),
    })
}

/// Fails if the output is the name of a table, or standard output. The output of the command has to be a folder.
fn refuse_file(command: &'static str, folder: &Path) -> Result<(), UsageError> {
    if names_stdout(folder) {
        return Err(one_table::folder_to_stdout(command));
    }
    let is_folder = folder.is_dir() || path_text(folder).ends_with('/');
    match one_table::format_of_name(folder) {
        Some(format) if !is_folder => Err(UsageError::NeedsFolder {
            command,
            output: folder.to_owned(),
            format: format.id,
        }),
        _ => Ok(()),
    }
}
