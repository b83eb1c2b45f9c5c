//! Avoidable rectangle, type 1: a technique that assumes exactly one solution.

use super::avoidable::{SolvedDigits, pattern};
use super::rectangle::rectangles_at;
use crate::board::CellSet;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Steps};

technique! {
    /// Four cells are in two rows, two columns and two boxes, and none of them is a clue. Three
    /// of them are solved with two digits, and two opposite cells have the same digit. The
    /// digit that the third solved cell has is removed from the fourth cell.
    ///
    /// # Why it is sound
    ///
    /// With this digit in the fourth cell, the two digits would alternate in four cells that
    /// are no clues. Exchanging them would give a second solution, but the puzzle has exactly
    /// one.
    AvoidableRectangle1 {
        id: "avoidable_rectangle_1",
        name: "Avoidable rectangle, type 1",
        level: Level::Hard,
        effort: 100,
        hodoku_codes: &["0607"],
        hodoku_order: Some(320),
        explainer: "~4.5",
        hodoku_names: &["Avoidable Rectangle Type 1"],
        explainer_names: &[],
        example: Example {
            grid: "1.439752.532648971.971253.4276834195958261437341759..24.35.2.19.29413.5..159.6243",
            removed: "",
            effect: "r8c1<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let solved = SolvedDigits::new(board);
    // The rectangle has one unsolved cell. The search starts from it.
    for corner in board.unsolved() {
        for [_, beside, below, opposite] in rectangles_at(corner) {
            let digits = [beside, below, opposite].map(|cell| solved.digit(cell));
            let [Some(one), Some(two), Some(other)] = digits else {
                continue;
            };
            if one == two {
                found.eliminate(board, [(other, CellSet::of(corner))], || {
                    pattern(
                        [corner, beside, below, opposite],
                        [one, other],
                        format!("{other} in {corner} would complete it"),
                    )
                });
            }
        }
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &AvoidableRectangle1,
    &[
        // The two boxes are in one band.
        ("r1c1!1 r1c4!2 r2c1!2", "r2c4<>1"),
        // The fourth cell is in the upper row.
        ("r5c5!6 r5c7!7 r4c5!7", "r4c7<>6"),
        // The two boxes are in one stack.
        ("r1c1!3 r4c1!4 r1c2!4", "r4c2<>3"),
    ],
    &[
        // Finds nothing: r1c1 is a clue.
        "r1c1!1 r1c4!2 r2c1!2 r1c1*",
        // Finds nothing: the solved cells have three digits.
        "r1c1!1 r1c4!2 r2c1!3",
        // Finds nothing: the cells are in four boxes.
        "r1c1!1 r1c4!2 r4c1!2",
    ],
);
