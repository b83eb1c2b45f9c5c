//! What the commands that look at a dataset as a set have in common: the options, and the memory of the
//! index of classes.

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Limits};
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::job::memory::{MINIMUM, MemoryLimit};
use sudoku_pipeline::sets::IndexMemory;
use sudoku_pipeline::store::Location;
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::write::{Compression, OutputFormat};

use super::args::WriteArgs;
use super::choose::ViewArgs;
use super::error::{CommandError, UsageError};

/// Of a memory limit, the share of the index: one part in so many.
const SHARE: u64 = 3;

/// The stages that determine classes.
pub(super) fn stages(by: ClassBy) -> Stages {
    Stages {
        solve: (by == ClassBy::Solution).then_some(Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: DEFAULT_NODE_LIMIT,
        }),
        class: Some(by),
        ..Stages::default()
    }
}

/// What the index may use, and the limit that is left to the rest of the run.
pub(super) fn share_memory(
    command: &'static str,
    limit: Option<ByteSize>,
    output: Option<&Path>,
) -> Result<(IndexMemory, MemoryLimit), CommandError> {
    let on = match output.map(Location::of).transpose()? {
        Some(Location::Local(path)) => (path.parent())
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or_else(|| PathBuf::from("."), Path::to_owned),
        Some(Location::Standard | Location::Remote(_)) | None => std::env::temp_dir(),
    };
    let (bytes, rest) = match MemoryLimit::find(limit)? {
        MemoryLimit::None => (None, MemoryLimit::None),
        MemoryLimit::Container(all) => {
            let share = all / SHARE;
            (Some(share), MemoryLimit::Container(all - share))
        }
        MemoryLimit::Given(all) => {
            let share = all / SHARE;
            if all - share < MINIMUM.0 {
                return Err(UsageError::LittleMemory {
                    command,
                    limit: ByteSize(all),
                    least: ByteSize(MINIMUM.0 / (SHARE - 1) * SHARE),
                }
                .into());
            }
            (Some(share), MemoryLimit::Given(all - share))
        }
    };
    Ok((IndexMemory { bytes, on }, rest))
}

/// Where one table goes.
#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct TableArgs {
    /// The table to write; its ending tells the format (.parquet, .csv, .arrow, .ndjson, .txt …,
    /// and .gz or .zst behind the text formats); - is standard output
    #[arg(short, long, value_name = "FILE", env = "PIPELINE_OUTPUT")]
    pub(super) output: PathBuf,
    /// The output's format, where the name does not tell
    #[arg(long, value_name = "FORMAT", env = "PIPELINE_OUTPUT_FORMAT")]
    pub(super) output_format: Option<OutputFormat>,
    /// The compression of a text format, where the name does not tell
    #[arg(long, value_name = "HOW", env = "PIPELINE_COMPRESSION")]
    pub(super) compression: Option<Compression>,
    #[command(flatten)]
    pub(super) view: ViewArgs,
}

impl TableArgs {
    /// The same as a plan takes it.
    pub(super) fn write_args(self) -> WriteArgs {
        WriteArgs {
            output: self.output,
            output_format: self.output_format,
            compression: self.compression,
            partition_by: Vec::new(),
            max_rows_per_file: None,
            resume: false,
            view: self.view,
        }
    }
}
