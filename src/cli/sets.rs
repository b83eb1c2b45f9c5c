//! The options and the memory that `dedup`, `split` and `overlap` have in common: they process a dataset as
//! a set, with an index of classes.

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Limits};
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::job::memory::{MINIMUM, MemoryLimit};
use sudoku_pipeline::sets::IndexMemory;
use sudoku_pipeline::store::Location;
use sudoku_pipeline::table::class::ClassBy;

use super::error::{CommandError, UsageError};

/// The index uses one part in this many of the memory limit.
const SHARE: u64 = 3;

/// The stages that are needed to determine the classes.
pub(super) fn stages(classes: &[ClassBy]) -> Stages {
    let solves = classes.iter().any(|by| by.needs_solutions());
    Stages {
        solve: solves.then_some(Limits {
            solutions: DEFAULT_SOLUTION_LIMIT,
            nodes: DEFAULT_NODE_LIMIT,
        }),
        classes: classes.to_vec(),
        ..Stages::default()
    }
}

/// The folder for files of a run that have no name: that of the output, else the system's.
pub(super) fn temporary_folder(output: Option<&Path>) -> Result<PathBuf, CommandError> {
    Ok(match output.map(Location::of).transpose()? {
        Some(Location::Local(path)) => (path.parent())
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or_else(|| PathBuf::from("."), Path::to_owned),
        Some(Location::Standard | Location::Remote(_)) | None => std::env::temp_dir(),
    })
}

/// Divides the memory limit: returns the limit of the index, and that of the rest of the run.
pub(super) fn share_memory(
    command: &'static str,
    limit: Option<ByteSize>,
    output: Option<&Path>,
) -> Result<(IndexMemory, MemoryLimit), CommandError> {
    let on = temporary_folder(output)?;
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
