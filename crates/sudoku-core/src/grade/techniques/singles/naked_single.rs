//! The solving technique "Naked single": its manual, the search for its steps, and its tests.

use super::place_candidates;
use crate::board::{CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A cell has one candidate left, which is placed there. Also called obvious single or
    /// singleton.
    ///
    /// # Why it is sound
    ///
    /// Every cell holds a digit, and this cell cannot hold any of the other eight.
    NakedSingle {
        name: "Naked single",
        level: Level::Easy,
        effort: 4,
        hodoku_codes: &["0003"],
        hodoku_order: Some(20),
        explainer: "2.3",
        hodoku_names: &["Naked Single"],
        explainer_names: &["Naked single"],
        example: Example {
            grid: "7819.65.35237816494963.51.7847692315915473862632518974354867291278159436169234758",
            removed: "",
            effect: "r1c8=2",
        },
    }
    union: find_union,
    list: list_steps,
}

fn naked_singles(board: &Position) -> CellSet {
    board.unsolved() & board.exactly_one()
}

fn find_union(board: &Position, found: &mut Steps) {
    place_candidates(board, naked_singles(board), found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let singles = naked_singles(board);
    for digit in Digit::ALL {
        for cell in singles & board.places(digit) {
            found.place(cell, digit, || {
                Pattern::new([], CellSet::of(cell), DigitSet::from_iter([digit]))
            });
        }
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &NakedSingle,
    &[
        // r1c9 is the last empty cell of its row.
        ("12345678.", "r1c9=9"),
        // The digits in the row and the column of r1c9 leave one candidate.
        ("12345....//........6//........7//........8", "r1c9=9"),
        // The candidates come from pencil marks.
        ("r5c5=7 r9c1=2", "r5c5=7, r9c1=2"),
    ],
    &[
        // Both find nothing. In the first, the cell has two candidates; in the second, the only place of 5 also has
        // other candidates.
        "r5c5=78", "5@r2=3",
    ],
);
