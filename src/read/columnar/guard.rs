//! Panics of the crates that decode columnar files become errors.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether a panic on this thread is caught and becomes an error.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics that damaged Parquet and Arrow files cause in the crates that decode them, and that
/// this crate turns into errors, off standard error. For the start of a program.
pub fn quiet_guarded_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !GUARDED.get() {
            usual(panic);
        }
    }));
}

/// The crates that decode these formats answer some damage, above all in the embedded Arrow schema,
/// with a panic: here it becomes an error like the others, made of its text. Nothing that took part
/// may be used after it.
pub(super) fn guarded<T, E>(
    decode: impl FnOnce() -> Result<T, E>,
    panicked: impl FnOnce(String) -> E,
) -> Result<T, E> {
    GUARDED.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    decoded.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(panicked(text.unwrap_or("panic").to_owned()))
    })
}
