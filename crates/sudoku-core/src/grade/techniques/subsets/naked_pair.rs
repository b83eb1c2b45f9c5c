//! The solving technique "Naked pair": its manual, the search for its steps, and its tests.

use super::naked;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Two cells of a house have together at most two candidates. These digits are removed from
    /// the rest of the house. Also called obvious pair or naked group of two.
    ///
    /// # Why it is sound
    ///
    /// The two cells hold two different digits. There are only two to choose from, so all of
    /// them are in these cells.
    NakedPair {
        name: "Naked pair",
        level: Level::Medium,
        effort: 60,
        hodoku_codes: &["0200", "0110"],
        hodoku_order: Some(70),
        explainer: "3.0",
        hodoku_names: &["Naked Pair"],
        explainer_names: &["Naked pair"],
        example: Example {
            grid: "9.8621.3..6.398.12123745869..9852641482167395615439278...21698.2.1983.56896574123",
            removed: "",
            effect: "r7c1<>7, r7c2<>47",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    naked::find_union::<2>(board, TechniqueName::NakedPair, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    naked::list_steps::<2>(board, TechniqueName::NakedPair, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &NakedPair,
    &[
        // A naked pair in a row.
        ("r1c15=12", "r1c2346789<>12"),
        // A naked pair in a box.
        ("r1c1=12 r2c2=12", "r1c23<>12, r2c13<>12, r3c123<>12"),
        // A naked pair in a row and a box.
        ("r1c12=12", "r1c3456789<>12, r23c123<>12"),
    ],
    &[
        // Finds nothing: the cells have together three candidates.
        "r1c1=12 r1c5=13",
        // Finds nothing: no house contains both cells.
        "r1c1=12 r2c5=12",
        // Finds nothing: each cell has three candidates.
        "r1c15=123",
    ],
);
