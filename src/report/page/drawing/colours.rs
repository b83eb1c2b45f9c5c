//! The colours of charts. Charts are drawn with placeholder colours, which are later replaced by the colours of a page
//! or of a picture.

/// The placeholder colours. For each: the placeholder, the CSS variable that replaces it on a page, and the colour that
/// replaces it in a picture.
const PLACEHOLDER_COLOURS: [(&str, &str, &str); 11] = [
    (TEXT_COLOUR, "--soft", "#5b636c"),
    (RULE_COLOUR, "--rule", "#d9dcdf"),
    (INK_COLOUR, "--ink", LIGHT_INK_COLOUR),
    (DATASET_COLOURS[0], "--side-0", "#2a6fb8"),
    (DATASET_COLOURS[1], "--side-1", "#c96a10"),
    (LEVEL_COLOURS[0], "--level-0", "#4c9f70"),
    (LEVEL_COLOURS[1], "--level-1", "#8bb45a"),
    (LEVEL_COLOURS[2], "--level-2", "#d9b13b"),
    (LEVEL_COLOURS[3], "--level-3", "#d9822b"),
    (LEVEL_COLOURS[4], "--level-4", "#b8413c"),
    (LEVEL_COLOURS[5], "--level-5", "#6d5a86"),
];

pub(super) const TEXT_COLOUR: &str = "#10a001";
pub(super) const RULE_COLOUR: &str = "#10a002";
pub(super) const INK_COLOUR: &str = "#10a004";

/// The colour that replaces [`INK_COLOUR`] in a picture.
pub(super) const LIGHT_INK_COLOUR: &str = "#1d2125";

/// The colours of the first and the second dataset.
pub(crate) const DATASET_COLOURS: [&str; 2] = ["#10b001", "#10b002"];
/// The colours of the levels, followed by the colour of puzzles that no technique of the ladder solves.
pub(crate) const LEVEL_COLOURS: [&str; 6] = [
    "#10c001", "#10c002", "#10c003", "#10c004", "#10c005", "#10c006",
];

/// Replaces the placeholder colours by the CSS variables of the page, which adapt to light and dark mode.
pub(crate) fn to_page_colours(svg: &str) -> String {
    let coloured = PLACEHOLDER_COLOURS.iter();
    coloured.fold(svg.to_owned(), |svg, (colour, variable, _)| {
        replace_colour(&svg, colour, &format!("var({variable})"))
    })
}

/// Replaces the placeholder colours by colours for a light background. Used for a picture, which has no style sheet.
pub(crate) fn to_light_colours(svg: &str) -> String {
    let coloured = PLACEHOLDER_COLOURS.iter();
    let svg = svg.replace("\"Roboto\"", "\"Roboto, Helvetica, Arial, sans-serif\"");
    coloured.fold(svg, |svg, (colour, _, light)| {
        replace_colour(&svg, colour, light)
    })
}

fn replace_colour(svg: &str, placeholder: &str, to: &str) -> String {
    svg.replace(placeholder, to)
        .replace(&placeholder.to_uppercase(), to)
}
