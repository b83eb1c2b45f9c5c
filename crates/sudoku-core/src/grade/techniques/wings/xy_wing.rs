//! The solving technique "XY-wing": its manual, the search for its steps, and its tests.

use super::{listed, quick};
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// A cell with the candidates x and y (the pivot) sees a cell with x and z and a cell with
    /// y and z (the pincers). The digit z is removed from all cells that see both pincers.
    ///
    /// # Why it is sound
    ///
    /// The pivot holds x or y. So one of the pincers cannot hold this digit, and holds z.
    XyWing {
        name: "XY-wing",
        level: Level::Hard,
        effort: 160,
        hodoku_codes: &["0800"],
        hodoku_order: Some(230),
        explainer: "4.2",
        hodoku_names: &["XY-Wing"],
        explainer_names: &["XY-wing"],
        example: Example {
            grid: "7312465984869153..259783..45423.198.6934.8..58175.94.3378194.5.125637849964852731",
            removed: "",
            effect: "r2c8<>2",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    quick::find_union(board, 2, TechniqueName::XyWing, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    listed::list_steps(board, 2, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &XyWing,
    &[
        // The pivot shares a row with one pincer and a column with the other.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // The pivot shares a row with one pincer and a box with the other.
        ("r1c1=12 r1c5=13 r2c3=23", "r1c23<>3, r2c456<>3"),
        ("r9c9=45 r9c2=46 r1c9=56", "r1c2<>6"),
    ],
    &[
        // Finds nothing: the pincers have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
        // Finds nothing: the pivot does not see r5c2.
        "r1c1=12 r1c5=13 r5c2=23",
        // Finds nothing: the pivot has the third digit as a candidate.
        "r1c1=123 r1c5=13 r5c1=23",
    ],
);
