//! The HTML page of a technique's manual.

use super::document::{document, escape, table};
use super::drawing::defined;
use super::figure::{LEGEND, figure};
use super::parts::SharedParts;
use crate::explain::manual::{ABOUT_SEARCH, Manual};
use crate::explain::markdown::{MarkdownBlock, blocks};
use crate::explain::words::{NOTATION, has_trace};

pub(in crate::explain) fn manual(manual: &Manual) -> String {
    let facts = manual.facts();
    let mut body = table(facts.iter().map(|(name, value)| (*name, value.clone())));
    let mut is_list = false;
    for block in blocks(manual.info.map_or(ABOUT_SEARCH, |info| info.doc)) {
        let is_item = matches!(block, MarkdownBlock::Item(_));
        if is_item != is_list {
            body += if is_item { "<ul>\n" } else { "</ul>\n" };
            is_list = is_item;
        }
        body += &match block {
            MarkdownBlock::Heading(text) => format!("<h3>{}</h3>\n", escape(&text)),
            MarkdownBlock::Paragraph(text) => format!("<p>{}</p>\n", escape(&text)),
            MarkdownBlock::Item(text) => format!("<li>{}</li>\n", escape(&text)),
        };
    }
    if is_list {
        body += "</ul>\n";
    }
    if let Some(example) = &manual.example {
        body += "<section>\n<h2>Example</h2>\n";
        body += LEGEND;
        if example.steps.iter().any(has_trace) {
            body += &format!("<p>{}</p>\n", escape(NOTATION));
        }
        body += "<div class=\"figures one\">\n";
        let mut parts = SharedParts::new("p");
        body += &defined(&mut parts, "example", &example.board, &example.clues);
        for step in &example.steps {
            body += &figure("example", &example.board, step);
        }
        body += "</div>\n</section>\n";
    }
    document(manual.name(), &body)
}
