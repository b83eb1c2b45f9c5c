//! Unique rectangle, type 2: a technique that assumes exactly one solution.

use super::rectangle::for_each_rectangle;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four unsolved cells are in two rows, two columns and two boxes. Two of them have only
    /// two candidates, the same ones. The other two are in one row or column, and have these
    /// candidates and one further digit, which is the same for both. The further digit is
    /// removed from all cells that see both.
    ///
    /// # Why it is sound
    ///
    /// If neither of the two cells held the further digit, the two digits would alternate in
    /// the four cells. Exchanging them would give a second solution. So one of the two cells
    /// holds the further digit.
    UniqueRectangle2 {
        id: "unique_rectangle_2",
        name: "Unique rectangle, type 2",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0601"],
        hodoku_order: Some(260),
        explainer: "4.5",
        hodoku_names: &["Uniqueness Test 2"],
        explainer_names: &["Unique rectangle type 2"],
        example: Example {
            grid: ".5462.97337259461869.7.3254426139785913875462785462139.493.7.2656.24.39.23.9.6.4.",
            removed: "",
            effect: "r3c3<>8, r7c1<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    for_each_rectangle(board, |rectangle| {
        if rectangle.two_extra_cells_in_line().is_some() {
            rectangle.eliminate_shared_digit(board, found);
        }
    });
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &UniqueRectangle2,
    &[
        // The two cells with the extra digit share a column and a box.
        ("r12c1=12 r12c4=123", "r12c56<>3, r3c456<>3, r456789c4<>3"),
        // The two cells with the extra digit share a row and a box.
        ("r1c12=45 r5c12=456", "r5c3456789<>6, r46c123<>6"),
        // The two cells with the extra digit share only a row.
        ("r1c14=12 r2c14=123", "r2c2356789<>3"),
    ],
    &[
        // Finds nothing: the two cells have different extra digits.
        "r12c1=12 r1c4=123 r2c4=124",
        // Finds nothing: the two cells have two extra digits.
        "r12c1=12 r12c4=1234",
    ],
);
