//! A page about one dataset, or a comparison of two: charts, problems, sample boards, provenance.
//!
//! ```text
//! Statistics ─ sections ─▶ charts (charts-rs), boards (sudoku-core) ─▶ one file of HTML
//! ```
//!
//! The page is one file without scripts, and needs no network. The colours of its charts adapt to light and
//! dark mode. Its size does not grow with the dataset.

mod audit;
mod boards;
mod card;
mod cells;
mod comparison;
mod document;
mod drawing;
mod findings;
mod labels;
mod layout;
mod picture;
mod problems;
mod provenance;
mod rules;
mod sections;

pub use crate::report::sheets::Side;
pub use audit::{audit_card, audit_page, audit_picture, script};
pub use card::card;
pub use comparison::{comparison_page, comparison_png, comparison_svg};

use crate::error::Error;
use document::html_document;

/// A page about one or two datasets.
pub struct Page {
    sides: Vec<Side>,
    overlap: Option<Overlap>,
}

/// The number of distinct puzzles that two datasets share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The number of identical puzzles.
    pub exact: u64,
    /// The number of puzzles that are equal up to isomorphism; `None` if a dataset lacks the column `canonical`.
    pub isomorphs: Option<u64>,
}

impl Page {
    /// A page about a single dataset. `side` has its name and its statistics.
    pub fn new(side: Side) -> Page {
        Page {
            sides: vec![side],
            overlap: None,
        }
    }

    /// Adds a second dataset, which is shown beside the first one in every chart.
    #[must_use]
    pub fn against(mut self, other: Side) -> Page {
        self.sides.truncate(1);
        self.sides.push(other);
        self
    }

    /// Adds the number of puzzles that the two datasets share.
    #[must_use]
    pub fn overlapping(mut self, overlap: Overlap) -> Page {
        self.overlap = Some(overlap);
        self
    }

    /// A picture with four charts as SVG, for a README or a paper.
    ///
    /// # Errors
    ///
    /// A chart cannot be drawn, which would be a bug.
    pub fn svg(&self) -> Result<String, Error> {
        let title = findings::page_title(&self.sides);
        let panels = sections::picture_panels(&self.sides)?;
        Ok(picture::picture_svg(
            &title,
            &findings::brief_sentences(&self.sides),
            &panels,
        ))
    }

    /// The picture of [`Page::svg`] as PNG, with twice as many pixels in each direction.
    ///
    /// # Errors
    ///
    /// A chart cannot be drawn, which would be a bug.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        drawing::raster::svg_to_png(&self.svg()?)
    }

    /// The page as one HTML file.
    ///
    /// # Errors
    ///
    /// A chart cannot be drawn, which would be a bug.
    pub fn html(&self) -> Result<String, Error> {
        let title = findings::page_title(&self.sides);
        let headline = findings::headline(&self.sides, self.overlap.as_ref());
        let mut sections = sections::page_sections(&self.sides)?;
        sections.extend(boards::boards_section(&self.sides));
        sections.push(provenance::provenance_section(&self.sides));
        Ok(html_document(&title, &headline, sections))
    }
}
