//! Explains puzzles, positions, techniques and ratings to people.
//!
//! ```text
//! text → Explanation: the waves of a grade, a position, a technique's manual, or the steps of a rating
//!             │ each wave has the simplest steps that together have its effect
//!             └→ text for a terminal, or one HTML page; other outputs can use the public fields
//! ```
//!
//! A wave is all steps that one technique finds on a board. The waves are those of
//! [`Ladder::grade`](crate::grade::Ladder::grade), so an explanation agrees with the columns of tables that
//! have grades.

mod boards;
mod chained;
mod choose;
mod error;
mod explanation;
mod html;
mod library;
mod manual;
mod markdown;
mod rated;
mod role;
mod shown;
mod step_board;
mod technique;
mod text;
mod walk;
mod words;

pub use error::ExplainError;
pub use explanation::Explanation;
pub use html::{board_svg, escape_html};
pub use library::{EffectMatch, LibraryPosition};
pub use manual::{ABOUT_SEARCH, Manual};
pub use rated::{RatedOutcome, RatedStep, RatedWalk, StepRating};
pub use step_board::StepBoard;
pub use technique::technique_ids;
pub use text::{DrawnBoard, TextOptions, read_drawn_board};
pub use walk::{ColumnValue, SizedWalk, Walk, Wave};
pub use words::why;

/// The CSS of pages that show drawings of boards, such as [`Walk::hardest_figure`]. Its colours are
/// variables, with values for light and dark themes.
pub const PAGE_STYLE: &str = html::STYLE_SHEET;
