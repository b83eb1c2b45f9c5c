//! Writes explanations as single HTML pages that need no scripts and no other files.
//!
//! ```text
//! document    the parts that all pages share: head, style, tables
//! parts       parts of drawings that a page repeats
//! geometry    the parts of drawn boards of all sizes
//! drawing     drawings of boards and steps of all sizes
//! svg         houses, sets and chains of steps on 9 × 9 boards
//! figure      a drawing with its caption
//! section     the section for the steps of one technique on a board (a wave), and for the solution
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

pub(super) use document::STYLE_SHEET;
pub use document::escape_html;
pub(super) use figure::{LEGEND_HTML, caption_html, legend_of_all_sizes, plain_caption};
pub(super) use geometry::BoardGeometry;
pub(super) use manual::manual_page;
pub(super) use rated::rated_page;
pub use standalone::board_svg;
pub(super) use svg::{draw_groups, draw_links, draw_shades};
pub(super) use waves::{library_page, puzzle_page};
