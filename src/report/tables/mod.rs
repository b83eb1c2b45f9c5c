//! Tables that are looked at as a whole, by polars' streaming engine.
//!
//! ```text
//! names ─ TableSet::open ─ measure ─▶ Statistics
//! ```

#[cfg(feature = "analytics")]
mod columns;
#[cfg(feature = "analytics")]
mod engine;
#[cfg(feature = "analytics")]
mod groups;
#[cfg(feature = "analytics")]
mod local;
#[cfg(feature = "analytics")]
mod measure;
#[cfg(feature = "analytics")]
mod open;
mod options;
#[cfg(feature = "analytics")]
mod rejects;
#[cfg(feature = "analytics")]
mod repeats;
#[cfg(feature = "analytics")]
mod runs;
#[cfg(feature = "analytics")]
mod scan;
mod source;
#[cfg(feature = "analytics")]
mod union;
#[cfg(feature = "analytics")]
mod values;

#[cfg(feature = "analytics")]
pub use open::{OpenedTable, TableSet};
pub use options::Measure;
pub use source::{Content, content_of, merged, statistics_of};
