//! The options of commands that write one table.

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sudoku_pipeline::formats::output_formats;
use sudoku_pipeline::write::{
    Compression, OutputFormat, Table, TargetOptions, names_stdout, writable, writable_folder,
};

use crate::cli::error::{CommandError, UsageError};
use sudoku_pipeline::error::FormatError;
use sudoku_pipeline::options::OUTPUT;

/// The values of `--format` for a command that writes rows.
pub(crate) trait RowFormat: ValueEnum + Clone + Send + Sync + 'static {}

impl<F: ValueEnum + Clone + Send + Sync + 'static> RowFormat for F {}

/// The output table of a command, in one of the formats `F`.
#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(crate) struct TableArgs<F: RowFormat = OutputFormat> {
    /// The table to write, in the format of its extension (.parquet, .csv, .tsv, .ndjson, .arrow …;
    /// text formats also with .gz or .zst); - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The output's format [default: by its extension; csv on standard output]
    #[arg(long, alias = "output-format", value_name = "FORMAT")]
    pub(crate) format: Option<F>,
    /// The compression of a text format [default: by its extension]
    #[arg(long, value_name = "HOW")]
    pub(crate) compression: Option<Compression>,
}

/// The output table of a command that does not have to write one.
#[derive(Args, Clone)]
#[command(next_help_heading = "Writing")]
pub(crate) struct OptionalTableArgs {
    /// The table to write, in the format of its extension; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The output's format [default: by its extension]
    #[arg(long, alias = "output-format", value_name = "FORMAT")]
    pub(crate) format: Option<OutputFormat>,
}

impl OptionalTableArgs {
    /// The table that the options name; `None` if they name none.
    pub(crate) fn table(self, overwrite: bool) -> Result<Option<Table>, CommandError> {
        let options = TargetOptions { overwrite };
        let table_named = |output| table(output, self.format, options);
        self.output.map(table_named).transpose()
    }
}

/// The table at this path. If `format` is `None`, the extension of the path decides.
pub(crate) fn table(
    path: PathBuf,
    format: Option<OutputFormat>,
    options: TargetOptions,
) -> Result<Table, CommandError> {
    if names_stdout(&path) {
        if let Some(format) = format.filter(|format| format.is_folder()) {
            return Err(folder_to_stdout(format.id).into());
        }
        let format = format.unwrap_or(OutputFormat::CSV);
        if !format.is_text && std::io::stdout().is_terminal() {
            return Err(UsageError::BinaryOnTerminal { format: format.id }.into());
        }
        return Ok(Table {
            path: None,
            format,
            compression: Compression::None,
            options,
        });
    }
    if format.is_some_and(OutputFormat::is_folder) {
        drop(writable_folder(&path)?);
    } else {
        drop(writable(&path)?);
    }
    let (_, compression) = Compression::from_name(&path);
    let format = format.or_else(|| format_of_name(&path)).ok_or_else(|| {
        let endings = single_file_formats().map(|format| format!(".{}", format.extension()));
        UsageError::NameWithoutFormat {
            path: path.clone(),
            endings: endings.collect(),
        }
    })?;
    let table = Table {
        path: Some(path),
        format,
        compression,
        options,
    };
    refuse_double_compression(table.format, table.compression)?;
    Ok(table)
}

/// The formats whose table is a single file.
fn single_file_formats() -> impl Iterator<Item = OutputFormat> {
    output_formats().filter(|format| !format.is_folder())
}

/// The format that the extension of a name selects; `None` for an unknown extension.
pub(crate) fn format_of_name(path: &Path) -> Option<OutputFormat> {
    let (stem, _) = Compression::from_name(path);
    let ending = stem.extension().and_then(OsStr::to_str);
    ending.and_then(OutputFormat::from_ending)
}

/// The error if the output of a command that writes a single table is a folder.
pub(crate) fn output_is_folder(command: &'static str) -> UsageError {
    let problem = format!("writes one table: give {OUTPUT} the name of a file");
    FormatError::new(command, problem).into()
}

/// The error if a folder of files would go to standard output. `writer` is the format or the command that writes the
/// folder.
pub(crate) fn folder_to_stdout(writer: &'static str) -> UsageError {
    let problem = format!(
        "writes a folder of files, which standard output cannot be: give {OUTPUT} the name of a folder"
    );
    FormatError::new(writer, problem).into()
}

/// Fails if a binary format, which compresses its own data, would be compressed again.
pub(crate) fn refuse_double_compression(
    format: OutputFormat,
    compression: Compression,
) -> Result<(), UsageError> {
    if !format.is_text && compression != Compression::None {
        return Err(FormatError::compressed_twice(format.id).into());
    }
    Ok(())
}
