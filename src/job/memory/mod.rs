//! The memory plan limits the work in progress, so that the memory of a run stays below a limit.
//!
//! ```text
//! limit ≥ BASE                          program, reader, the description of a Parquet file
//!       + threads × THREAD              stacks, pages of Parquet files, and what the allocator keeps
//!       + batches × BATCH               read, being worked on, waiting for their turn; a piece counts
//!                                       as the batches that are expected to be decoded from it, and a group of
//!                                       compressed members as one batch
//!       + (groups + 1) × group          rows collected for a group, and groups being encoded, with what they become
//!       + objects                       small objects of stores that are fetched before their turn
//! ```
//!
//! Under a tight limit, the plan first reduces the number of row groups in progress, then the number of batches, then
//! the number of threads. None of these changes the output. The size of row groups, which does change the output, is
//! only reduced if the user set a limit that has no room for one group and two threads.

mod allocator;
mod container;

use bytesize::ByteSize;

use crate::address_space;
use crate::error::OptionError;
use crate::options;
use crate::read::{Batch, MAX_RECORD_BYTES, MOST_FIELDS, PieceLimits};
use crate::store::{LEAST_OBJECT_BYTES, LEAST_UPLOAD_BYTES, MOST_OBJECT_BYTES, MOST_UPLOAD_BYTES};
use crate::write::GROUP_BYTES;
pub(crate) use allocator::{keep_freed_memory, return_freed_memory};

/// The memory in bytes that a run needs without any batch, with [`LEAST_OBJECT_BYTES`] for objects of stores. It is
/// slightly more for a Parquet file with many row groups.
const BASE_BYTES: u64 = 36 << 20;

/// The memory for a thread in bytes. Most of it is memory that was freed on another thread, and that glibc
/// keeps. Measured over ten million rows; `MALLOC_MMAP_THRESHOLD_=65536` in the environment reduces it to a
/// third.
const BYTES_PER_THREAD: u64 = 9 << 20;

/// The memory for a batch in bytes: its text, its records and its rows. A batch has about 1,500 rows of
/// text, or 4,096 rows of a columnar format.
const BYTES_PER_BATCH: u64 = 3 << 20;

/// The size of a batch's values, in bytes, that [`BYTES_PER_BATCH`] includes. The values are in memory as they
/// were read, as columns of the table, and once more during conversions.
const VALUE_BYTES_PER_BATCH: usize = 1 << 20;

/// The number of additional buffers that a large batch takes: one for each [`VALUE_BYTES_PER_BATCH`] bytes of its values,
/// so that fewer large batches are in progress at a time.
pub(super) fn more_buffers(batch: &Batch) -> usize {
    batch.written_bytes() / VALUE_BYTES_PER_BATCH
}

/// The maximum number of batches that a worker decodes at a time. More of them do not make the start of a piece, which
/// skips values, cheaper by a measurable amount.
const MOST_BATCHES_PER_PIECE: usize = 4;

/// The maximum size in bytes of the Parquet pages that a thread has in memory to decode a row, without a memory limit.
const MOST_PAGE_BYTES: u64 = 64 << 20;

/// The number of columns that [`BYTES_PER_BATCH`] includes, and the bytes for each further column: its array takes this
/// much memory in addition to its values.
const USUAL_COLUMNS: u64 = 256;
const BYTES_PER_COLUMN: u64 = 640;

/// The bytes for each column of a table with more than [`USUAL_COLUMNS`]: its description, and its metadata in each row
/// group that is written.
const BYTES_PER_TABLE_COLUMN: u64 = 8 << 10;

/// The bytes for the fields of a batch with more than [`USUAL_COLUMNS`]. Each field is a reference of 24 bytes.
const FIELD_BYTES_PER_BATCH: u64 = MOST_FIELDS as u64 * 24;

/// The memory for a row group whose rows have this many bytes. The rows are kept until the group has been encoded, and
/// random letters are encoded in 60 % of their bytes.
const fn group_memory_bytes(bytes: u64) -> u64 {
    bytes / 2 * 3
}

/// The limit in bytes for this many threads below which large blocks are returned to the system when they are freed:
/// what threads keep of the memory that they freed would exceed the limit.
const fn tight_limit_bytes(threads: u64) -> u64 {
    (128 << 20) + threads * (32 << 20)
}

