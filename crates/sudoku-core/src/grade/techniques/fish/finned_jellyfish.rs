//! The solving technique "Finned jellyfish": its manual, the search for its steps, and its tests.

use super::finned;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// In four rows, all places of a digit are in at most four columns, except for some in one
    /// box (the fins). The digit is removed from the cells of these columns that are in this
    /// box but not in the four rows. The same holds with rows and columns exchanged. Sashimi
    /// fish are included, which are no jellyfish without their fins.
    ///
    /// # Why it is sound
    ///
    /// If a fin holds the digit, the rest of its box does not. Otherwise the four rows make a
    /// jellyfish, and the rest of the columns does not hold it.
    FinnedJellyfish {
        name: "Finned jellyfish",
        level: Level::Unfair,
        effort: 250,
        hodoku_codes: &["0312", "0322"],
        hodoku_order: Some(360),
        explainer: "~5.4",
        hodoku_names: &["Finned Jellyfish", "Sashimi Jellyfish"],
        explainer_names: &[],
        example: Example {
            grid: "6821743...3.562.7.5..83962....2.85..84.7.621...63.1.87....831....1.27.3.3.84157..",
            removed: "927 929",
            effect: "r6c2<>9",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    finned::find_union::<4>(board, TechniqueName::FinnedJellyfish, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    finned::list_steps::<4>(board, TechniqueName::FinnedJellyfish, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &FinnedJellyfish,
    &[
        // The fin is r7c7.
        ("5@r1=14 5@r3=58 5@r5=45 5@r7=178", "r89c8<>5"),
        // A sashimi fish: r7c8 lacks the digit.
        ("5@r1=14 5@r3=58 5@r5=45 5@r7=179", "r89c8<>5"),
        // The base lines are columns; the fin is r2c1.
        ("5@c1=12357 5@c3=1357 5@c5=1357 5@c9=1357", "r13c2<>5"),
    ],
    &[
        // Finds nothing: the fin is in a box that no column of the fish crosses.
        "5@r1=14 5@r3=25 5@r5=24 5@r7=158",
        // Finds nothing: there is no fin.
        "5@r1=14 5@r3=58 5@r5=45 5@r7=18",
    ],
);
