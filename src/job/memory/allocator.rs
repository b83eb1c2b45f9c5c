//! The thresholds of glibc's allocator.
//!
//! Each batch frees blocks that the next one allocates again. With glibc's default threshold (128
//! KiB), every thread returns them to the system, and every batch takes page faults for them:
//! 33,000 instead of 7,000 in a `convert` of 200,000 rows, a quarter of its processor time.

/// The size of a block that is freed once. Freeing a mapped block of this size raises the mmap
/// threshold to it, and the trim threshold to twice as much (`M_MMAP_THRESHOLD` in mallopt(3),
/// "dynamic").
const BLOCK: usize = 4 << 20;

/// Makes glibc keep freed memory for the next batch, for runs without a tight memory limit. Has no
/// effect on other allocators.
pub(crate) fn keep_freed_memory() {
    // Freeing a mapped block raises the thresholds. Its pages are never touched.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(BLOCK)));
}
