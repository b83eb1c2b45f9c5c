//! Sets the thresholds of glibc's allocator.
//!
//! Each batch frees blocks of memory that the next batch allocates again. With glibc's default threshold (128 KiB),
//! every thread returns such blocks to the system, and every batch causes page faults when it allocates them again:
//! 33,000 instead of 7,000 in a `convert` of 200,000 rows, a quarter of its processor time.

/// The size in bytes of a block that is allocated and freed at the start of the process. When a mapped block is
/// freed, glibc raises the mmap threshold to the block's size, and the trim threshold to twice its size
/// (`M_MMAP_THRESHOLD` in mallopt(3), "dynamic").
const BLOCK_BYTES: usize = 4 << 20;

/// Makes glibc keep freed memory for the next batch. Called in runs without a tight memory limit. Other allocators are
/// not affected.
pub(crate) fn keep_freed_memory() {
    // Freeing the block raises the thresholds. Its pages are never written, and so take no memory.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(BLOCK_BYTES)));
}
