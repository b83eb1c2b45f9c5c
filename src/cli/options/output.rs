//! The options of commands that write rows to a table or a folder.

use clap::Args;
use sudoku_pipeline::write::OutputFormat;

use crate::cli::options::choose::ViewArgs;
use crate::cli::options::names::Names;
use crate::cli::options::numbers::between;
use crate::cli::options::one_table::{RowFormat, TableArgs};

const OUTPUT: &str = "The table to write, in the format of its extension (.parquet, .csv, .tsv, .ndjson, \
                      .arrow …; text formats also with .gz or .zst); - is standard output; a name that ends \
                      with / is a folder, which gets a part for each input";

#[derive(Args)]
#[command(next_help_heading = "Writing", mut_arg("output", |output| output.help(OUTPUT)))]
pub(crate) struct WriteArgs<F: RowFormat = OutputFormat> {
    #[command(flatten)]
    pub(crate) table: TableArgs<F>,
    /// Write a folder for each value of these columns: the output has subfolders such as level=easy/
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) partition_by: Vec<Names>,
    /// Write a folder whose parts have at most N rows
    #[arg(long, value_name = "N",
          value_parser = between::<u64>(1, u64::MAX))]
    pub(crate) max_rows_per_file: Option<u64>,
    /// Resume a folder: keep the parts whose input, options and version are unchanged, and write the others
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) resume: bool,
    /// When resuming, remove the parts whose inputs are gone; by default they are kept
    #[arg(long, requires = "resume")]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
}

impl WriteArgs {
    /// Makes the options of a command that can write one table, but no folder.
    pub(crate) fn one_table(table: TableArgs, view: ViewArgs) -> WriteArgs {
        WriteArgs {
            table,
            partition_by: Vec::new(),
            max_rows_per_file: None,
            resume: false,
            prune: false,
            view,
        }
    }
}

impl<F: RowFormat> WriteArgs<F> {
    /// The same options, with the value of `--format` converted to a format of the library.
    pub(crate) fn with_format(self, format: impl FnOnce(F) -> OutputFormat) -> WriteArgs {
        WriteArgs {
            table: TableArgs {
                output: self.table.output,
                format: self.table.format.map(format),
                compression: self.table.compression,
            },
            partition_by: self.partition_by,
            max_rows_per_file: self.max_rows_per_file,
            resume: self.resume,
            prune: self.prune,
            view: self.view,
        }
    }
}
