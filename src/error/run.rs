//! Why a run cannot be started.

use bytesize::ByteSize;

/// Why a run cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The system refuses to start so many threads.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system said.
        #[source]
        error: rayon::ThreadPoolBuildError,
    },
    /// The system refuses to start the thread that reads.
    #[error("cannot start the reader thread: {0}")]
    ReaderThread(#[source] std::io::Error),
    /// The memory limit is too low for any run.
    #[error("--memory-limit {limit}: a run needs at least {least}")]
    LowMemory {
        /// The limit.
        limit: ByteSize,
        /// The lowest limit that a run can have.
        least: ByteSize,
    },
    /// The memory limit is too low for records of the length that may come.
    #[error(
        "--max-record-bytes {longest}: the memory limit of {limit} has no room for two such records \
         at a time"
    )]
    LongRecords {
        /// The longest record that may come.
        longest: ByteSize,
        /// The limit.
        limit: ByteSize,
    },
}
