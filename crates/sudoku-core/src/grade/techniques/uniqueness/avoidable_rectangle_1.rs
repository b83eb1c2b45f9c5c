use super::avoidable::{Solved, pattern};
use super::rectangle::rectangles_at;
use crate::board::CellSet;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// Four cells in two rows, two columns and two boxes, none of them given. Three are solved, with
    /// two digits, two opposite cells with the same: the other digit goes out of the fourth cell.
    ///
    /// # Why it is sound
    ///
    /// With that digit in the fourth cell, the two digits would alternate in four cells that are not
    /// given. Exchanging them would give another solution: but the puzzle has exactly one.
    AvoidableRectangle1 {
        id: "avoidable_rectangle_1",
        name: "Avoidable rectangle, type 1",
        level: Level::Hard,
        effort: 100,
        hodoku: &["0607"],
        hodoku_place: Some(320),
        explainer: "~4.5",
        watch: Watch::Board,
        example: Example {
            grid: "1.439752.532648971.971253.4276834195958261437341759..24.35.2.19.29413.5..159.6243",
            removed: "",
            effect: "r8c1<>8",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    let solved = Solved::new(board);
    // The open cell is the corner.
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
