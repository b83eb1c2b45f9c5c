//! The names of techniques in reports.

use sudoku_core::grade::Rank;

/// Common short names of techniques, by id. The names in the manual are longer.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("locked_pointing", "Pointing"),
    ("locked_claiming", "Claiming"),
    ("aic", "AIC"),
    ("grouped_aic", "Grouped AIC"),
    ("cell_region_forcing", "Cell and region forcing"),
    ("dynamic_forcing", "Dynamic forcing"),
    ("nested_forcing", "Nested forcing"),
];

/// The common name of a technique: `X-wing` for `x_wing`. An unknown id is returned unchanged.
pub(crate) fn technique_name(id: &str) -> String {
    if let Some((_, name)) = SHORT_NAMES.iter().find(|(own, _)| *own == id) {
        return (*name).to_owned();
    }
    let Some(rank) = Rank::from_id(id) else {
        return id.replace('_', " ");
    };
    let technique = rank.technique();
    technique.map_or("Search", |own| own.info().name).to_owned()
}

/// The name of a technique inside a sentence: `hidden pair`, but `X-wing`.
pub(crate) fn technique_name_in_sentence(id: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_people_use() {
        assert_eq!(technique_name("x_wing"), "X-wing");
        assert_eq!(technique_name_in_sentence("x_wing"), "X-wing");
        assert_eq!(technique_name_in_sentence("hidden_pair"), "hidden pair");
        assert_eq!(technique_name("search"), "Search");
        assert_eq!(technique_name("my_own"), "my own");
        assert_eq!(technique_name_in_sentence("aic"), "AIC");
    }
}
