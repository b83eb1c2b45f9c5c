//! The values of ratings: a rating, the three ratings of a puzzle, ranges, limits and the nodes of chains.

mod chain_node;
mod range;
mod ratings;
mod running_ratings;
mod score_range;

pub use chain_node::{ChainCause, ChainNode};
pub use range::{RatingRange, RatingRangeError};
pub use ratings::{ParseRatingError, Rating, RatingLimits, RatingOutcome, Ratings};
pub(super) use running_ratings::RunningRatings;
pub use score_range::{ScoreRange, ScoreRangeError};
