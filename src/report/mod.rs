//! Stage 7 of 7: what a run did, in numbers.

mod metrics;
mod summary;
mod tally;

pub use metrics::{Metrics, last_success};
pub use summary::{Resources, Summary};
pub use tally::Tally;
