//! Converts SVG pictures to PNG.
//!
//! ```text
//! SVG with texts ─ glyphs of the font ─▶ SVG with paths ─ resvg ─▶ pixels ─▶ PNG
//! ```
//!
//! Texts are converted to paths with the font for which the charts are laid out. The picture is then the same on
//! every machine, and resvg is used without its font libraries.

use std::fmt::Write;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use ttf_parser::{Face, OutlineBuilder};

use crate::error::{AnalysisError, Error};

/// The number of pixels per unit of the SVG. 2 is sharp in print and on high-density screens.
const PIXELS_PER_UNIT: f32 = 2.0;

/// The width of the stroke that makes a text bold, as a fraction of the font size. A stroke is used because the font
/// has no bold letters.
const BOLD_STROKE_PER_FONT_SIZE: f64 = 0.035;

/// The font size of texts that do not specify one, as in browsers.
const DEFAULT_FONT_SIZE: f64 = 16.0;

/// Draws a picture as PNG.
///
/// # Errors
/// The picture is not SVG, which would be a bug.
pub(crate) fn svg_to_png(svg: &str) -> Result<Vec<u8>, Error> {
    let chart_error = |cause: String| AnalysisError::Chart { cause };
    let svg = texts_to_paths(svg).map_err(chart_error)?;
    let tree = Tree::from_str(&svg, &Options::default());
    let tree = tree.map_err(|error| chart_error(error.to_string()))?;
    let size = tree.size().to_int_size().scale_by(PIXELS_PER_UNIT);
    let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or_else(|| chart_error("the picture has no size".to_owned()))?;
    resvg::render(
        &tree,
        Transform::from_scale(PIXELS_PER_UNIT, PIXELS_PER_UNIT),
        &mut pixels.as_mut(),
    );
    let png = pixels.encode_png();
    Ok(png.map_err(|error| chart_error(error.to_string()))?)
}

/// The attributes of a text that it inherits from the SVG elements around it.
#[derive(Clone)]
struct TextStyle {
    font_size: f64,
    text_anchor: String,
    is_bold: bool,
}

impl TextStyle {
    /// The style of texts inside this element: the style outside it, changed by the element's attributes.
    fn style_within(&self, element: &BytesStart<'_>) -> Result<TextStyle, String> {
        let mut style = self.clone();
        if let Some(size) = parse_number(element, "font-size")? {
            style.font_size = size;
        }
        if let Some(anchor) = parse_attribute(element, "text-anchor")? {
            style.text_anchor = anchor;
        }
        if let Some(weight) = parse_attribute(element, "font-weight")? {
            style.is_bold = weight == "bold" || weight.parse::<u16>().is_ok_and(|w| w >= 600);
        }
        Ok(style)
    }
}

