//! The program that runs a command. It is the command line, or another program, such as Python, that has called the
//! command on one of its threads.
//!
//! A called command prints nothing, installs no signal handlers, and leaves the settings of the process as they are.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use sudoku_pipeline::write::capture_texts;

use super::run::CalledAudit;

thread_local! {
    /// The called command that this thread runs; `None` if the command line runs the command.
    static CALLED: RefCell<Option<Called>> = const { RefCell::new(None) };
}

/// How another program has called the command.
pub(super) struct Called {
    /// The flag that ends the work.
    pub(super) stop: Arc<AtomicUsize>,
    /// Whether the work takes place on this thread.
    pub(super) on_caller: bool,
    /// The results of an audit, whose texts are made later.
    pub(super) audit: Option<CalledAudit>,
}

/// Runs the work of a command that another program has called. Returns its result, the texts that the command line
/// would print, and the results of an audit.
pub(super) fn called<T>(
    called: Called,
    work: impl FnOnce() -> T,
) -> (T, Vec<u8>, Option<CalledAudit>) {
    CALLED.set(Some(called));
    let (result, texts) = capture_texts(work);
    let audit = CALLED.take().and_then(|called| called.audit);
    (result, texts, audit)
}

/// Keeps the results of an audit for the program that has called it.
pub(super) fn keep_texts(audit: CalledAudit) {
    CALLED.with_borrow_mut(|called| {
        if let Some(called) = called {
            called.audit = Some(audit);
        }
    });
}

/// Whether another program has called the command.
pub(super) fn is_called() -> bool {
    CALLED.with_borrow(Option::is_some)
}

/// The flag that ends the work of a called command; `None` if the command line runs it.
pub(super) fn stop() -> Option<Arc<AtomicUsize>> {
    CALLED.with_borrow(|called| called.as_ref().map(|called| Arc::clone(&called.stop)))
}

/// Whether a called command starts no threads.
pub(super) fn on_caller() -> bool {
    CALLED.with_borrow(|called| called.as_ref().is_some_and(|called| called.on_caller))
}
