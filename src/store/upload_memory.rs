//! The limit for the memory of uploads, for all of them together.

use std::sync::atomic::{AtomicU64, Ordering};

/// The memory in bytes that uploads need at least: a part that fills, and one that is being sent.
pub(crate) const LEAST_UPLOAD_BYTES: u64 = 16 << 20;

/// The memory in bytes that uploads take at most, even without a memory limit.
pub(crate) const MOST_UPLOAD_BYTES: u64 = 256 << 20;

static UPLOAD_BYTES: AtomicU64 = AtomicU64::new(MOST_UPLOAD_BYTES);

/// Sets the memory in bytes that the parts of all uploads of this process take together. Parts that have no room wait in
/// temporary files.
pub fn limit_upload_memory(bytes: u64) {
    UPLOAD_BYTES.store(
        bytes.clamp(LEAST_UPLOAD_BYTES, MOST_UPLOAD_BYTES),
        Ordering::Relaxed,
    );
}

/// The memory in bytes that the parts of all uploads may take.
#[cfg(feature = "cloud")]
pub(super) fn upload_memory() -> u64 {
    UPLOAD_BYTES.load(Ordering::Relaxed)
}
