//! Explanations as a single HTML page without scripts and other files.
//!
//! ```text
//! document    the parts that all pages share: head, style, tables
//! parts       parts of drawings that a page repeats
//! geometry    the parts of drawn boards of all sizes
//! drawing     drawings of boards of all sizes
//! svg         steps on 9 × 9 boards
//! figure      a drawing with its caption
//! section     the sections of a wave and of a solution
//! standalone  a board as a file of its own
//! folded      long lists of a caption
//! waves, rated, manual    the pages
//! ```

mod document;
mod drawing;
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
pub(crate) use drawing::{DrawnBoard, board, defined, figure_of_board, steps_on};
pub(crate) use figure::legend_of_all_sizes;
pub(crate) use geometry::Geometry;
pub(super) use manual::manual;
pub(crate) use parts::SharedParts;
pub(super) use rated::rated;
pub(crate) use section::{WaveSection, beside, figures, solution_section};
pub use standalone::board_svg;
pub(crate) use standalone::standalone;
pub(super) use waves::{library, puzzle};
