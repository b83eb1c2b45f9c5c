//! Tables that are looked at as a whole, by polars' streaming engine.
//!
//! ```text
//! names ─ TableSet::open ─ measure ─▶ Statistics
//! ```

mod columns;
mod engine;
mod groups;
mod local;
mod measure;
mod open;
mod rejects;
mod repeats;
mod runs;
mod scan;
mod source;
mod union;
mod values;

pub use measure::Measure;
pub use open::{OpenedTable, TableSet};
pub use source::{Content, content_of, merged, statistics_of};
