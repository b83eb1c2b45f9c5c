//! Divides the memory of a run between the batches in progress and the index of puzzle classes.

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use sudoku_pipeline::address_space;
use sudoku_pipeline::error::{Error, OptionError};
use sudoku_pipeline::job::cores;
use sudoku_pipeline::job::memory::{MINIMUM, MemoryLimit, MemoryPlan};
use sudoku_pipeline::options::MEMORY_LIMIT;
use sudoku_pipeline::read::MAX_RECORD_BYTES;
use sudoku_pipeline::sets::IndexMemory;
use sudoku_pipeline::store::{Location, limit_upload_memory};

use crate::cli::error::CommandError;
use crate::temporary::folder_for;

/// The index gets this part of the memory limit: one third.
const SHARE: u64 = 3;

/// What the memory plan of a run depends on, in addition to its options.
#[derive(Clone, Copy)]
pub(crate) struct RunMemory<'a> {
    pub(crate) limit: MemoryLimit,
    /// An output that is not among the options for writing rows.
    pub(crate) other_output: Option<&'a Path>,
}

/// The memory plan of a run, which limits the batches in progress.
pub(crate) fn memory_plan(
    threads: Option<usize>,
    limit: MemoryLimit,
    longest_record: Option<ByteSize>,
    writes_to_store: bool,
) -> Result<MemoryPlan, CommandError> {
    let requested_threads = worker_threads(threads);
    let longest = longest_record.map_or(MAX_RECORD_BYTES, |size| size.0);
    let plan = if writes_to_store {
        MemoryPlan::with_uploads(longest, limit, requested_threads)?
    } else {
        MemoryPlan::with_records_of(longest, limit, requested_threads)?
    };
    limit_upload_memory(plan.upload_bytes);
    if plan.threads < requested_threads {
        tracing::warn!(
            threads = plan.threads,
            "the memory limit has room for {} of {requested_threads} threads",
            plan.threads
        );
    }
    tracing::debug!(
        threads = plan.threads,
        batches = plan.batches,
        groups = plan.groups,
        group_bytes = plan.group_bytes,
        "{}",
        sentence(limit, plan)
    );
    Ok(plan)
}

/// The memory plan as a sentence for the log.
fn sentence(limit: MemoryLimit, plan: MemoryPlan) -> String {
    let MemoryPlan {
        threads,
        batches,
        groups,
        group_bytes,
        object_bytes: _,
        upload_bytes: _,
        returns_freed_memory: _,
    } = plan;
    let limit = match limit {
        MemoryLimit::Given(bytes) => format!("a memory limit of {}", ByteSize(bytes)),
        MemoryLimit::Container(bytes) => {
            format!("the container's memory limit of {}", ByteSize(bytes))
        }
        MemoryLimit::None => "no memory limit".to_owned(),
    };
    let size = group_bytes.map_or(String::new(), |bytes| {
        format!(" of at most {}", ByteSize(bytes as u64))
    });
    format!(
        "threads: {threads}; at most {batches} batches of records and {groups} groups of rows{size} are in \
         progress, with {limit}"
    )
}

/// Whether an output is an object or a folder in a store.
pub(crate) fn is_in_store(output: &Path) -> bool {
    Location::from_path(output).is_ok_and(|location| location.is_remote())
}

/// The requested number of threads; by default one per core.
pub(crate) fn worker_threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(cores)
}

/// The folder for unnamed temporary files: the folder of the output, or the system's temporary folder.
pub(crate) fn temporary_folder(output: Option<&Path>) -> Result<PathBuf, CommandError> {
    let folder = output.map(folder_for).transpose()?;
    Ok(folder.unwrap_or_else(std::env::temp_dir))
}

/// The memory limit of a run.
pub(crate) fn memory_limit(given: Option<ByteSize>) -> Result<MemoryLimit, CommandError> {
    address_space::check().map_err(Error::from)?;
    Ok(MemoryLimit::find(given)?)
}

/// Divides the memory limit into the limit for the index and the limit for the rest of the run.
pub(crate) fn share_memory(
    command: &'static str,
    limit: Option<ByteSize>,
    output: Option<&Path>,
) -> Result<(IndexMemory, MemoryLimit), CommandError> {
    let spill_folder = temporary_folder(output)?;
    let (bytes, rest) = match memory_limit(limit)? {
        MemoryLimit::None => (None, MemoryLimit::None),
        MemoryLimit::Container(all) => {
            let share = all / SHARE;
            (Some(share), MemoryLimit::Container(all - share))
        }
        MemoryLimit::Given(all) => {
            let share = all / SHARE;
            if all - share < MINIMUM.0 {
                return Err(OptionError::new(
                    MEMORY_LIMIT,
                    format!(
                        "{command} needs at least {}, of which a third is for its index",
                        ByteSize(MINIMUM.0 / (SHARE - 1) * SHARE)
                    ),
                )
                .with_value(ByteSize(all))
                .into());
            }
            (Some(share), MemoryLimit::Given(all - share))
        }
    };
    Ok((
        IndexMemory {
            limit_bytes: bytes,
            temp_folder: spill_folder,
        },
        rest,
    ))
}
