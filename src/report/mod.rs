//! Stage 7 of 7: what a run did, in numbers.

mod summary;
mod tally;

pub use summary::{Resources, Summary};
pub use tally::Tally;
