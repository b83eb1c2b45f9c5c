//! The file of a page, and its sections.

use sudoku_core::explain::PAGE_STYLE;

use super::html::escape;

const STYLE: &str = include_str!("style.css");

/// The file of a page.
pub(super) fn document(title: &str, body: &str) -> String {
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
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: String,
    pub(super) body: String,
}

impl Section {
    pub(super) fn html(&self) -> String {
        format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n",
            self.id,
            escape(&self.title),
            self.body
        )
    }
}
