//! The HTML file of a report page, and its sections.

use sudoku_core::explain::PAGE_STYLE;

use super::drawing::html::escape_html;
use super::layout::{estimated_parts, order_for_columns};
use crate::report::sheets::bars::SectionSize;

const STYLE_SHEET: &str = include_str!("style.css");

/// The HTML file of a page: a header, a table of contents, and the sections. The table of contents is beside the
/// sections, or above them on a narrow screen.
pub(super) fn html_document(title: &str, head: &str, sections: Vec<Section>) -> String {
    let title = escape_html(title);
    let sections = sections_in_layout(sections);
    let contents = sections.iter().map(|section| {
        let Section { id, title, .. } = section;
        format!("<li><a href=\"#{id}\">{}</a></li>\n", escape_html(title))
    });
    let page = format!(
        "<!DOCTYPE html>\n<!-- pipeline report {version} -->\n<html lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <link rel=\"icon\" href=\"data:,\" />\n\
         <title>{title}</title>\n<style>\n{PAGE_STYLE}{STYLE_SHEET}</style>\n</head>\n<body>\n\
         <nav aria-label=\"Contents\">\n<ul>\n{contents}</ul>\n</nav>\n<main>\n\
         <h1>{title}</h1>\n{head}<div class=\"sections\">\n{sections}</div>\n</main>\n</body>\n</html>\n",
        version = crate::VERSION,
        contents = contents.collect::<String>(),
        sections = sections.iter().map(Section::to_html).collect::<String>(),
    );
    // A line does not break between a number and its sign.
    replace_control_characters(page.replace(" %", "\u{a0}%"))
}

/// The sections in an order in which the columns of the page end at nearly the same height. Sections of the whole width
/// keep their places.
fn sections_in_layout(sections: Vec<Section>) -> Vec<Section> {
    let mut ordered = Vec::new();
    let mut in_columns: Vec<Section> = Vec::new();
    let add_columns = |in_columns: &mut Vec<Section>, ordered: &mut Vec<Section>| {
        let heights: Vec<Vec<usize>> = (in_columns.iter())
            .map(|section| estimated_parts(&section.body))
            .collect();
        let mut sections: Vec<Option<Section>> = in_columns.drain(..).map(Some).collect();
        let order = order_for_columns(&heights);
        ordered.extend(order.into_iter().filter_map(|at| sections[at].take()));
    };
    for section in sections {
        match section.size {
            SectionSize::Cell => in_columns.push(section),
            SectionSize::Row => {
                add_columns(&mut in_columns, &mut ordered);
                ordered.push(section);
            }
        }
    }
    add_columns(&mut in_columns, &mut ordered);
    ordered
}

/// Replaces characters that HTML does not allow by spaces. Names and values from datasets can contain such
/// characters.
fn replace_control_characters(page: String) -> String {
    let is_bad = |c: char| (c.is_control() && c != '\n') || u32::from(c) & 0xfffe == 0xfffe;
    if page.contains(is_bad) {
        page.replace(is_bad, " ")
    } else {
        page
    }
}

/// A section of a report page, with its heading and content.
pub(super) struct Section {
    id: &'static str,
    title: String,
    body: String,
    /// The space that the section takes in the layout of the page.
    size: SectionSize,
}

impl Section {
    pub(super) fn new(id: &'static str, title: &str, size: SectionSize, body: String) -> Section {
        Section {
            id,
            title: title.to_owned(),
            body,
            size,
        }
    }

    fn to_html(&self) -> String {
        format!(
            "<section id=\"{}\"{}>\n<h2>{}</h2>\n{}</section>\n",
            self.id,
            match self.size {
                SectionSize::Cell => "",
                SectionSize::Row => " class=\"all\"",
            },
            escape_html(&self.title),
            self.body
        )
    }
}