/// The size of a row group below which a run uses only one thread.
const SMALL_GROUP_BYTES: u64 = 12 << 20;

/// The lowest limit that a user can set: 64 MiB.
pub const MINIMUM: ByteSize = ByteSize(64 << 20);

/// The memory limit of a run in bytes, and the source of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// The limit from the options.
    Given(u64),
    /// The limit of the container's control group, or of this process (`ulimit -v`).
    Container(u64),
    /// There is no limit.
    None,
}

impl MemoryLimit {
    /// The limit from the options, or the limit of this process or its control group.
    ///
    /// # Errors
    ///
    /// The limit is lower than [`MINIMUM`].
    pub fn find(given: Option<ByteSize>) -> Result<MemoryLimit, OptionError> {
        match given {
            Some(limit) if limit < MINIMUM => {
                let problem = format!("a run needs at least {MINIMUM}");
                Err(OptionError::new(options::MEMORY_LIMIT, problem).with_value(limit))
            }
            Some(ByteSize(limit)) => {
                let most = address_space::usable_bytes().unwrap_or(u64::MAX);
                Ok(MemoryLimit::Given(limit.min(most.max(MINIMUM.0))))
            }
            None => {
                let limits = [container::container_limit(), address_space::usable_bytes()];
                let tightest = limits.into_iter().flatten().min();
                Ok(tightest.map_or(MemoryLimit::None, MemoryLimit::Container))
            }
        }
    }
}

/// The maximum numbers of threads, batches and row groups in progress, so that a run stays below its memory
/// limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The number of worker threads.
    pub threads: usize,
    /// The maximum number of batches that have been read, and whose rows are not in a row group yet.
    pub batches: usize,
    /// The maximum number of row groups that are being encoded. If there are more, the reader waits.
    pub groups: usize,
    /// The size limit of row groups in bytes; `None` for the usual size.
    pub group_bytes: Option<usize>,
    /// The memory in bytes for small objects of stores that are fetched before their turn.
    pub object_bytes: u64,
    /// The memory in bytes for the parts of uploads to a store.
    pub upload_bytes: u64,
    /// Whether threads return freed memory to the system, which takes time.
    pub returns_freed_memory: bool,
}

impl MemoryPlan {
    /// The number of batches in progress for a table with this many carried columns. It is lower if each
    /// batch takes more memory than usual.
    pub(super) fn batches_for_columns(&self, columns: usize) -> usize {
        let extra_bytes_per_batch = match (columns as u64).saturating_sub(USUAL_COLUMNS) {
            0 => 0,
            extra_columns => FIELD_BYTES_PER_BATCH + extra_columns * BYTES_PER_COLUMN,
        };
        let batches =
            self.batches as u64 * BYTES_PER_BATCH / (BYTES_PER_BATCH + extra_bytes_per_batch);
        let batches = usize::try_from(batches).unwrap_or(self.batches);
        batches.max(2).min(self.batches)
    }

    /// The number of row groups in progress for a table with this many carried columns. It is lower if the columns take
    /// the memory of groups.
    pub(super) fn groups_for_columns(&self, columns: usize) -> usize {
        let extra_bytes = columns as u64 * BYTES_PER_TABLE_COLUMN;
        let bytes_per_group = group_memory_bytes(self.group_bytes.unwrap_or(GROUP_BYTES) as u64);
        if columns as u64 > USUAL_COLUMNS && *self != MemoryPlan::without_limit(self.threads) {
            self.groups
                .saturating_sub(extra_bytes.div_ceil(bytes_per_group) as usize)
        } else {
            self.groups
        }
    }

    /// The sizes of the pieces of an input for a run with this number of batches in progress. `None` for a single thread:
    /// the reader thread then decodes the batches, so that the worker does not wait for it.
    pub(super) fn piece_limits(&self, batches: usize) -> Option<PieceLimits> {
        // Each worker has two pieces.
        let has_no_limit = *self == MemoryPlan::without_limit(self.threads);
        let per_piece = (batches / (2 * self.threads)).clamp(1, MOST_BATCHES_PER_PIECE);
        (self.threads > 1).then_some(PieceLimits {
            batches: per_piece,
            most_batches: (batches / 4).max(1),
            page_bytes: if has_no_limit {
                MOST_PAGE_BYTES
            } else {
                BYTES_PER_THREAD
            },
            keeps_decoded: has_no_limit,
        })
    }

