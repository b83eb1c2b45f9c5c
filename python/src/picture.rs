//! Shows drawings (SVG) in HTML, for notebooks.

use std::fmt::Write;

use sudoku_core::explain::escape_html;

/// A drawing as an HTML image. The styles of an image and of the page around it do not affect each other.
pub(crate) fn image(svg: &str, width: usize, label: &str) -> String {
    let mut address = String::with_capacity(2 * svg.len());
    for character in svg.chars() {
        match character {
            '"' | '#' | '%' | '&' | '<' | '>' | '\'' | '\n' => {
                // Writing into a string cannot fail.
                let _ = write!(address, "%{:02X}", character as u32);
            }
            character => address.push(character),
        }
    }
    format!(
        "<img width=\"{width}\" alt=\"{}\" src=\"data:image/svg+xml;utf8,{address}\" />",
        escape_html(label)
    )
}
