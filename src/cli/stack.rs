//! The stack of the thread that runs a command.

use sudoku_pipeline::error::exit_code;

use nix::sys::resource::{Resource, getrlimit};

/// The size in bytes of the stack that a command has room in. It is the usual size of the first thread's stack.
const STACK_BYTES: usize = 8 << 20;

/// A command is certain to have room in a stack of this size.
const ENOUGH_BYTES: u64 = 1 << 20;

/// Runs the work with a stack that is large enough. If `ulimit -s` gives the first thread a small one, the work runs on
/// another thread; the limit does not apply to its stack.
pub(super) fn with_room(work: impl FnOnce() -> u8 + Send) -> u8 {
    let is_small = getrlimit(Resource::RLIMIT_STACK).is_ok_and(|(soft, _)| soft < ENOUGH_BYTES);
    if !is_small {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or(exit_code::BUG),
            Err(error) => {
                eprintln!(
                    "error: a thread with a larger stack cannot be started: {error}: raise ulimit -s"
                );
                exit_code::FAILED
            }
        }
    })
}
