//! What all HTML pages of explanations share: the head, the style, tables, and the escaping of text.

/// The CSS of pages with drawings of boards.
pub(in crate::explain) const STYLE_SHEET: &str = concat!(
    include_str!("styles/colours.css"),
    include_str!("styles/page.css"),
    include_str!("styles/board.css")
);

/// A complete HTML page. `title` is the title of the page and its heading.
pub(super) fn html_document(title: &str, body: &str) -> String {
    let title = escape_html(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{title}</title>\n<style>\n{STYLE_SHEET}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {body}</body>\n</html>\n"
    )
}

/// Joins the sections of a page. Each section comes with a flag: whether it is small. Neighbouring small
/// sections share a row if the page is wide enough.
pub(super) fn join_sections_in_rows(sections: impl Iterator<Item = (bool, String)>) -> String {
    let mut html = String::new();
    let mut is_row = false;
    for (is_small, section) in sections {
        if is_small != is_row {
            html += if is_small {
                "<div class=\"row\">\n"
            } else {
                "</div>\n"
            };
            is_row = is_small;
        }
        html += &section;
    }
    if is_row {
        html += "</div>\n";
    }
    html
}

/// An HTML table with two columns, a name and a value in each row.
pub(super) fn html_table<'a>(rows: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut html = String::from("<table>\n");
    for (name, value) in rows {
        let (name, value) = (escape_html(name), escape_html(&value));
        html += &format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n");
    }
    html + "</table>\n"
}

/// Escapes a text for HTML.
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
