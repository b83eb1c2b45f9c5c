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
mod findings;
mod html;
mod labels;
mod provenance;
mod sections;

pub use card::card;
pub use comparison::comparison;

use crate::error::Error;
use crate::report::statistics::Statistics;
use html::escape;
use sudoku_core::explain::PAGE_STYLE;

const STYLE: &str = include_str!("style.css");

/// A dataset of a page.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub statistics: Statistics,
}

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

/// The file of a page.
fn document(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<!-- pipeline report {version} -->\n<html lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <link rel=\"icon\" href=\"data:,\" />\n\
         <title>{title}</title>\n<style>\n{PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n",
        version = crate::VERSION
    )
}

/// A part of the page.
struct Section {
    id: &'static str,
    title: String,
    body: String,
}

impl Section {
    fn html(&self) -> String {
        format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n",
            self.id,
            escape(&self.title),
            self.body
        )
    }
}
