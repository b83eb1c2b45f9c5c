//! The solving technique "Hidden single in a line": its manual, the search for its steps, and its tests.

use super::{list_hidden_singles, place_hidden_singles};
use crate::board::{DigitVectors, House};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// A digit has one place left in a row or a column, and is placed there.
    ///
    /// # Why it is sound
    ///
    /// Every line holds every digit, and no other cell of the line can hold this one.
    HiddenSingleLine {
        name: "Hidden single in a line",
        level: Level::Easy,
        effort: 14,
        hodoku_codes: &["0002"],
        hodoku_order: Some(40),
        explainer: "1.5",
        hodoku_names: &["Hidden Single"],
        explainer_names: &["Hidden single in a line"],
        example: Example {
            grid: "2751693..689734521143825.7.7914862535683127..324957.1.437591..2956248137812673..5",
            removed: "",
            effect: "r9c7=4",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    place_hidden_singles(board, DigitVectors::hidden_singles_in_lines, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    list_hidden_singles(board, House::lines(), found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &HiddenSingleLine,
    &[
        // The digit has one place in a row.
        ("5@r2=3", "r2c3=5"),
        // The digit has one place in a column.
        ("5@c7=9", "r9c7=5"),
        // One digit has one place in a row, another digit has one place in a column.
        ("5@r2=3 4@c7=9", "r2c3=5, r9c7=4"),
    ],
    &[
        // Both find nothing. In the first, the digit has two places in the row; in the second, it has one place in a
        // box, not in a line.
        "5@r2=37", "5@b1=5",
    ],
);
