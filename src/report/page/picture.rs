//! A picture with the first charts of a dataset, for a README or a paper.
//!
//! ```text
//! title, and what the dataset is
//! ┌────────────────┬────────────────┐
//! │ levels         │ techniques     │   the first four charts that the
//! ├────────────────┼────────────────┤   dataset has figures for
//! │ clues          │ effort         │
//! └────────────────┴────────────────┘
//! ```

use super::drawing::colours::to_light_colours;
use super::drawing::html::{cut_text, escape_html};

/// The width and height of a picture in units of the SVG, 16 to 9.
const PICTURE_SIZE: (f64, f64) = (1280.0, 720.0);

/// The height of the title and the sentences below it, in units of the SVG.
const TITLE_HEIGHT: f64 = 104.0;

/// The width and height of a chart in units of the SVG.
pub(super) const PANEL_SIZE: (f64, f64) = (600.0, 280.0);

/// Draws a picture as SVG, for a light background. It has a title, sentences, and charts of size [`PANEL_SIZE`], each
/// with a title of its own.
pub(super) fn picture_svg(title: &str, sentences: &[String], panels: &[(&str, String)]) -> String {
    let (width, height) = PICTURE_SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Roboto, Helvetica, Arial, sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"24\" y=\"44\" font-size=\"26\" font-weight=\"700\" fill=\"#1d2125\">{}</text>\n",
        escape_html(&printable_text(title, 80))
    );
    for (sentence, n) in sentences.iter().zip(0_u8..) {
        let y = 70.0 + 22.0 * f64::from(n);
        svg += &format!(
            "<text x=\"24\" y=\"{y}\" font-size=\"16\" fill=\"#5b636c\">{}</text>\n",
            escape_html(&printable_text(sentence, 150))
        );
    }
    for (n, (title, chart)) in panels.iter().take(4).enumerate() {
        let x = 24.0 + (n % 2) as f64 * (PANEL_SIZE.0 + 32.0);
        let y = TITLE_HEIGHT + (n / 2) as f64 * (PANEL_SIZE.1 + 26.0);
        svg += &format!(
            "<text x=\"{x}\" y=\"{}\" font-size=\"16\" font-weight=\"700\" fill=\"#1d2125\">{}</text>\n",
            y + 18.0,
            escape_html(title)
        );
        let positioned_svg = format!("<svg x=\"{x}\" y=\"{}\" ", y + 22.0);
        svg += &to_light_colours(chart).replacen("<svg ", &positioned_svg, 1);
        svg += "\n";
    }
    svg + "</svg>\n"
}

/// The text, cut to at most `most` characters. Characters that XML does not allow are removed.
fn printable_text(text: &str, most: usize) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    cut_text(&text, most)
}
