//! One page about a dataset, or about two beside each other: charts, findings, boards, provenance.
//!
//! ```text
//! Statistics ─ sections ─▶ charts (charts-rs), boards (sudoku-core) ─▶ one file of HTML
//! ```
//!
//! The page needs nothing else: no network, no script. Its charts take their colours from the page, so
//! that they follow light and dark. Its size does not grow with the dataset.

mod bins;
mod boards;
mod card;
mod cells;
mod chart;
mod comparison;
mod document;
mod findings;
mod html;
mod labels;
mod percent;
mod provenance;
mod sections;
mod side;

pub use card::card;
pub use comparison::comparison;
pub use side::Side;

use crate::error::Error;
use document::document;

/// A page.
pub struct Page {
    sides: Vec<Side>,
}

impl Page {
    /// A page about a dataset.
    pub fn of(side: Side) -> Page {
        Page { sides: vec![side] }
    }

    /// The page with another dataset beside the first one in every chart.
    #[must_use]
    pub fn against(mut self, other: Side) -> Page {
        self.sides.truncate(1);
        self.sides.push(other);
        self
    }

    /// The page as one file.
    ///
    /// # Errors
    /// A chart cannot be drawn, which would be a bug.
    pub fn html(&self) -> Result<String, Error> {
        let names: Vec<&str> = self.sides.iter().map(|side| side.name.as_str()).collect();
        let title = format!("Sudoku dataset: {}", names.join(" and "));
        let mut body = String::new();
        body += &findings::headline(&self.sides);
        for section in sections::sections(&self.sides)? {
            body += &section.html();
        }
        body += &boards::section(&self.sides);
        body += &provenance::section(&self.sides);
        Ok(document(&title, &body))
    }
}
