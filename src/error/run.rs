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

impl StartError {
    /// Whether the system refuses to start a thread. A retry can help, when other programs have ended.
    pub fn is_about_threads(&self) -> bool {
        matches!(
            self,
            StartError::Threads { .. } | StartError::ReaderThread(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::error::{Error, exit_code};

    /// It was exit code 2, which schedulers take as final.
    #[test]
    fn threads_that_the_system_refuses_are_worth_a_retry() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
        let pool = pool.spawn_handler(|_| Err(io::Error::from(io::ErrorKind::WouldBlock)));
        let Err(error) = pool.build() else {
            panic!("no thread has been started")
        };
        let errors = [
            StartError::Threads { threads: 2, error },
            StartError::ReaderThread(io::ErrorKind::WouldBlock.into()),
        ];
        for error in errors {
            assert_eq!(Error::from(error).exit_code(), exit_code::FAILED);
        }
    }
}