    /// The number of tasks of the reader thread whose results are in memory, in a run with this number of batches in
    /// progress, as which they count. `None` for a single thread, and if there are too few batches.
    pub(super) fn tasks_ahead(&self, batches: usize) -> Option<usize> {
        (self.threads > 1 && batches > 2).then_some((batches / 4).max(1))
    }

    /// The number of inputs that workers open before their turn, in a run with this number of batches in progress. Each
    /// has its first batch in memory.
    pub(super) fn inputs_ahead(&self, batches: usize) -> usize {
        if self.threads > 1 && *self == MemoryPlan::without_limit(self.threads) {
            batches / 4
        } else {
            0
        }
    }

    /// A plan that keeps this many threads busy, without a memory limit.
    pub fn without_limit(threads: usize) -> MemoryPlan {
        let threads = threads.max(1);
        MemoryPlan {
            threads,
            // Each worker has two batches. As many batches again wait until an earlier batch is written.
            batches: 4 * threads + 4,
            groups: threads + 1,
            group_bytes: None,
            object_bytes: MOST_OBJECT_BYTES,
            upload_bytes: MOST_UPLOAD_BYTES,
            returns_freed_memory: false,
        }
    }

    /// The plan of a run that writes to a store, with an eighth of the limit for the parts of uploads. If this would make
    /// row groups smaller, which changes the output, the uploads take 16 MiB beyond the limit instead.
    ///
    /// # Errors
    ///
    /// Those of [`MemoryPlan::with_records_of`].
    pub fn with_uploads(
        longest: u64,
        limit: MemoryLimit,
        threads: usize,
    ) -> Result<MemoryPlan, OptionError> {
        let plan = MemoryPlan::with_records_of(longest, limit, threads)?;
        let upload_bytes = |bytes: u64| (bytes / 8).clamp(LEAST_UPLOAD_BYTES, MOST_UPLOAD_BYTES);
        let (upload_bytes, rest) = match limit {
            MemoryLimit::None => return Ok(plan),
            MemoryLimit::Given(bytes) => {
                let uploads = upload_bytes(bytes);
                (uploads, MemoryLimit::Given(bytes.saturating_sub(uploads)))
            }
            MemoryLimit::Container(bytes) => {
                let uploads = upload_bytes(bytes);
                let rest = bytes.saturating_sub(uploads);
                (uploads, MemoryLimit::Container(rest))
            }
        };
        if plan.upload_bytes >= upload_bytes {
            return Ok(plan);
        }
        Ok(match MemoryPlan::with_records_of(longest, rest, threads) {
            Ok(with_room) if with_room.group_bytes == plan.group_bytes => MemoryPlan {
                upload_bytes,
                ..with_room
            },
            _ => MemoryPlan {
                upload_bytes: LEAST_UPLOAD_BYTES,
                ..plan
            },
        })
    }

    /// The plan for records of up to `longest` bytes, one of which may be in each batch.
    ///
    /// # Errors
    ///
    /// The limit has no room for two such batches.
    pub fn with_records_of(
        longest: u64,
        limit: MemoryLimit,
        threads: usize,
    ) -> Result<MemoryPlan, OptionError> {
        let Some(extra_bytes_per_batch) = longest
            .checked_sub(MAX_RECORD_BYTES)
            .filter(|bytes| *bytes > 0)
        else {
            return Ok(MemoryPlan::new(limit, threads));
        };
        // Such a long record is in memory twice: as it was read, and as fields.
        let extra_bytes_per_batch = extra_bytes_per_batch.saturating_mul(2);
        let bytes = match limit {
            MemoryLimit::None => return Ok(MemoryPlan::without_limit(threads)),
            MemoryLimit::Given(bytes) | MemoryLimit::Container(bytes) => bytes,
        };
        let rest_after_batches =
            |batches: u64| bytes.checked_sub(extra_bytes_per_batch.saturating_mul(batches));
        // Fewer threads need fewer batches. The loop finds the highest number of threads that leaves enough
        // memory for the rest of the plan.
        for threads in (1..=threads.max(1)).rev() {
            let batches = threads as u64 + 1;
            let Some(rest) = rest_after_batches(batches).filter(|rest| *rest >= MINIMUM.0) else {
                continue;
            };
            let plan = MemoryPlan::new(
                match limit {
                    MemoryLimit::Container(_) => MemoryLimit::Container(rest),
                    _ => MemoryLimit::Given(rest),
                },
                threads,
            );
            return Ok(MemoryPlan {
                batches: plan.batches.min(threads + 1),
                ..plan
            });
        }
        let limit = ByteSize(bytes);
        let problem = format!("the memory limit of {limit} has no room for two such records");
        Err(OptionError::new(options::MAX_RECORD_BYTES, problem).with_value(ByteSize(longest)))
    }

