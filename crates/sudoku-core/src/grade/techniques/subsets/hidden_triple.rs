//! The solving technique "Hidden triple": its manual, the search for its steps, and its tests.

use super::hidden::hidden_subsets;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Three digits have together at most three places in a house. All other candidates are
    /// removed from these cells.
    ///
    /// # Why it is sound
    ///
    /// The three digits are in three different cells. There are only three to choose from, so
    /// these cells hold no other digit.
    HiddenTriple {
        name: "Hidden triple",
        level: Level::Medium,
        effort: 100,
        hodoku_codes: &["0211"],
        hodoku_order: Some(100),
        explainer: "4.0",
        hodoku_names: &["Hidden Triple"],
        explainer_names: &["Hidden triplet"],
        example: Example {
            grid: "598...231637251948124..3675759..64124625197833814725699.....8242.3..81568...2.397",
            removed: "",
            effect: "r7c4<>7",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    hidden_subsets::<3>(board, TechniqueName::HiddenTriple, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &HiddenTriple,
    &[
        // Each digit has two places among the three cells of the row.
        ("1@r1=15 2@r1=59 3@r1=19", "r1c159<>456789"),
        // A hidden triple in a box.
        (
            "1@b5=159 2@b5=159 3@b5=15",
            "r4c4<>456789, r5c5<>456789, r6c6<>456789",
        ),
        // A hidden triple in a column.
        ("1@c3=147 2@c3=147 3@c3=147", "r147c3<>456789"),
    ],
    &[
        // Finds nothing: the three digits have together four places.
        "1@r1=15 2@r1=59 3@r1=18",
        // Finds nothing: one digit has a fourth place.
        "1@r1=1589 2@r1=158 3@r1=158",
    ],
);
