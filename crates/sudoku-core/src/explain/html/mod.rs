//! Explanations as one HTML page without scripts and other files.
//!
//! ```text
//! document    the parts that all pages share: head, style, tables
//! parts       parts of drawings that a page repeats
//! svg         boards as drawings
//! figure      a drawing with its caption
//! folded      long lists of a caption
//! waves, rated, manual    the pages
//! ```

mod document;
mod figure;
mod folded;
mod manual;
mod parts;
mod rated;
mod svg;
mod waves;

pub(super) use document::STYLE;
pub(crate) use document::{document, escape, in_rows, table};
pub(super) use manual::manual;
pub(crate) use parts::SharedParts;
pub(super) use rated::rated;
pub(super) use waves::{library, puzzle};
