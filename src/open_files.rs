//! The limit on the number of files that this process may have open.

use std::io;

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// A limit that every system accepts. macOS reports a hard limit, but refuses to set it as the soft limit.
const ACCEPTED_LIMIT: u64 = 10_240;

/// Raises the limit of open files as far as the system permits. By default it is low, for the sake of old programs: 256
/// on macOS, 1,024 on Linux.
pub fn raise_limit() {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard
        && setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_err()
    {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(ACCEPTED_LIMIT), hard);
    }
}

/// The number of files that this process may have open.
pub(crate) fn limit() -> usize {
    let limit = getrlimit(Resource::RLIMIT_NOFILE).map_or(ACCEPTED_LIMIT, |(soft, _)| soft);
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// The text of an error of the system for a message. If the error is that too many files are open, the text has the
/// limit and says how to raise it.
pub(crate) fn error_text(error: &io::Error) -> String {
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::EMFILE) => format!(
            "too many open files: this process may have {}; raise the limit with ulimit -n",
            limit()
        ),
        _ => error.to_string(),
    }
}
