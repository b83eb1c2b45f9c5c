//! Explanations as one HTML page without scripts and other files.
//!
//! ```text
//! document    the parts that all pages share: head, style, tables
//! parts       parts of drawings that a page repeats
//! geometry    the parts of drawn boards of all sizes
//! svg         drawings of 9 × 9 boards
//! figure      a drawing with its caption
//! section     the sections of a wave and of a solution
//! standalone  a board as a file of its own
//! folded      long lists of a caption
//! waves, rated, manual    the pages
//! ```

mod document;
mod figure;
mod folded;
mod geometry;
mod manual;
mod parts;
mod rated;
mod section;
mod standalone;
mod svg;
mod waves;

pub(super) use document::STYLE;
pub(crate) use document::{document, escape, in_rows, table};
pub(crate) use geometry::Geometry;
pub(super) use manual::manual;
pub(crate) use parts::SharedParts;
pub(super) use rated::rated;
pub(crate) use section::{WaveSection, beside, defined, figures, solution_section};
pub use standalone::board_svg;
pub(crate) use standalone::standalone;
pub(super) use waves::{library, puzzle};
