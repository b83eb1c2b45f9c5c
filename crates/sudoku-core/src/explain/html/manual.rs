//! The HTML page of a technique's manual.

use super::document::{escape_html, html_document, html_table};
use super::drawing::define_board;
use super::figure::{LEGEND_HTML, step_figure};
use super::parts::SharedParts;
use crate::explain::manual::{ABOUT_SEARCH, Manual};
use crate::explain::markdown::{MarkdownBlock, parse_blocks};
use crate::explain::words::{NOTATION_SENTENCE, has_trace};

pub(in crate::explain) fn manual_page(manual: &Manual) -> String {
    let fact_rows = manual.fact_rows();
    let mut body = html_table(fact_rows.iter().map(|(name, value)| (*name, value.clone())));
    let mut is_list = false;
    for block in parse_blocks(manual.info.map_or(ABOUT_SEARCH, |info| info.doc)) {
        let is_item = matches!(block, MarkdownBlock::Item(_));
        if is_item != is_list {
            body += if is_item { "<ul>\n" } else { "</ul>\n" };
            is_list = is_item;
        }
        body += &match block {
            MarkdownBlock::Heading(text) => format!("<h3>{}</h3>\n", escape_html(&text)),
            MarkdownBlock::Paragraph(text) => format!("<p>{}</p>\n", escape_html(&text)),
            MarkdownBlock::Item(text) => format!("<li>{}</li>\n", escape_html(&text)),
        };
    }
    if is_list {
        body += "</ul>\n";
    }
    if let Some(example) = &manual.example {
        body += "<section>\n<h2>Example</h2>\n";
        body += LEGEND_HTML;
        if example.steps.iter().any(has_trace) {
            body += &format!("<p>{}</p>\n", escape_html(NOTATION_SENTENCE));
        }
        body += "<div class=\"figures one\">\n";
        let mut shared_parts = SharedParts::new("p");
        body += &define_board(&mut shared_parts, "example", &example.board, &example.clues);
        for step in &example.steps {
            body += &step_figure("example", &example.board, step);
        }
        body += "</div>\n</section>\n";
    }
    html_document(manual.name(), &body)
}
