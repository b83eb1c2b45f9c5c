//! The options of commands that write a folder with a table for each part or dataset.

use std::path::{Path, PathBuf};

use clap::Args;
use sudoku_pipeline::store::path_text;
use sudoku_pipeline::write::{Compression, OutputFormat, writable_folder};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::one_table;
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

/// Fails if the output is the name of a table, or standard output, because it has to be a folder.
fn refuse_file(command: &'static str, folder: &Path) -> Result<(), UsageError> {
    if folder.as_os_str() == "-" {
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
