//! Suggests known names for a misspelt name.

/// A known name is suggested if its Jaro-Winkler similarity to the misspelt name is greater than this.
const LEAST_SIMILARITY: f64 = 0.72;

/// The maximum number of known names that are suggested.
const MOST_SUGGESTIONS: usize = 3;

/// The known names that are most similar to `name`, the most similar first.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let similarity = |known: &&'a str| strsim::jaro_winkler(&lower, &known.to_lowercase());
    let mut similar_names: Vec<(f64, &str)> = (known.into_iter())
        .map(|known| (similarity(&known), known))
        .filter(|(similarity, _)| *similarity > LEAST_SIMILARITY)
        .collect();
    similar_names.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // A known name that is much less similar than the best one is not suggested, because it would only distract.
    let best = similar_names.first().map_or(0.0, |(best, _)| *best);
    let suggestions = similar_names
        .into_iter()
        .filter(|(similarity, _)| best - similarity < 0.1);
    suggestions
        .take(MOST_SUGGESTIONS)
        .map(|(_, known)| known)
        .collect()
}

/// A question that is appended to a message, such as `; did you mean x_wing?`; empty if no known name is similar.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known).as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [first @ .., last] => format!("; did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_suggested() {
        let known = ["x_wing", "xy_wing", "xyz_wing", "swordfish", "naked_pair"];
        assert_eq!(
            did_you_mean("x_wng", known),
            "; did you mean x_wing, xy_wing or xyz_wing?"
        );
        assert_eq!(did_you_mean("Swordfsh", known), "; did you mean swordfish?");
        assert_eq!(
            did_you_mean("naked-pair", known),
            "; did you mean naked_pair?"
        );
        assert_eq!(did_you_mean("42", known), "");
    }
}
