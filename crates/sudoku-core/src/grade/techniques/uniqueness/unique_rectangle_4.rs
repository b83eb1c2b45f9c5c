//! Unique rectangle, type 4: a technique that assumes exactly one solution.

use super::rectangle::{for_each_rectangle, has_no_place_but, shared_houses};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells are in two rows, two columns and two boxes. Two of them have only
    /// two candidates, the same ones. The other two are in one row or column. In a house that
    /// has both of them, one of the two digits has no other place. The other digit is removed
    /// from both.
    ///
    /// # Why it is sound
    ///
    /// One of these two cells holds the first digit. If the other one held the second digit,
    /// the digits would alternate in the four cells, and exchanging them would give a second
    /// solution.
    UniqueRectangle4 {
        id: "unique_rectangle_4",
        name: "Unique rectangle, type 4",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0603"],
        hodoku_order: Some(280),
        explainer: "4.5",
        hodoku_names: &["Uniqueness Test 4"],
        explainer_names: &["Unique rectangle type 4"],
        example: Example {
            grid: "23954.67.481796325756.239.456743.2...1425.76..92.6745.673985142928614537145372896",
            removed: "",
            effect: "r5c9<>8, r6c9<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        let Some(extra) = rectangle.two_extra_cells_in_line() else {
            return;
        };
        for (strong, other) in rectangle.both_orders() {
            for house in shared_houses(extra) {
                if has_no_place_but(board, strong, &[house], extra) {
                    found.eliminate(board, [(other, extra)], || {
                        let reason = format!("one of the two cells holds {strong}");
                        rectangle.pattern([house], reason)
                    });
                }
            }
        }
    });
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &UniqueRectangle4,
    &[
        // In the column, 1 has no place outside the rectangle.
        ("r12c1=12 1@c4=12", "r12c4<>2"),
        // In the box, 1 has no place outside the rectangle.
        ("r12c1=12 1@b2=14", "r12c4<>2"),
        // In the row, 4 has no place outside the rectangle.
        ("r1c12=34 4@r5=12", "r5c12<>3"),
    ],
    &[
        // Finds nothing: 1 has a third place in the column.
        "r12c1=12 1@c4=125",
        // Finds nothing: the digit with only two places in the column, 3, is not one of the rectangle's digits.
        "r12c1=12 3@c4=12",
    ],
);
