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
    /// What the command keeps for the program.
    pub(super) kept: Kept,
}

/// What a command keeps for the program that has called it.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) printed: Printed,
    /// The summary of the run as JSON.
    pub(super) summary: Option<String>,
    /// The results of an audit, whose texts are made later.
    pub(super) audit: Option<CalledAudit>,
}

pub(super) type MakeText = Box<dyn Fn() -> String + Send + Sync>;

/// The text that the command line would print. Tables are drawn when the text is wanted, because that takes longer than
/// the work on a few rows.
#[derive(Default)]
pub struct Printed {
    text: String,
    rest: Option<MakeText>,
}

impl Printed {
    /// Makes the text.
    pub fn text(&self) -> String {
        let rest = self.rest.as_ref().map(|make| make());
        self.text.clone() + rest.as_deref().unwrap_or_default()
    }
}

/// Runs the work of a command that another program has called. Returns its result, and what it has kept for the program.
pub(super) fn called<T>(called: Called, work: impl FnOnce() -> T) -> (T, Kept) {
    CALLED.set(Some(called));
    let (result, texts) = capture_texts(work);
    let mut kept = CALLED.take().map(|called| called.kept).unwrap_or_default();
    kept.printed.text = String::from_utf8_lossy(&texts).into_owned();
    (result, kept)
}

/// Keeps a text for the program that has called the command, after the texts that have been printed. Returns it if the
/// command line runs the command.
pub(super) fn keep_text(make: MakeText) -> Option<MakeText> {
    CALLED.with_borrow_mut(|called| match called {
        Some(called) => {
            called.kept.printed.rest = Some(make);
            None
        }
        None => Some(make),
    })
}

/// Keeps the summary of the run for the program that has called the command.
pub(super) fn keep_summary(summary: String) {
    CALLED.with_borrow_mut(|called| {
        if let Some(called) = called {
            called.kept.summary = Some(summary);
        }
    });
}

/// Keeps the results of an audit for the program that has called it.
pub(super) fn keep_texts(audit: CalledAudit) {
    CALLED.with_borrow_mut(|called| {
        if let Some(called) = called {
            called.kept.audit = Some(audit);
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