/// Replaces each text of the SVG by a path.
fn texts_to_paths(svg: &str) -> Result<String, String> {
    let face = Face::parse(charts_rs::DEFAULT_FONT_DATA, 0).map_err(|error| error.to_string())?;
    let mut styles = vec![TextStyle {
        font_size: DEFAULT_FONT_SIZE,
        text_anchor: "start".to_owned(),
        is_bold: false,
    }];
    let mut reader = Reader::from_str(svg);
    let mut drawn_svg = String::with_capacity(4 * svg.len());
    // The text element that is being read, and its content so far.
    let mut open_element: Option<(BytesStart<'_>, String)> = None;
    // The offset in the input up to which it has been copied to the output.
    let mut copied = 0;
    loop {
        let event_start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let event_end = reader.buffer_position() as usize;
        match event {
            Event::Eof => break,
            Event::Start(element) => {
                let style = styles
                    .last()
                    .cloned()
                    .ok_or("an element too many is closed")?;
                styles.push(style.style_within(&element)?);
                if element.name().as_ref() == b"text" {
                    drawn_svg += &svg[copied..event_start];
                    open_element = Some((element, String::new()));
                }
            }
            Event::End(_) => {
                if let (Some((element, text)), Some(style)) = (open_element.take(), styles.last()) {
                    drawn_svg += &text_path(&face, &element, &text, style)?;
                    copied = event_end;
                }
                styles.pop();
            }
            Event::Text(text) => {
                if let Some((_, all)) = &mut open_element {
                    *all += &text.decode().map_err(|error| error.to_string())?;
                }
            }
            Event::GeneralRef(entity) => {
                if let Some((_, all)) = &mut open_element {
                    let name = entity.decode().map_err(|error| error.to_string())?;
                    let escaped = format!("&{name};");
                    let text = quick_xml::escape::unescape(&escaped);
                    *all += &text.map_err(|error| error.to_string())?;
                }
            }
            _ => {}
        }
    }
    drawn_svg += &svg[copied..];
    Ok(drawn_svg)
}

/// Converts a text element to a path with the same colour and transformation.
fn text_path(
    face: &Face<'_>,
    element: &BytesStart<'_>,
    text: &str,
    style: &TextStyle,
) -> Result<String, String> {
    let sum_of_attributes = |own: &str, moved: &str| -> Result<f64, String> {
        Ok(parse_number(element, own)?.unwrap_or(0.0)
            + parse_number(element, moved)?.unwrap_or(0.0))
    };
    let (x, y) = (sum_of_attributes("x", "dx")?, sum_of_attributes("y", "dy")?);
    let scale = style.font_size / f64::from(face.units_per_em());
    let glyphs: Vec<_> = (text.chars())
        .map(|letter| face.glyph_index(letter).unwrap_or_default())
        .collect();
    let advance = |glyph| f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    let width: f64 = glyphs.iter().copied().map(advance).sum();
    let mut outline = GlyphOutline {
        path_data: String::new(),
        scale,
        origin_x: match style.text_anchor.as_str() {
            "middle" => x - width / 2.0,
            "end" => x - width,
            _ => x,
        },
        origin_y: y,
    };
    for glyph in glyphs {
        // A space has no outline, so the result is ignored.
        let _ = face.outline_glyph(glyph, &mut outline);
        outline.origin_x += advance(glyph);
    }
    let mut path = format!("<path d=\"{}\"", outline.path_data);
    for name in ["fill", "transform", "opacity"] {
        if let Some(value) = parse_attribute(element, name)? {
            // Writing into memory does not fail.
            let _ = write!(path, " {name}=\"{}\"", quick_xml::escape::escape(value));
        }
    }
    // The stroke of a surrounding group is not used for texts. Only bold texts get a stroke.
    let stroke = match (style.is_bold, parse_attribute(element, "fill")?) {
        (true, Some(fill)) => format!(
            " stroke=\"{}\" stroke-width=\"{:.2}\"",
            quick_xml::escape::escape(fill),
            style.font_size * BOLD_STROKE_PER_FONT_SIZE
        ),
        _ => " stroke=\"none\"".to_owned(),
    };
    Ok(path + &stroke + "/>")
}

/// Converts the outline of a glyph to the data of an SVG path.
struct GlyphOutline {
    path_data: String,
    /// The factor by which units of the font become units of the picture.
    scale: f64,
    /// The horizontal position of the glyph in the picture.
    origin_x: f64,
    origin_y: f64,
}

impl GlyphOutline {
    fn add_command(&mut self, command: char, points: &[(f32, f32)]) {
        self.path_data.push(command);
        for (x, y) in points {
            let x = self.origin_x + f64::from(*x) * self.scale;
            let y = self.origin_y - f64::from(*y) * self.scale;
            let _ = write!(self.path_data, "{x:.2} {y:.2} ");
        }
    }
}

impl OutlineBuilder for GlyphOutline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.add_command('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.add_command('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.add_command('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.add_command('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.path_data.push('Z');
    }
}

fn parse_attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let attribute = element.try_get_attribute(name);
    let Some(found) = attribute.map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    let value = found.normalized_value(XmlVersion::Implicit1_0);
    Ok(Some(value.map_err(|error| error.to_string())?.into_owned()))
}

fn parse_number(element: &BytesStart<'_>, name: &str) -> Result<Option<f64>, String> {
    let Some(text) = parse_attribute(element, name)? else {
        return Ok(None);
    };
    let number = text.trim_end_matches("px").parse();
    number
        .map(Some)
        .map_err(|_| format!("{name}={text} is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that texts are converted to paths, so that the fonts of the machine do not change the picture.
    #[test]
    fn texts_become_paths_with_their_place_and_colour() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"80\" height=\"20\"><g font-size=\"10\" \
                   stroke=\"red\"><text x=\"40\" y=\"15\" text-anchor=\"middle\" fill=\"#00f\">I &lt; I</text>\
                   </g><path d=\"M0 0h5\"/></svg>";
        let paths = texts_to_paths(svg).unwrap();
        assert!(
            !paths.contains("text") && paths.contains("<path d=\"M0 0h5\"/></svg>"),
            "{paths}"
        );
        assert!(
            paths.contains("fill=\"#00f\" stroke=\"none\"/></g>"),
            "{paths}"
        );
        let first_path = paths.split("d=\"M").nth(1).unwrap();
        let x: f64 = first_path.split(' ').next().unwrap().parse().unwrap();
        assert!((25.0..40.0).contains(&x), "{paths}");
        // The escaped `<` in the text becomes an outline as well.
        assert_eq!(paths.matches('Z').count(), 3, "{paths}");
        let bold = texts_to_paths(&svg.replace("fill=", "font-weight=\"700\" fill=")).unwrap();
        assert!(
            bold.contains("stroke=\"#00f\" stroke-width=\"0.35\""),
            "{bold}"
        );
    }

    #[test]
    fn a_picture_is_drawn_in_its_size() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"4\"><rect width=\"8\" height=\"4\" \
                   fill=\"#ff0000\"/></svg>";
        let png = svg_to_png(svg).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (16, 8));
        let colour = pixels.pixel(3, 3).unwrap();
        assert_eq!(
            (colour.red(), colour.green(), colour.alpha()),
            (255, 0, 255)
        );
    }
}
