//! One puzzle, one position or one technique, explained to a person.
//!
//! ```text
//! text → Explanation: the waves of a grade, or one position, or a technique's manual
//!             │ each wave with the simplest steps that together are its effect
//!             └→ text for a terminal, one HTML page; the fields are public for other forms
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
pub(crate) use html::{document, escape, table};
pub use library::{EffectMatch, LibraryPosition};
pub use manual::{ABOUT_SEARCH, Manual};
pub use rated::{RatedStep, RatedWalk};
pub use technique::technique_ids;
pub(crate) use technique::{name, place};
pub use text::TextOptions;
pub use walk::{ColumnValue, Walk, Wave};
pub use words::why;

/// The style of pages that show drawings of boards, such as those of [`Walk::hardest_figure`]. It has
/// colours for light and dark as variables.
pub const PAGE_STYLE: &str = html::STYLE;
