//! Unique rectangle, type 6: a technique that assumes exactly one solution.

use super::rectangle::{are_in_line, for_each_rectangle, has_no_place_but};
use crate::board::House;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells are in two rows, two columns and two boxes. Two opposite cells have
    /// only two candidates, the same ones. In both rows, or in both columns, one of these
    /// digits has no other place than the four cells. It is removed from the other two opposite
    /// cells.
    ///
    /// # Why it is sound
    ///
    /// As in an X-wing, the digit is in two opposite cells. If these were the cells that have
    /// further candidates, the other two would both hold the second digit, and exchanging the
    /// two digits would give a second solution.
    UniqueRectangle6 {
        id: "unique_rectangle_6",
        name: "Unique rectangle, type 6",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0605"],
        hodoku_order: Some(300),
        explainer: "~4.5",
        hodoku_names: &["Uniqueness Test 6"],
        explainer_names: &[],
        example: Example {
            grid: "796514...435782961821369..5187235.9.3641978522598461..972451...5486.3.196139.85..",
            removed: "",
            effect: "r1c8<>8, r7c9<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        let extra_cells = rectangle.extra_cells();
        if extra_cells.len() != 2 || are_in_line(extra_cells) {
            return;
        }
        let [corner, .., opposite] = rectangle.cells;
        for digit in rectangle.pair {
            for lines in [
                [corner, opposite].map(|cell| House::row(cell.row())),
                [corner, opposite].map(|cell| House::column(cell.column())),
            ] {
                if has_no_place_but(board, digit, &lines, rectangle.all()) {
                    found.eliminate(board, [(digit, extra_cells)], || {
                        let reason = format!("{digit} stands in two opposite cells");
                        rectangle.pattern(lines, reason)
                    });
                }
            }
        }
    });
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &UniqueRectangle6,
    &[
        // In both rows, 1 has no place outside the rectangle.
        ("r1c1=12 r2c4=12 1@r1=14 1@r2=14", "r1c4<>1, r2c1<>1"),
        // In both columns, 2 has no place outside the rectangle.
        ("r1c1=12 r2c4=12 2@c1=12 2@c4=12", "r1c4<>2, r2c1<>2"),
        // The two boxes are in one stack.
        ("r1c1=45 r4c2=45 5@c1=14 5@c2=14", "r1c2<>5, r4c1<>5"),
    ],
    &[
        // Finds nothing: 1 has a third place in the second row.
        "r1c1=12 r2c4=12 1@r1=14 1@r2=145",
        // Finds nothing: 1 has only two places in the first row, but more in the second.
        "r1c1=12 r2c4=12 1@r1=14 2@r2=14",
    ],
);
