//! The memory that limits on this process leave (`ulimit -v`, `ulimit -d`).
//!
//! An allocation beyond such a limit aborts the process, and no code of this program runs after that. So a run under a
//! tight limit is refused at its start, and the memory plan of other runs includes the limit.

use bytesize::ByteSize;
use nix::sys::resource::{Resource, getrlimit};

use crate::error::StartError;

/// The memory in bytes that a run of one thread needs beyond what is mapped when it starts. Much of it is address space
/// that the allocator and the stacks of threads reserve without using it.
const NEEDED_BYTES: u64 = 96 << 20;

/// The limits, with the commands of a shell that set them, and the lines of `/proc/self/status` with what counts
/// against them, in KiB.
const LIMITS: [(Resource, &str, &str); 2] = [
    (Resource::RLIMIT_AS, "ulimit -v", "VmSize:"),
    (Resource::RLIMIT_DATA, "ulimit -d", "VmData:"),
];

/// Limits from here on are none.
const NO_LIMIT: u64 = 1 << 60;

/// A limit on the memory of this process.
#[derive(Clone, Copy)]
struct Limit {
    command: &'static str,
    limit: u64,
    /// What the limit leaves.
    free: u64,
}

/// The limit that leaves the least memory; `None` if there is no limit.
fn tightest_limit() -> Option<Limit> {
    let limits = LIMITS.map(|limit| (limit, getrlimit(limit.0).map_or(u64::MAX, |(soft, _)| soft)));
    if limits.iter().all(|(_, limit)| *limit >= NO_LIMIT) {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let used_bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes << 10)
    };
    let limits = limits
        .into_iter()
        .filter_map(|((_, command, name), limit)| {
            let free = limit.saturating_sub(used_bytes(name).unwrap_or(0));
            (limit < NO_LIMIT).then_some(Limit {
                command,
                limit,
                free,
            })
        });
    limits.min_by_key(|limit| limit.free)
}

/// The memory in bytes that a run may use under the limits: half of what they leave. The other half is address space that
/// the allocator and the stacks reserve without using it. `None` if there is no limit.
pub(crate) fn usable_bytes() -> Option<u64> {
    tightest_limit().map(|limit| limit.free / 2)
}

/// Refuses a run that would meet a limit of the memory of this process. Otherwise, if there is a limit, the process ends
/// with exit code 1 if an allocation fails, instead of a signal and a core dump.
///
/// # Errors
///
/// A limit leaves too little memory.
pub fn check() -> Result<(), StartError> {
    let Some(Limit {
        command,
        limit,
        free,
    }) = tightest_limit()
    else {
        return Ok(());
    };
    if free < NEEDED_BYTES {
        return Err(StartError::Memory {
            limit: ByteSize(limit),
            needed: ByteSize(limit - free + NEEDED_BYTES),
            kibibytes: (limit - free + NEEDED_BYTES).div_ceil(1024),
            command,
        });
    }
    let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let failed = i32::from(crate::error::exit_code::FAILED);
    // If the handler cannot be installed, a failed allocation aborts the process as it would without it.
    let _ = signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGABRT,
        failed,
        always,
    );
    Ok(())
}
