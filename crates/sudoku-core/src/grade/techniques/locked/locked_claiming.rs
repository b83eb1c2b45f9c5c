//! The solving technique "Locked candidates, claiming": its manual, the search for its steps, and its tests.

use super::{list_locked, remove_locked};
use crate::board::DigitVectors;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// All places of a digit in a line are in one box. The digit is removed from the rest of
    /// the box. Also called box-line reduction.
    ///
    /// # Why it is sound
    ///
    /// The line holds the digit in one of the cells that it shares with the box, so no other
    /// cell of the box holds it.
    LockedClaiming {
        name: "Locked candidates, claiming",
        level: Level::Medium,
        effort: 50,
        hodoku_codes: &["0101"],
        hodoku_order: Some(60),
        explainer: "2.8",
        hodoku_names: &["Locked Candidates Type 2 (Claiming)"],
        explainer_names: &["Claiming"],
        example: Example {
            grid: "4691.852....542698582.961.4.584.12699.42658..62..8945.893654712276813945145927386",
            removed: "",
            effect: "r6c9<>7",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    remove_locked(board, DigitVectors::claiming, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    list_locked(board, |crossing| (crossing.line, crossing.box_), found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &LockedClaiming,
    &[
        // The places of a row are in one box.
        ("5@r1=12", "r23c123<>5"),
        // The places of a column are in one box.
        ("5@c9=789", "r789c78<>5"),
        // One digit is locked in a row, another digit in a column.
        ("5@r1=12 6@c9=78", "r23c123<>5, r789c78<>6"),
    ],
    &[
        // Both find nothing. In the first, the two places of the row are in different boxes; in the second, the row has
        // other places.
        "5@r1=14", "5@b1=12",
    ],
);
