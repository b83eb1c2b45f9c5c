//! The solving technique "Naked quad": its manual, the search for its steps, and its tests.

use super::naked;
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four cells of a house have together at most four candidates. These digits are removed
    /// from the rest of the house.
    ///
    /// # Why it is sound
    ///
    /// The four cells hold four different digits. There are only four to choose from, so all of
    /// them are in these cells.
    NakedQuad {
        name: "Naked quad",
        level: Level::Hard,
        effort: 120,
        hodoku_codes: &["0202"],
        hodoku_order: Some(110),
        explainer: "5.0",
        hodoku_names: &["Naked Quadruple"],
        explainer_names: &["Naked quad"],
        example: Example {
            grid: ".7.423561.1.798234..4156987.8.5.917....2.785..5768134....87.6.3.6.9147257..36.4.8",
            removed: "",
            effect: "r4c1<>23, r5c1<>39, r7c1<>29",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    naked::find_union::<4>(board, TechniqueName::NakedQuad, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    naked::list_steps::<4>(board, TechniqueName::NakedQuad, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &NakedQuad,
    &[
        // Each digit is a candidate of two of the four cells of the row.
        ("r1c1=12 r1c3=23 r1c5=34 r1c7=14", "r1c24689<>1234"),
        // A naked quad in a column.
        ("r1259c1=1234", "r34678c1<>1234"),
        // A naked quad in a box.
        (
            "r4c4=12 r5c5=1234 r6c6=34 r4c6=13",
            "r4c5<>1234, r5c46<>1234, r6c45<>1234",
        ),
    ],
    &[
        // Finds nothing: the cells have together five candidates.
        "r1c1=12 r1c3=23 r1c5=34 r1c7=15",
        // Finds nothing: the fourth cell is in another row.
        "r1c1=12 r1c3=23 r1c5=34 r2c7=14",
    ],
);
