//! The solving technique "Locked candidates, pointing": its manual, the search for its steps, and its tests.

use super::{list_locked, remove_locked};
use crate::board::DigitVectors;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// All places of a digit in a box are in one line. The digit is removed from the rest of
    /// the line. Also called pointing pair, pointing triple, row owner or column owner.
    ///
    /// # Why it is sound
    ///
    /// The box holds the digit in one of the cells that it shares with the line, so no other
    /// cell of the line holds it.
    LockedPointing {
        name: "Locked candidates, pointing",
        level: Level::Medium,
        effort: 50,
        hodoku_codes: &["0100"],
        hodoku_order: Some(50),
        explainer: "2.6",
        hodoku_names: &["Locked Candidates Type 1 (Pointing)"],
        explainer_names: &["Pointing"],
        example: Example {
            grid: "25896.1..1365.8.9297423158682519..6.7436258196198..2.5597382641462719358381456927",
            removed: "",
            effect: "r4c6<>4",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    remove_locked(board, DigitVectors::pointing, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    list_locked(board, |crossing| (crossing.box_, crossing.line), found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &LockedPointing,
    &[
        // The places of a box are in one row.
        ("5@b1=12", "r1c456789<>5"),
        // The places of a box are in one column.
        ("5@b1=147", "r456789c1<>5"),
        // The digit is locked in two boxes: in a row of one, and in a column of the other.
        ("5@b1=12 5@b5=28", "r1c456789<>5, r23c5<>5, r789c5<>5"),
    ],
    &[
        // Both find nothing. In the first, the two places of the box share no line; in the second, the box has other
        // places.
        "5@b1=15", "5@r1=12",
    ],
);
