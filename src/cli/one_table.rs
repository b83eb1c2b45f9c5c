//! The output of commands that write one table.

use std::path::PathBuf;

use clap::Args;
use sudoku_pipeline::write::{Compression, OutputFormat, Table, TargetOptions};

use super::destination;
use super::error::CommandError;

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
        let table = |output| destination::table(output, self.output_format, options);
        self.output.map(table).transpose()
    }
}

impl OneTableArgs {
    /// The table that the options name.
    pub(super) fn table(self) -> Result<Table, CommandError> {
        let options = TargetOptions {
            overwrite: self.overwrite,
        };
        destination::table(self.output, self.output_format, options)
    }
}
