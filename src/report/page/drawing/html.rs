//! Functions that write small pieces of HTML.

use serde_json::Value;
pub(crate) use sudoku_core::explain::escape_html;

use super::code::{SentencePart, sentence_parts};
use super::colours::to_page_colours;
use crate::error::Error;
use crate::report::sheets::ColumnFormat;
use crate::report::sheets::names::technique_name;

/// A table with more columns than this is set smaller on a narrow screen.
const MOST_COLUMNS_ON_NARROW_SCREEN: usize = 4;

/// The text, cut to at most `most` characters.
pub(crate) fn cut_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A sentence as HTML. Its commands, options and names of columns are code.
pub(crate) fn sentence_html(sentence: &str) -> String {
    let part_html = |part: SentencePart<'_>| match part {
        SentencePart::Text(text) => escape_html(text),
        SentencePart::Code(code) => format!("<code>{}</code>", escape_html(code)),
    };
    sentence_parts(sentence)
        .into_iter()
        .map(part_html)
        .collect()
}

/// A table with a header line.
pub(crate) fn html_table(columns: &[String], rows: &[Vec<Value>]) -> String {
    let class = if columns.len() > MOST_COLUMNS_ON_NARROW_SCREEN {
        " class=\"many\""
    } else {
        ""
    };
    let mut html = format!("<div class=\"wide\"><table{class}>\n<thead><tr>");
    for (at, name) in columns.iter().enumerate() {
        // The name of a column of numbers is above its numbers.
        let has_numbers = rows
            .iter()
            .any(|row| row.get(at).is_some_and(Value::is_number));
        let class = if has_numbers { " class=\"number\"" } else { "" };
        html += &format!(
            "<th scope=\"col\"{class}><span>{}</span></th>",
            escape_html(name)
        );
    }
    html += "</tr></thead>\n<tbody>\n";
    let formats = ColumnFormat::of_columns(columns, rows);
    for row in rows {
        html += "<tr>";
        for ((value, column), format) in row.iter().zip(columns).zip(&formats) {
            let class = if value.is_number() {
                " class=\"number\""
            } else {
                ""
            };
            let text = match (column.as_str(), value) {
                ("technique", Value::String(id)) => technique_name(id),
                _ => format.text(value),
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

/// The value of an attribute of an SVG element, of which `attributes` is the text between `<` and `>`.
pub(crate) fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let value = attributes.split(&format!(" {name}=\"")).nth(1)?;
    value.split('"').next()
}

/// A legend with a name for each line or colour of a chart. Each name comes with the attributes of a line that has the
/// colour.
pub(super) fn legend_html<'n>(names: impl Iterator<Item = (&'n str, String)>) -> String {
    let items = names.map(|(name, line)| {
        format!(
            "<li><svg viewBox=\"0 0 26 8\" aria-hidden=\"true\"><path d=\"M0 4h26\" {line} /></svg>{}</li>\n",
            escape_html(name)
        )
    });
    format!(
        "<ul class=\"legend\">\n{}</ul>\n",
        items.collect::<String>()
    )
}

/// A drawing that has a caption.
pub(crate) trait Figure {
    /// The sentences below the drawing. They are also its description for screen readers.
    fn caption(&self) -> &str;

    /// Draws the figure as SVG, with placeholder colours.
    fn draw(&self) -> Result<String, Error>;

    /// The legend above the drawing as HTML; empty if the drawing needs none, or has one of its own.
    fn legend_html(&self) -> String {
        String::new()
    }

    /// The drawing as HTML, with its caption and the table `figures_table`, which may be empty.
    fn to_html(&self, figures_table: &str) -> Result<String, Error> {
        Ok(format!(
            "<figure class=\"chart\">\n{}{}\n<figcaption>{}</figcaption>\n{figures_table}</figure>\n",
            to_page_colours(&self.legend_html()),
            to_page_colours(&self.draw()?),
            sentence_html(self.caption())
        ))
    }
}
