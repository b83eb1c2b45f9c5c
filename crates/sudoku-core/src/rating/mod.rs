//! The exact ratings of Sudoku Explainer 1.2.1: ER, EP and ED.
//!
//! The numbers equal those of `serate` 1.2.1.2, which the lists in forums and the Patterns Game use.
//! In this module, a "producer" searches for one or several techniques of that program, and a "hint"
//! is a deduction with its rating. Other programs called Sudoku Explainer have other techniques and
//! give other numbers.
//!
//! ```text
//! until the puzzle is solved:
//!     ask the producers in order; the first one that finds anything gives one hint
//!     ER = max(ER, rating of the hint); apply the hint
//! ED is the rating of the first hint, EP the highest rating up to the first placement
//! ```
//!
//! ```
//! use sudoku_core::Puzzle;
//! use sudoku_core::rating::{RatingLimits, Rater};
//!
//! let puzzle: Puzzle =
//!     "1..........34..2...2..5..3..1.3.6.....4.2.7.....5...8..3..6..9...2..78..........4".parse()?;
//! let mut rater = Rater::new();
//! let ratings = rater.rate(&puzzle.board(), RatingLimits::default()).ratings().expect("at most 9.0");
//! assert_eq!(ratings.puzzle.to_string(), "6.6");
//! # Ok::<(), sudoku_core::text::ParseError>(())
//! ```
//!
//! A rating depends on how a puzzle is written, because the order of the search decides which of several hints is
//! used. So isomorphs of a puzzle can have different ratings. To compare puzzles, rate their min-lex forms, which
//! are the same for all isomorphs.

// The modules in order of dependence: each module uses only modules above it.

mod values;

mod budget;

mod board;

mod hint;

mod subsets;

mod producers;

mod chains;

mod workspace;

mod order;

mod apply_easy;

mod bulk;

mod rate;

mod trace;

pub mod hodoku;

#[cfg(test)]
mod tests;

pub use rate::Rater;
pub use trace::{RatingStep, RatingTrace};
pub(crate) use values::reason;
#[cfg(test)]
pub(crate) use values::technique_names;
pub use values::{
    ChainCause, ChainNode, ParseRatingError, Rating, RatingLimits, RatingOutcome, RatingRange,
    RatingRangeError, Ratings, ScoreRange, ScoreRangeError,
};