    /// A plan that keeps this many threads busy, or fewer if the limit has no room for them.
    pub fn new(limit: MemoryLimit, threads: usize) -> MemoryPlan {
        let unlimited = MemoryPlan::without_limit(threads);
        let (limit, may_shrink) = match limit {
            MemoryLimit::None => return unlimited,
            MemoryLimit::Given(limit) => (limit, true),
            // The memory of a container also includes cached pages of files and memory of the kernel, so the
            // plan uses 90 % of the limit.
            MemoryLimit::Container(limit) => (limit / 10 * 9, false),
        };
        let bytes_per_thread = BYTES_PER_THREAD + BYTES_PER_BATCH;
        // The reader fills one batch in addition to those that count as in progress, so its memory is subtracted.
        let free_bytes = limit.saturating_sub(BASE_BYTES + BYTES_PER_BATCH);
        let bytes_per_group = group_memory_bytes(GROUP_BYTES as u64);
        let few_threads =
            if free_bytes < 2 * bytes_per_thread + group_memory_bytes(SMALL_GROUP_BYTES) {
                1
            } else {
                unlimited.threads.min(2) as u64
            };
        if may_shrink && free_bytes < few_threads * bytes_per_thread + bytes_per_group {
            let bytes_for_group = free_bytes.saturating_sub(few_threads * bytes_per_thread);
            return MemoryPlan {
                threads: few_threads as usize,
                batches: few_threads as usize + 1,
                groups: 0,
                group_bytes: Some((bytes_for_group / 3 * 2) as usize),
                object_bytes: LEAST_OBJECT_BYTES,
                upload_bytes: LEAST_UPLOAD_BYTES,
                returns_freed_memory: true,
            };
        }
        let threads = (free_bytes.saturating_sub(bytes_per_group) / bytes_per_thread)
            .clamp(1, unlimited.threads as u64);
        let free_bytes = free_bytes.saturating_sub(bytes_per_group + threads * bytes_per_thread);
        // One third of the remaining memory is for batches, and two thirds are for row groups.
        let extra_batches =
            (free_bytes / 3 / BYTES_PER_BATCH).min(unlimited.batches as u64 - threads - 1);
        let free_bytes = free_bytes - extra_batches * BYTES_PER_BATCH;
        let groups = ((free_bytes / bytes_per_group) as usize).min(unlimited.groups);
        let free_bytes = free_bytes - groups as u64 * bytes_per_group;
        let object_bytes = (LEAST_OBJECT_BYTES + free_bytes).min(MOST_OBJECT_BYTES);
        let free_bytes = free_bytes - (object_bytes - LEAST_OBJECT_BYTES);
        MemoryPlan {
            threads: threads as usize,
            batches: (threads + 1 + extra_batches) as usize,
            groups,
            group_bytes: None,
            object_bytes,
            upload_bytes: free_bytes.clamp(LEAST_UPLOAD_BYTES, MOST_UPLOAD_BYTES),
            returns_freed_memory: limit < tight_limit_bytes(threads),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed_bytes(plan: MemoryPlan) -> u64 {
        let bytes_per_group = group_memory_bytes(plan.group_bytes.unwrap_or(GROUP_BYTES) as u64);
        let groups = (plan.groups as u64 + 1) * bytes_per_group;
        BASE_BYTES
            + plan.threads as u64 * BYTES_PER_THREAD
            + plan.batches as u64 * BYTES_PER_BATCH
            + groups
            + plan.object_bytes.saturating_sub(LEAST_OBJECT_BYTES)
    }

    #[test]
    fn every_plan_stays_below_its_limit_and_can_work() {
        for mebibytes in 64..6_000 {
            for threads in [1, 2, 3, 8, 16, 64, 1024] {
                let limit = mebibytes << 20;
                let unlimited = MemoryPlan::without_limit(threads);
                let plan = MemoryPlan::new(MemoryLimit::Given(limit), threads);
                let case_text = format!("{mebibytes} MiB, {threads} threads: {plan:?}");
                assert!(needed_bytes(plan) <= limit, "{case_text}");
                assert!(
                    plan.threads >= 1 && plan.batches > plan.threads,
                    "{case_text}"
                );
                assert!(
                    plan.batches <= unlimited.batches && plan.groups <= unlimited.groups,
                    "{case_text}"
                );
                assert!(
                    plan.group_bytes.is_none_or(|bytes| bytes >= 8 << 20),
                    "{case_text}"
                );
                if needed_bytes(unlimited) <= limit / 3 {
                    assert_eq!(plan, unlimited, "{case_text}");
                }
            }
        }
    }

    #[test]
    fn the_memory_limit_of_a_container_does_not_change_the_output() {
        for mebibytes in 1..300 {
            let plan = MemoryPlan::new(MemoryLimit::Container(mebibytes << 20), 4);
            assert_eq!(plan.group_bytes, None);
            assert!(plan.threads >= 1 && plan.batches >= 2);
        }
        let two_threads = MemoryPlan::new(MemoryLimit::Given(256 << 20), 2);
        assert_eq!(two_threads.group_bytes, None);
        assert_eq!(two_threads.threads, 2);
        let sixteen = MemoryPlan::new(MemoryLimit::Given(256 << 20), 16);
        assert_eq!((sixteen.threads, sixteen.group_bytes), (10, None));
    }

    #[test]
    fn longer_records_take_their_share_of_the_limit() {
        let given_limit = |mebibytes: u64| MemoryLimit::Given(mebibytes << 20);
        for mebibytes in [64, 256, 1000] {
            let usual_plan = MemoryPlan::new(given_limit(mebibytes), 8);
            let plan_with_small_records =
                MemoryPlan::with_records_of(1 << 20, given_limit(mebibytes), 8);
            assert_eq!(plan_with_small_records.unwrap(), usual_plan);
        }
        for (mebibytes, record) in [(256, 16), (256, 32), (4000, 256), (1000, 2)] {
            let plan =
                MemoryPlan::with_records_of(record << 20, given_limit(mebibytes), 8).unwrap();
            let records = 2 * (record - 1) * plan.batches as u64;
            assert!(
                needed_bytes(plan) + (records << 20) <= mebibytes << 20,
                "{plan:?}"
            );
            assert!(plan.batches > plan.threads);
        }
        let error = MemoryPlan::with_records_of(1 << 30, given_limit(256), 8).unwrap_err();
        assert!(
            error.option == options::MAX_RECORD_BYTES && error.value.as_deref() == Some("1.0 GiB"),
            "{error}"
        );
    }

    #[test]
    fn uploads_have_their_share_unless_it_changes_the_output() {
        let mut first_with_room = None;
        for mebibytes in 64..3_000 {
            let limit = MemoryLimit::Given(mebibytes << 20);
            let plan = MemoryPlan::with_records_of(0, limit, 4).unwrap();
            let with_uploads = MemoryPlan::with_uploads(0, limit, 4).unwrap();
            assert_eq!(with_uploads.group_bytes, plan.group_bytes);
            let all_bytes = needed_bytes(with_uploads) + with_uploads.upload_bytes;
            let has_room = all_bytes <= mebibytes << 20;
            if has_room {
                first_with_room = first_with_room.or(Some(mebibytes));
            } else {
                assert_eq!(with_uploads.upload_bytes, LEAST_UPLOAD_BYTES);
            }
            assert_eq!(has_room, first_with_room.is_some(), "{mebibytes}");
        }
        assert_eq!(first_with_room, Some(182));
    }

    #[test]
    fn too_little_is_refused() {
        let error = MemoryLimit::find(Some(ByteSize::mib(63))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`memory_limit` = 63.0 MiB: a run needs at least 64.0 MiB"
        );
    }
}
