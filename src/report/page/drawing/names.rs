//! The colours of techniques and levels in charts.

use std::fmt::Write;

use sudoku_core::grade::{HardestTechnique, Level, Rank};

use super::colours::LEVEL_COLOURS;

/// The colour of a level in charts.
pub(crate) fn level_colour(id: &str) -> &'static str {
    LEVEL_COLOURS[level_number(id)]
}

/// The colour of a technique in charts, which is the colour of its level.
pub(crate) fn technique_colour(id: &str) -> &'static str {
    let level = Rank::from_id(id).map_or("", |rank| rank.level().id());
    level_colour(level)
}

/// The number of a level in the class names of the style sheet, such as `level-3`.
pub(crate) fn level_number(id: &str) -> usize {
    Level::from_id(id).map_or(LEVEL_COLOURS.len() - 1, |level| level as usize)
}

/// The legend with the colours of the levels, as HTML.
pub(crate) fn level_legend(has_beyond: bool) -> String {
    let mut html = String::from("<p class=\"key\">");
    let beyond_id = has_beyond.then_some(HardestTechnique::BEYOND.id);
    for id in Level::ALL.map(Level::id).into_iter().chain(beyond_id) {
        // Writing into a string cannot fail.
        let _ = write!(
            html,
            "<span class=\"level-{}\">{id}</span> ",
            level_number(id)
        );
    }
    html.trim_end().to_owned() + "</p>\n"
}
