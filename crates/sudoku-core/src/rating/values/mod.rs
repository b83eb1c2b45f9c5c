//! The types of rating values: a rating, the three ratings of a puzzle, ranges, limits, and the nodes of chains.

mod chain_node;
pub(super) mod names;
mod range;
mod ratings;
mod running_ratings;
mod score_range;

pub use chain_node::{ChainCause, ChainNode};
pub(crate) use names::reason;
#[cfg(test)]
pub(crate) use names::technique_names;
pub use range::{RatingRange, RatingRangeError};
pub use ratings::{ParseRatingError, Rating, RatingLimits, RatingOutcome, Ratings};
pub(super) use running_ratings::RunningRatings;
pub use score_range::{ScoreRange, ScoreRangeError};
