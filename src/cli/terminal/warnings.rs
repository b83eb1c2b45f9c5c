//! Collects the warnings of a called command, which the program that calls it shows in its own way.

use std::cell::RefCell;
use std::fmt;
use std::sync::LazyLock;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber, dispatcher};

thread_local! {
    /// The warnings of the command that this thread runs.
    static WARNINGS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Runs work, and returns its result and the warnings that it has logged on this thread.
pub(crate) fn collected<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    // One for all calls, because a new one asks every place that logs anew.
    static COLLECTOR: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(Collector));
    WARNINGS.take();
    let result = dispatcher::with_default(&COLLECTOR, work);
    (result, WARNINGS.take())
}

/// Keeps warnings, and nothing else.
struct Collector;

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::WARN)
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message(String::new());
        event.record(&mut message);
        WARNINGS.with_borrow_mut(|warnings| warnings.push(message.0));
    }

    // There are no spans.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The text of an event.
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_warnings_of_this_work_are_collected() {
        tracing::warn!("before");
        let (result, warnings) = collected(|| {
            tracing::info!("a result");
            tracing::warn!(rows = 3, "{} rows are {:?}", 3, "odd");
            tracing::error!("an error");
            assert!(!tracing::enabled!(Level::INFO));
            7
        });
        assert_eq!(
            (result, warnings),
            (7, vec!["3 rows are \"odd\"".to_owned()])
        );
        assert_eq!(collected(|| ()).1, Vec::<String>::new());
    }
}
