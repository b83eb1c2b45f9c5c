//! The solving technique "Hidden single in a box": its manual, the search for its steps, and its tests.

use super::{list_hidden_singles, place_hidden_singles};
use crate::board::{DigitVectors, House};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// A digit has one place left in a box, and is placed there. Also called disguised single.
    ///
    /// # Why it is sound
    ///
    /// Every box holds every digit, and no other cell of the box can hold this one.
    HiddenSingleBox {
        name: "Hidden single in a box",
        level: Level::Easy,
        effort: 14,
        hodoku_codes: &["0002"],
        hodoku_order: Some(30),
        explainer: "1.2",
        hodoku_names: &["Hidden Single"],
        explainer_names: &["Hidden single in a box"],
        example: Example {
            grid: "942538716736491582851726349318249675..916.43846.38.921.8.6.31946938142571.49..863",
            removed: "",
            effect: "r9c6=2",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    place_hidden_singles(board, DigitVectors::hidden_singles_in_boxes, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    list_hidden_singles(board, House::boxes(), found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &HiddenSingleBox,
    &[
        ("5@b1=5", "r2c2=5"),
        // The 1s in rows 2 and 3 and columns 2 and 3 leave one place in box 1.
        ("/...1/......1//.1///..1", "r1c1=1"),
        // A hidden single in each of two boxes.
        ("5@b1=5 6@b9=1", "r2c2=5, r7c7=6"),
    ],
    &[
        // Both find nothing. In the first, the digit has two places in the box; in the second, it has one place in a
        // row, not in a box.
        "5@b1=12", "5@r2=3",
    ],
);
