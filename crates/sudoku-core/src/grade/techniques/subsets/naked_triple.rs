//! The solving technique "Naked triple": its manual, the search for its steps, and its tests.

use super::naked;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Three cells of a house have together at most three candidates. These digits are removed
    /// from the rest of the house.
    ///
    /// # Why it is sound
    ///
    /// The three cells hold three different digits. There are only three to choose from, so all
    /// of them are in these cells.
    NakedTriple {
        name: "Naked triple",
        level: Level::Medium,
        effort: 80,
        hodoku_codes: &["0201", "0111"],
        hodoku_order: Some(80),
        explainer: "3.6",
        hodoku_names: &["Naked Triple"],
        explainer_names: &["Naked triplet"],
        example: Example {
            grid: "...2869412814793566..5132789253648173167584294781925638..64.1321.283..9....921.8.",
            removed: "",
            effect: "r8c2<>5, r9c2<>5, r9c3<>7",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    naked::find_union::<3>(board, TechniqueName::NakedTriple, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    naked::list_steps::<3>(board, TechniqueName::NakedTriple, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &NakedTriple,
    &[
        // Each digit is a candidate of two of the three cells of the row.
        ("r1c1=12 r1c5=23 r1c9=13", "r1c234678<>123"),
        // A naked triple in a box.
        (
            "r1c1=123 r2c2=123 r3c3=12",
            "r1c23<>123, r2c13<>123, r3c12<>123",
        ),
        // A naked triple in a row and a box.
        ("r1c1=12 r1c2=23 r1c3=13", "r1c456789<>123, r23c123<>123"),
    ],
    &[
        // Finds nothing: the cells have together four candidates.
        "r1c1=12 r1c5=23 r1c9=14",
        // Finds nothing: the last cell has a fourth candidate.
        "r1c15=123 r1c9=1234",
    ],
);
