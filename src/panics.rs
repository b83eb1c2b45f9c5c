//! The handling of panics: expected panics of other crates become errors, and all others are reported as
//! bugs.
//!
//! ```text
//! expected(|| decode(damaged bytes))   → Err(text of the panic), nothing on standard error
//! anything else that panics            → calls `report` of `report_bugs` once, on the same thread
//! ```

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};

thread_local! {
    /// Whether code on this thread may panic. Its caller then turns the panic into an error, and no bug is reported.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Sets the function that reports panics as bugs. Panics that `expected` turns into errors are not reported. A program
/// calls this once, at its start.
pub fn report_bugs(report: impl Fn(&PanicHookInfo<'_>) + Send + Sync + 'static) {
    set_hook(Box::new(move |panic| {
        if !EXPECTED.get() {
            report(panic);
        }
    }));
}

/// Runs code of another crate that panics on damaged input, and turns the panic's message into an error. After a panic,
/// the values that the code used must not be used again.
pub(crate) fn expected<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer_expected = EXPECTED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(outer_expected);
    result.map_err(|panic| text_of(&*panic).to_owned())
}

/// Runs code of this program, and turns the message of a panic into an error. Used on threads whose panics would be
/// lost. The panic has been reported as a bug before this returns.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| text_of(&*panic).to_owned())
}

/// The message of a panic.
pub fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a text")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn only_panics_that_nobody_expects_are_reported() {
        const BUG: &str = "a bug, made by the test of the panic hook";
        let reported = Arc::new(AtomicUsize::new(0));
        let count = reported.clone();
        let default_hook = std::panic::take_hook();
        report_bugs(move |panic| {
            // Other tests may panic at the same time, so only this test's panic is counted.
            if text_of(panic.payload()) == BUG {
                count.fetch_add(1, Ordering::Relaxed);
            } else {
                default_hook(panic);
            }
        });
        assert_eq!(expected(|| 7), Ok(7));
        let nested = expected(|| {
            let inner = expected(|| panic!("{BUG}"));
            assert_eq!(inner, Err::<(), _>(BUG.to_owned()));
            panic!("{BUG}")
        });
        assert_eq!(nested, Err::<(), _>(BUG.to_owned()));
        assert_eq!(reported.load(Ordering::Relaxed), 0);
        assert_eq!(caught(|| panic!("{BUG}")), Err::<(), _>(BUG.to_owned()));
        assert_eq!(reported.load(Ordering::Relaxed), 1);
    }
}
