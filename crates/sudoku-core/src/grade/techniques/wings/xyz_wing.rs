//! The solving technique "XYZ-wing": its manual, the search for its steps, and its tests.

use super::{listed, quick};
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// A cell with the candidates x, y and z (the pivot) sees a cell with x and z and a cell
    /// with y and z (the pincers). The digit z is removed from all cells that see the pivot and
    /// both pincers.
    ///
    /// # Why it is sound
    ///
    /// The pivot holds z, or it holds x or y, and then one of the pincers holds z.
    XyzWing {
        name: "XYZ-wing",
        level: Level::Hard,
        effort: 180,
        hodoku_codes: &["0801"],
        hodoku_order: Some(240),
        explainer: "4.4",
        hodoku_names: &["XYZ-Wing"],
        explainer_names: &["XYZ-wing"],
        example: Example {
            grid: "1476.9...8364.2...2958.1.46418365...762194583359728614684917235923546.7.571283469",
            removed: "",
            effect: "r3c7<>7",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    quick::find_union(board, 3, TechniqueName::XyzWing, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    listed::list_steps(board, 3, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &XyzWing,
    &[
        // The pivot shares a row with one pincer and a box with the other.
        ("r1c1=123 r1c5=13 r2c3=23", "r1c23<>3"),
        ("r5c5=456 r5c9=46 r4c4=56", "r5c46<>6"),
        // The pivot shares a column with one pincer and a box with the other.
        ("r5c5=456 r9c5=46 r4c4=56", "r46c5<>6"),
    ],
    &[
        // Finds nothing: no cell sees all three cells.
        "r1c1=123 r1c5=13 r5c1=23",
        // Finds nothing: one of the cells has a fourth digit.
        "r1c1=123 r1c5=13 r2c3=24",
        // Finds nothing: the pivot lacks z, so this is an XY-wing.
        "r1c1=12 r1c5=13 r2c3=23",
    ],
);
