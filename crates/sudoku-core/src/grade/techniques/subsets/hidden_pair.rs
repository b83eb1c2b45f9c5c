//! The solving technique "Hidden pair": its manual, the search for its steps, and its tests.

use super::hidden::hidden_subsets;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Two digits have together at most two places in a house. All other candidates are removed
    /// from these cells.
    ///
    /// # Why it is sound
    ///
    /// The two digits are in two different cells. There are only two to choose from, so these
    /// cells hold no other digit.
    HiddenPair {
        name: "Hidden pair",
        level: Level::Medium,
        effort: 70,
        hodoku_codes: &["0210"],
        hodoku_order: Some(90),
        explainer: "3.4",
        hodoku_names: &["Hidden Pair"],
        explainer_names: &["Hidden pair"],
        example: Example {
            grid: "869423157351876942247195...5869127347235648911947385269..641..56...594..4.5.87..9",
            removed: "",
            effect: "r8c2<>3, r8c8<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    hidden_subsets::<2>(board, TechniqueName::HiddenPair, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &HiddenPair,
    &[
        // A hidden pair in a row.
        ("1@r1=15 2@r1=15", "r1c15<>3456789"),
        // A hidden pair in a box.
        ("1@b1=15 2@b1=15", "r1c1<>3456789, r2c2<>3456789"),
        // A hidden pair in a column.
        ("1@c1=19 2@c1=19", "r19c1<>3456789"),
    ],
    &[
        // Finds nothing: the two digits have together three places.
        "1@r1=15 2@r1=16",
        // Finds nothing: the digits have their two places in different rows.
        "1@r1=15 2@r2=15",
        // Finds nothing: one digit has a third place.
        "1@r1=159 2@r1=15",
    ],
);
