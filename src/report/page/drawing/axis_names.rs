//! Corrects the places of texts in the drawings of bar charts. The library places texts by their width in its own font,
//! which is not the font of the page.

use super::chart::{LABEL_PLACEHOLDER, SMALL_FONT_SIZE};
use super::html::{attribute, escape_html};

/// Centres the labels of vertical bars over their bars, and the names of categories below them. A name that would not
/// fit into the width of the chart ends at its edge.
pub(super) fn centre_texts(svg: &str, names: &[String], width: f64) -> String {
    // The line of the axis: `M53 207h335M53 207v5…`.
    let axis = svg.split(" d=\"M").skip(1).find_map(|path| {
        let path = path.split('"').next()?;
        let (line, ticks) = path.split_once('M')?;
        let (start, length) = line.split_once('h')?;
        let (left, y) = start.split_once(' ')?;
        let is_axis = ticks.starts_with(&format!("{start}v"));
        is_axis.then_some((
            left.parse::<f64>().ok()?,
            y.parse::<f64>().ok()?,
            length.parse::<f64>().ok()?,
        ))
    });
    let Some((left, axis_y, length)) = axis else {
        return svg.to_owned();
    };
    let category_width = length / names.len().max(1) as f64;
    let mut next_name = 0;
    let mut text_elements = svg.split("<text");
    let mut centred = text_elements.next().unwrap_or_default().to_owned();
    for part in text_elements {
        let (attributes, rest) = part.split_once('>').unwrap_or((part, ""));
        let text = rest.split("</text>").next().unwrap_or_default();
        let y = attribute(attributes, "y").and_then(|y| y.parse::<f64>().ok());
        let mut own_names = names.iter().enumerate().skip(next_name);
        let name = own_names.find(|(_, name)| escape_html(name) == text);
        centred += "<text";
        match (
            attribute(attributes, "x"),
            attribute(attributes, "dx"),
            name,
        ) {
            (Some(_), Some(dx), _) if text == LABEL_PLACEHOLDER => {
                centred += &part.replacen(&format!(" dx=\"{dx}\""), " text-anchor=\"middle\"", 1);
            }
            (Some(x), None, Some((at, _))) if y.is_some_and(|y| y > axis_y) => {
                next_name = at + 1;
                let middle = left + (at as f64 + 0.5) * category_width;
                let font_size =
                    attribute(attributes, "font-size").and_then(|size| size.parse().ok());
                let half_width = 0.5 * text_width(&names[at], font_size.unwrap_or(SMALL_FONT_SIZE));
                let place = if middle + half_width > width {
                    format!(" x=\"{:.1}\" text-anchor=\"end\"", width - 1.0)
                } else {
                    format!(" x=\"{middle:.1}\" text-anchor=\"middle\"")
                };
                centred += &part.replacen(&format!(" x=\"{x}\""), &place, 1);
            }
            _ => centred += part,
        }
    }
    centred
}

/// The width of a text in a wide font, with space to spare.
fn text_width(text: &str, font_size: f64) -> f64 {
    0.66 * font_size * text.chars().count() as f64
}

/// Aligns the names of categories to the right, so that each name ends at its bars.
pub(super) fn align_names_right(svg: &str, names: &[String]) -> String {
    let bars = svg.split(" d=\"M").skip(1).filter(|path| {
        let element = path.split('>').next().unwrap_or_default();
        element.contains("data-series")
    });
    let bar_starts = bars.filter_map(|path| path.split(' ').next()?.parse::<f64>().ok());
    let label_end = bar_starts.fold(f64::INFINITY, f64::min) - 8.0;
    if !label_end.is_finite() {
        return svg.to_owned();
    }
    let mut aligned = String::with_capacity(svg.len());
    let mut text_elements = svg.split("<text ");
    aligned += text_elements.next().unwrap_or_default();
    for part in text_elements {
        let (attributes, rest) = part.split_once('>').unwrap_or((part, ""));
        let text = rest.split("</text>").next().unwrap_or_default();
        let text_start = attributes.split(" x=\"").nth(1);
        let text_start = text_start.and_then(|rest| rest.split('"').next());
        let is_left = text_start.is_some_and(|x| x.parse().is_ok_and(|x: f64| x < label_end));
        aligned += "<text ";
        match text_start {
            Some(x) if is_left && names.iter().any(|name| escape_html(name) == text) => {
                let end_attributes = format!(" x=\"{label_end:.0}\" text-anchor=\"end\"");
                aligned += &part.replacen(&format!(" x=\"{x}\""), &end_attributes, 1);
            }
            _ => aligned += part,
        }
    }
    aligned
}
