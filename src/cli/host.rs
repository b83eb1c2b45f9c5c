//! The program that runs a command. It is the command line, or another program, such as Python, that has called the
//! command on one of its threads.
//!
//! A called command prints nothing, installs no signal handlers, and leaves the settings of the process as they are.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use sudoku_pipeline::write::capture_texts;

thread_local! {
    /// The flag that ends the called command which this thread runs; `None` if the command line runs the command.
    static STOP: RefCell<Option<Arc<AtomicUsize>>> = const { RefCell::new(None) };
}

/// Runs the work of a command that another program has called. Returns its result, and the texts that the command line
/// would print. `stop` is the flag that ends the work.
pub(super) fn called<T>(stop: Arc<AtomicUsize>, work: impl FnOnce() -> T) -> (T, Vec<u8>) {
    STOP.set(Some(stop));
    let result = capture_texts(work);
    STOP.set(None);
    result
}

/// Whether another program has called the command.
pub(super) fn is_called() -> bool {
    STOP.with_borrow(Option::is_some)
}

/// The flag that ends the work of a called command; `None` if the command line runs it.
pub(super) fn stop() -> Option<Arc<AtomicUsize>> {
    STOP.with_borrow(Clone::clone)
}
