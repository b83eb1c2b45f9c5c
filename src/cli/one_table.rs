//! The output of commands that write one table: its options, and its format.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use sudoku_pipeline::write::{Compression, FORMATS, OutputFormat, Table, TargetOptions, writable};

use super::error::{CommandError, UsageError};

#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct OneTableArgs {
    /// The table to write, in the format of its extension; - is standard output
    #[arg(short, long, value_name = "FILE", env = "PIPELINE_OUTPUT")]
    output: PathBuf,
    /// The output's format [default: by its extension]
    #[arg(long, value_name = "FORMAT", env = "PIPELINE_OUTPUT_FORMAT")]
    output_format: Option<OutputFormat>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, env = "PIPELINE_OVERWRITE")]
    overwrite: bool,
}

/// The table of a command that writes rows.
#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct TableArgs {
    /// The table to write, in the format of its extension (.parquet, .csv, .arrow, .ndjson, .txt …;
    /// text formats also with .gz or .zst); - is standard output
    #[arg(short, long, value_name = "FILE", env = "PIPELINE_OUTPUT")]
    pub(super) output: PathBuf,
    /// The output's format [default: by its extension]
    #[arg(long, value_name = "FORMAT", env = "PIPELINE_OUTPUT_FORMAT")]
    pub(super) output_format: Option<OutputFormat>,
    /// The compression of a text format [default: by its extension]
    #[arg(long, value_name = "HOW", env = "PIPELINE_COMPRESSION")]
    pub(super) compression: Option<Compression>,
}

/// The table of a command for which writing one is optional.
#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct OptionalTableArgs {
    /// The table to write, in the format of its extension; - is standard output
    #[arg(short, long, value_name = "FILE", env = "PIPELINE_OUTPUT")]
    pub(super) output: Option<PathBuf>,
    /// The output's format [default: by its extension]
    #[arg(long, value_name = "FORMAT", env = "PIPELINE_OUTPUT_FORMAT")]
    pub(super) output_format: Option<OutputFormat>,
}

impl OptionalTableArgs {
    /// The table that the options name, if they name one.
    pub(super) fn table(self, overwrite: bool) -> Result<Option<Table>, CommandError> {
        let options = TargetOptions { overwrite };
        let named = |output| table(output, self.output_format, options);
        self.output.map(named).transpose()
    }
}

impl OneTableArgs {
    /// The table that the options name.
    pub(super) fn table(self) -> Result<Table, CommandError> {
        let options = TargetOptions {
            overwrite: self.overwrite,
        };
        table(self.output, self.output_format, options)
    }
}

/// The table at this path. If `format` is `None`, the extension decides.
pub(super) fn table(
    path: PathBuf,
    format: Option<OutputFormat>,
    options: TargetOptions,
) -> Result<Table, CommandError> {
    if path.as_os_str() == "-" {
        let format = format.ok_or_else(|| UsageError::StdoutFormat {
            formats: FORMATS.iter().map(|format| format.id).collect(),
        })?;
        return Ok(Table {
            path: None,
            format,
            compression: Compression::None,
            options,
        });
    }
    writable(&path)?;
    let (stem, compression) = match path.extension().and_then(OsStr::to_str) {
        Some("gz") => (path.with_extension(""), Compression::Gzip),
        Some("zst") => (path.with_extension(""), Compression::Zstd),
        _ => (path.clone(), Compression::None),
    };
    let ending = stem.extension().and_then(OsStr::to_str);
    let by_name = ending.and_then(OutputFormat::of_ending);
    let format = format.or(by_name).ok_or_else(|| {
        let endings = FORMATS.iter();
        UsageError::NameWithoutFormat {
            path: path.clone(),
            endings: endings
                .map(|format| format!(".{}", format.extension()))
                .collect(),
        }
    })?;
    let table = Table {
        path: Some(path),
        format,
        compression,
        options,
    };
    refuse_double_compression(&table)?;
    Ok(table)
}

pub(super) fn refuse_double_compression(table: &Table) -> Result<(), UsageError> {
    if !table.format.is_text && table.compression != Compression::None {
        return Err(UsageError::CompressedTwice(table.format.id));
    }
    Ok(())
}
