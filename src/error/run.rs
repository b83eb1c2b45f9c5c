//! Errors that prevent a run from starting. Starting it later can succeed, if other programs have ended by then.

/// A run cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The operating system does not start this many threads.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The error of the operating system.
        #[source]
        error: rayon::ThreadPoolBuildError,
    },
    /// The operating system does not start the reader thread.
    #[error("cannot start the reader thread: {0}")]
    ReaderThread(#[source] std::io::Error),
    /// A limit on the memory of this process leaves too little for a run.
    #[error(
        "this process may have {limit} of memory, and a run needs {needed}: raise the limit, as with {command} {kibibytes}"
    )]
    Memory {
        /// The limit.
        limit: bytesize::ByteSize,
        /// The lowest limit with which a run can start.
        needed: bytesize::ByteSize,
        /// The same in KiB, which shells take.
        kibibytes: u64,
        /// The command of a shell that sets the limit.
        command: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::error::{Error, exit_code};

    /// Regression test: the exit code was 2, which tells schedulers not to try again.
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
