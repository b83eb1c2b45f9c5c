//! Where the one table of a command goes.

use std::path::PathBuf;

use clap::Args;
use sudoku_pipeline::write::{OutputFormat, Table, TargetOptions};

use super::destination;
use super::error::CommandError;

#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct OneTableArgs {
    /// The table to write; the ending of its name says the format; - is standard output
    #[arg(short, long, value_name = "FILE", env = "PIPELINE_OUTPUT")]
    output: PathBuf,
    /// The output's format [default: by the ending of its name]
    #[arg(long, value_name = "FORMAT", env = "PIPELINE_OUTPUT_FORMAT")]
    output_format: Option<OutputFormat>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, env = "PIPELINE_OVERWRITE")]
    overwrite: bool,
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
