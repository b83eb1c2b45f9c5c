//! Names and colours of techniques and levels, instead of their ids.

use std::fmt::Write;

use sudoku_core::grade::{HardestTechnique, Level, Rank};

use crate::report::page::drawing::chart::LEVELS;

/// Names that are usual and shorter than those of the manual.
const SHORT: &[(&str, &str)] = &[
    ("locked_pointing", "Pointing"),
    ("locked_claiming", "Claiming"),
    ("aic", "AIC"),
    ("grouped_aic", "Grouped AIC"),
    ("cell_region_forcing", "Cell and region forcing"),
    ("dynamic_forcing", "Dynamic forcing"),
    ("nested_forcing", "Nested forcing"),
];

/// The usual name of a technique: `X-wing` for `x_wing`. An id that is unknown is its own name.
pub(crate) fn technique_name(id: &str) -> String {
    if let Some((_, name)) = SHORT.iter().find(|(own, _)| *own == id) {
        return (*name).to_owned();
    }
    let Some(rank) = Rank::from_id(id) else {
        return id.replace('_', " ");
    };
    let technique = rank.technique();
    technique.map_or("Search", |own| own.info().name).to_owned()
}

/// The name of a technique within a sentence: `hidden pair`, but `X-wing`.
pub(crate) fn technique_in_words(id: &str) -> String {
    let name = technique_name(id);
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first
            .to_lowercase()
            .chain([second])
            .chain(letters)
            .collect(),
        _ => name,
    }
}

/// The colour of a level in charts.
pub(crate) fn level_colour(id: &str) -> &'static str {
    let at = Level::ALL.iter().position(|level| level.id() == id);
    LEVELS[at.unwrap_or(LEVELS.len() - 1)]
}

/// The colour of a technique in charts: that of its level.
pub(crate) fn technique_colour(id: &str) -> &'static str {
    let level = Rank::from_id(id).map_or("", |rank| rank.level().id());
    level_colour(level)
}

/// The number of a level's colour in the style of the page.
pub(crate) fn level_number(id: &str) -> usize {
    let at = Level::ALL.iter().position(|level| level.id() == id);
    at.unwrap_or(LEVELS.len() - 1)
}

/// The levels with their colours, as the key of a chart.
pub(crate) fn level_key(has_beyond: bool) -> String {
    let mut html = String::from("<p class=\"key\">");
    let beyond = has_beyond.then_some(HardestTechnique::BEYOND.id);
    for id in Level::ALL.map(Level::id).into_iter().chain(beyond) {
        // Writing into a string cannot fail.
        let _ = write!(
            html,
            "<span class=\"level-{}\">{id}</span> ",
            level_number(id)
        );
    }
    html.trim_end().to_owned() + "</p>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_people_use() {
        assert_eq!(technique_name("x_wing"), "X-wing");
        assert_eq!(technique_in_words("x_wing"), "X-wing");
        assert_eq!(technique_in_words("hidden_pair"), "hidden pair");
        assert_eq!(technique_name("search"), "Search");
        assert_eq!(technique_name("my_own"), "my own");
        assert_eq!(technique_in_words("aic"), "AIC");
    }
}
