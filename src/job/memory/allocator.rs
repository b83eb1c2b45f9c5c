//! Sets the thresholds of glibc's allocator. Other allocators are not affected.
//!
//! glibc maps a block of memory that is larger than a threshold by a system call, and returns it to the system when it is
//! freed. Smaller blocks stay with the thread that allocated them. The default threshold (128 KiB) grows with the blocks
//! that are freed, until it is set (mallopt(3)).

#[cfg(all(target_os = "linux", target_env = "gnu"))]
use libc::{M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, c_int};

/// The maximum number of heaps. By default, each thread has its own, and what one frees is of no use to the others: 16
/// threads took 410 MB instead of 370 MB in a `convert` of 10 million rows of puzzles and solutions.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_ARENAS: c_int = 8;

/// Makes threads keep freed memory for the next batch. Called in runs without a tight memory limit. With the default, every
/// batch causes page faults when it allocates its blocks again: 33,000 instead of 7,000 in a `convert` of 200,000 rows, a
/// quarter of its processor time.
pub(crate) fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    set_thresholds(4 << 20, 8 << 20);
}

/// Makes threads return large blocks to the system. Called in runs with a tight memory limit. Otherwise each thread keeps
/// what it once allocated: rows that one thread had decoded and another had freed took 157 MiB instead of 92 MiB in a
/// `convert` of texts of 6 kB with a limit of 128 MiB. The page faults cost such a run 3 % of the time of `grade`, and a
/// third of the time of `convert`.
pub(crate) fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    set_thresholds(128 << 10, 128 << 10);
}

/// Sets the size in bytes from which blocks are mapped, and the size of free memory at the end of the heap that is returned.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "libc is the only way to set the thresholds")]
fn set_thresholds(mapped: c_int, trimmed: c_int) {
    // SAFETY: mallopt has no preconditions: it locks the allocator, and sets a number.
    unsafe {
        libc::mallopt(M_MMAP_THRESHOLD, mapped);
        libc::mallopt(M_TRIM_THRESHOLD, trimmed);
        libc::mallopt(M_ARENA_MAX, MOST_ARENAS);
    }
}
