//! Converts SVG pictures to PNG.
//!
//! resvg draws the texts with the font for which the charts are laid out, and with no other font. The picture is
//! then the same on every machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::colours::LIGHT_INK_COLOUR;
use crate::error::{AnalysisError, Error};

/// The number of pixels per unit of the SVG. 2 is sharp in print and on high-density screens.
const PIXELS_PER_UNIT: f32 = 2.0;

/// Strokes that make texts bold, because the font has no bold letters. The stroke of a surrounding group is not used
/// for texts.
fn text_style() -> String {
    format!(
        "text {{ stroke: none }} \
         text[font-weight=\"700\"] {{ stroke: {LIGHT_INK_COLOUR}; stroke-width: 0.035em }}"
    )
}

/// Draws a picture as PNG.
///
/// # Errors
/// The picture is not SVG, which would be a bug.
pub(crate) fn svg_to_png(svg: &str) -> Result<Vec<u8>, Error> {
    let chart_error = |cause: String| AnalysisError::Chart { cause };
    let mut options = Options {
        style_sheet: Some(text_style()),
        ..Options::default()
    };
    (options.fontdb_mut()).load_font_data(charts_rs::DEFAULT_FONT_DATA.to_vec());
    let tree = Tree::from_str(svg, &options);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(svg_content: &str) -> Pixmap {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"80\" height=\"20\" \
             font-family=\"Roboto, sans-serif\">{svg_content}</svg>"
        );
        Pixmap::decode_png(&svg_to_png(&svg).unwrap()).unwrap()
    }

    /// The columns of pixels that are drawn in, from the first to the last, and the sum of the opacity of all pixels.
    fn drawn(pixels: &Pixmap) -> (usize, usize, u64) {
        let columns: Vec<usize> = (0..pixels.width())
            .filter(|x| (0..pixels.height()).any(|y| pixels.pixel(*x, y).unwrap().alpha() > 0))
            .map(|x| x as usize)
            .collect();
        let opacity = (pixels.pixels().iter()).map(|pixel| u64::from(pixel.alpha()));
        (columns[0], columns[columns.len() - 1], opacity.sum())
    }

    /// Texts are drawn with the font that is built in, in their place and colour, without the stroke of their group.
    #[test]
    fn texts_have_their_place_and_colour() {
        let text = |attributes: &str, text: &str| {
            draw(&format!(
                "<g font-size=\"10\" stroke=\"red\"><text x=\"40\" y=\"15\" fill=\"#00f\" {attributes}>{text}</text></g>"
            ))
        };
        let regular = text("text-anchor=\"middle\"", "I &lt; I");
        assert!(regular.pixels().iter().all(|pixel| pixel.red() == 0));
        let (first, last, opacity) = drawn(&regular);
        assert!(
            (50..80).contains(&first) && (80..110).contains(&last),
            "{first} to {last}"
        );
        // A bold text covers more, with a stroke in the colour of titles.
        let bold = text("text-anchor=\"middle\" font-weight=\"700\"", "I &lt; I");
        let bold_opacity = drawn(&bold).2;
        assert!(bold_opacity > opacity, "{bold_opacity} > {opacity}");
        // A letter that the font does not have is a box.
        let (box_start, box_end, _) = drawn(&text("", "\u{6570}"));
        assert!(
            box_start >= 80 && box_end > box_start,
            "{box_start} to {box_end}"
        );
        assert!(text("", "\u{6570}") == text("", "\u{72ec}"));
    }

    #[test]
    fn a_picture_is_drawn_in_its_size() {
        let pixels = draw("<rect width=\"8\" height=\"4\" fill=\"#ff0000\"/>");
        assert_eq!((pixels.width(), pixels.height()), (160, 40));
        let colour = pixels.pixel(3, 3).unwrap();
        assert_eq!(
            (colour.red(), colour.green(), colour.alpha()),
            (255, 0, 255)
        );
    }
}
