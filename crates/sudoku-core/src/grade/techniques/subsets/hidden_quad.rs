//! The solving technique "Hidden quad": its manual, the search for its steps, and its tests.

use super::hidden::hidden_subsets;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four digits have together at most four places in a house. All other candidates are
    /// removed from these cells.
    ///
    /// # Why it is sound
    ///
    /// The four digits are in four different cells. There are only four to choose from, so
    /// these cells hold no other digit.
    HiddenQuad {
        name: "Hidden quad",
        level: Level::Hard,
        effort: 150,
        hodoku_codes: &["0212"],
        hodoku_order: Some(120),
        explainer: "5.4",
        hodoku_names: &["Hidden Quadruple"],
        explainer_names: &["Hidden quad"],
        example: Example {
            grid: "..2385479.4.197....79246.3..5.96....29.51......8723....216.9.84.8.4.2...934851726",
            removed: "131 621 623",
            effect: "r4c7<>1, r4c9<>1, r5c7<>6",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    hidden_subsets::<4>(board, TechniqueName::HiddenQuad, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &HiddenQuad,
    &[
        // Each digit has two places among the four cells of the row.
        ("1@r1=13 2@r1=35 3@r1=57 4@r1=17", "r1c1357<>56789"),
        // A hidden quad in a column.
        ("1@c5=1279 2@c5=1279 3@c5=129 4@c5=27", "r1279c5<>56789"),
        // A hidden quad in a box.
        ("1@b9=1379 2@b9=1379 3@b9=1379 4@b9=1379", "r79c79<>56789"),
    ],
    &[
        // Finds nothing: the four digits have together five places.
        "1@r1=13 2@r1=35 3@r1=57 4@r1=18",
        // Finds nothing: the fourth digit is hidden in another row.
        "1@r1=13 2@r1=35 3@r1=57 4@r2=17",
    ],
);
