//! The thresholds of glibc's allocator.
//!
//! Each batch frees blocks that the next one needs again. With glibc's first thresholds (128 KiB) every
//! thread gives them back to the system, and every batch meets them as page faults: 33,000 instead of
//! 7,000 in a `convert` of 200,000 rows, a quarter of its processor time.

/// A block of this size raises the threshold above which a block is mapped on its own; twice as much may
/// stay free at the end of a thread's arena (`M_MMAP_THRESHOLD` in mallopt(3), "dynamic").
const BLOCK: usize = 4 << 20;

/// Makes glibc keep freed memory for the next batch: for runs whose memory has no tight limit. Other
/// allocators do nothing.
pub(crate) fn keep_freed_memory() {
    // Freeing a mapped block raises the thresholds; its pages are never touched.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(BLOCK)));
}
