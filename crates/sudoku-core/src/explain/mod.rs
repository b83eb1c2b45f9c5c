//! Explains puzzles, positions, techniques and ratings to people.
//!
//! ```text
//! text → Explanation: the waves of a grade, a position, a technique's manual, or the steps of a rating
//!             │ each wave has the simplest steps that together have its effect
//!             └→ text for a terminal, or one HTML page; other outputs can use the public fields
//! ```
//!
//! The waves are those of [`Ladder::grade`](crate::grade::Ladder::grade), so that an explanation agrees
//! with the columns of tables.

mod chained;
mod choose;
mod error;
mod explanation;
mod html;
mod library;
mod manual;
mod markdown;
mod outline;
mod rated;
mod refutation;
mod role;
mod technique;
mod text;
mod walk;
mod words;

pub use error::ExplainError;
pub use explanation::Explanation;
pub use html::board_svg;
pub(crate) use html::{
    DrawnBoard, Geometry, SharedParts, WaveSection, beside, board, defined, document, escape,
    figure_of_board, figures, in_rows, legend_of_all_sizes, solution_section, standalone, steps_on,
    table,
};
pub use library::{EffectMatch, LibraryPosition};
pub use manual::{ABOUT_SEARCH, Manual};
pub use rated::{RatedOutcome, RatedStep, RatedWalk, StepRating};
pub use technique::technique_ids;
pub(crate) use technique::{name, place};
pub use text::TextOptions;
pub(crate) use text::aligned;
pub(crate) use walk::grade_columns;
pub use walk::{ColumnValue, Walk, Wave};
pub(crate) use words::verdict;
pub use words::why;

/// The CSS of pages that show drawings of boards, such as [`Walk::hardest_figure`]. Its colours are
/// variables, with values for light and dark themes.
pub const PAGE_STYLE: &str = html::STYLE;
