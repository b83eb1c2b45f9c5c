//! Reports the counts of runs and of tables: summaries, metrics, sheets, charts and pages. Nothing of the flow uses this
//! module.

mod explanation;
mod metrics;
pub mod page;
pub mod sheets;
mod summary;

pub use explanation::explanation_json;
pub use metrics::{Metrics, last_success};
pub use summary::{Resources, RunEnding, RunFiles, Summary};
