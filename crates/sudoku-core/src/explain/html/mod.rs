//! Explanations as one HTML page without scripts and other files.
//!
//! ```text
//! document    the parts that all pages share: head, style, tables
//! svg         boards as drawings
//! figure      a drawing with its caption
//! waves, rated, manual    the pages
//! ```

mod document;
mod figure;
mod manual;
mod rated;
mod svg;
mod waves;

pub(super) use document::STYLE;
pub(crate) use document::{document, escape, table};
pub(super) use manual::manual;
pub(super) use rated::rated;
pub(super) use waves::{library, puzzle};
