//! Functions that write small pieces of HTML.

use serde_json::Value;
pub(crate) use sudoku_core::explain::escape_html;

use super::colours::to_page_colours;
use crate::error::Error;
use crate::report::sheets::cell_text;
use crate::report::sheets::names::technique_name;

/// The text, cut to at most `most` characters.
pub(crate) fn cut_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A sentence as HTML. Its options (`--with`) and column names (`grid_id`) are code, which is not broken at its hyphens.
pub(crate) fn sentence_html(sentence: &str) -> String {
    let word_html = |word: &str| {
        let end = word.trim_end_matches(['.', ',', ':', ';', ')']).len();
        let (option, rest) = word.split_at(end);
        if option.starts_with("--") || option.contains('_') {
            format!("<code>{}</code>{rest}", escape_html(option))
        } else {
            escape_html(word)
        }
    };
    let words: Vec<String> = sentence.split(' ').map(word_html).collect();
    words.join(" ")
}

/// A table with a header line.
pub(crate) fn html_table(columns: &[String], rows: &[Vec<Value>]) -> String {
    let mut html = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for name in columns {
        html += &format!("<th scope=\"col\">{}</th>", escape_html(name));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        html += "<tr>";
        for (value, column) in row.iter().zip(columns) {
            let class = if value.is_number() {
                " class=\"number\""
            } else {
                ""
            };
            let text = match (column.as_str(), value) {
                ("technique", Value::String(id)) => technique_name(id),
                _ => cell_text(value, column),
            };
            html += &format!("<td{class}>{}</td>", escape_html(&text));
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table></div>\n"
}

/// A table with the figures of a chart. It is collapsed until the reader opens it.
pub(crate) fn collapsed_table(summary: &str, columns: &[String], rows: &[Vec<Value>]) -> String {
    format!(
        "<details><summary>{}</summary>\n{}</details>\n",
        escape_html(summary),
        html_table(columns, rows)
    )
}

/// A drawing that has a caption.
pub(crate) trait Figure {
    /// The sentences below the drawing. They are also its description for screen readers.
    fn caption(&self) -> &str;

    /// Draws the figure as SVG, with placeholder colours.
    fn draw(&self) -> Result<String, Error>;

    /// The drawing as HTML, with its caption and the table `figures_table`, which may be empty.
    fn to_html(&self, figures_table: &str) -> Result<String, Error> {
        Ok(format!(
            "<figure class=\"chart\">\n{}\n<figcaption>{}</figcaption>\n{figures_table}</figure>\n",
            to_page_colours(&self.draw()?),
            escape_html(self.caption())
        ))
    }
}
