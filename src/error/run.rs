//! Errors that prevent a run from starting.

use bytesize::ByteSize;

/// A run cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The operating system does not start this many threads.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The error of the system.
        #[source]
        error: rayon::ThreadPoolBuildError,
    },
    /// The operating system does not start the reader thread.
    #[error("cannot start the reader thread: {0}")]
    ReaderThread(#[source] std::io::Error),
    /// The memory limit is too low for any run.
    #[error("--memory-limit {limit}: a run needs at least {least}")]
    LowMemory {
        /// The limit.
        limit: ByteSize,
        /// The lowest limit for a run.
        least: ByteSize,
    },
    /// The memory limit is too low for records as long as `--max-record-bytes` allows.
    #[error(
        "--max-record-bytes {longest}: the memory limit of {limit} has no room for two such records"
    )]
    LongRecords {
        /// The longest allowed record.
        longest: ByteSize,
        /// The limit.
        limit: ByteSize,
    },
}
