//! Unique rectangle, type 5: a technique that assumes exactly one solution.

use super::rectangle::for_each_rectangle;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Like type 2, but two opposite cells or three cells have the further digit. It is removed
    /// from all cells that see all of them.
    ///
    /// # Why it is sound
    ///
    /// If none of these cells held the further digit, the two digits would alternate in the
    /// four cells. Exchanging them would give a second solution. So one of the cells holds the
    /// further digit.
    UniqueRectangle5 {
        id: "unique_rectangle_5",
        name: "Unique rectangle, type 5",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0604"],
        hodoku_order: Some(290),
        explainer: "~4.5",
        hodoku_names: &["Uniqueness Test 5"],
        explainer_names: &[],
        example: Example {
            grid: "4621.8..393526.18.1785.36.23.672.8.1..16...3....3.1.698194..326...836915653912478",
            removed: "456 761 955",
            effect: "r5c9<>7",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        let is_type_2 = rectangle.two_extra_cells_in_line().is_some();
        if (2..=3).contains(&rectangle.extra_cells().len()) && !is_type_2 {
            rectangle.eliminate_shared_digit(board, found);
        }
    });
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &UniqueRectangle5,
    &[
        // The extra digit is in two opposite cells.
        ("r1c1=12 r2c4=12 r1c4=123 r2c1=123", "r1c23<>3, r2c56<>3"),
        // The extra digit is in three cells.
        ("r1c1=12 r1c4=123 r2c14=123", "r2c56<>3"),
        // The two boxes are in one stack.
        ("r1c1=45 r4c2=45 r1c2=456 r4c1=456", "r23c1<>6, r56c2<>6"),
    ],
    &[
        // Finds nothing: the two cells have different extra digits.
        "r1c1=12 r2c4=12 r1c4=123 r2c1=124",
        // Finds nothing: the two cells are in one column, which is type 2.
        "r12c1=12 r12c4=123",
    ],
);
