//! Unique rectangle, type 1: a technique that assumes exactly one solution.

use super::rectangle::for_each_rectangle;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells are in two rows, two columns and two boxes. Three of them have only
    /// two candidates, the same ones. Both digits are removed from the fourth cell.
    ///
    /// # Why it is sound
    ///
    /// If the fourth cell held one of the two digits, they would alternate in the four cells.
    /// No cell is a clue, so exchanging the digits would give a second solution, but the puzzle
    /// has exactly one.
    UniqueRectangle1 {
        id: "unique_rectangle_1",
        name: "Unique rectangle, type 1",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0600"],
        hodoku_order: Some(250),
        explainer: "4.5",
        hodoku_names: &["Uniqueness Test 1"],
        explainer_names: &["Unique rectangle type 1"],
        example: Example {
            grid: ".4.3968.79.34876..687152943.389.176..765.31891.96783.48927145367648352913..269478",
            removed: "",
            effect: "r4c1<>24",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        let extra_cells = rectangle.extra_cells();
        if extra_cells.len() == 1 {
            let removals = rectangle.pair.map(|digit| (digit, extra_cells));
            found.eliminate(board, removals, || {
                rectangle.pattern(Vec::new(), "only this cell can break the rectangle".into())
            });
        }
    });
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &UniqueRectangle1,
    &[
        // The four cells are in two rows of a band.
        ("r12c1=12 r1c4=12", "r2c4<>12"),
        // The four cells are in two columns of a stack.
        ("r1c12=34 r4c1=34", "r4c2<>34"),
        // The fourth cell lacks one of the two digits.
        ("r12c1=12 r1c4=12 r2c4=1345", "r2c4<>1"),
    ],
    &[
        // Finds nothing: the cells are in four boxes.
        "r14c1=12 r1c4=12",
        // Finds nothing: two cells have extra digits.
        "r12c1=12 r1c4=123",
    ],
);
