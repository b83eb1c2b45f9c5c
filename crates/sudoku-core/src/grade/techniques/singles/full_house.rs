//! The solving technique "Full house": its manual, the search for its steps, and its tests.

use super::place_candidates;
use crate::board::{Candidates, Cell, CellSet, DigitSet, House};
use crate::grade::quick_singles::last_of_a_house;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// The last empty cell of a row, a column or a box gets the digit that the house lacks.
    ///
    /// # Why it is sound
    ///
    /// A house holds each digit once. Eight digits are placed, so the ninth belongs in the last
    /// cell.
    FullHouse {
        name: "Full house",
        level: Level::Easy,
        effort: 4,
        hodoku_codes: &["0000"],
        hodoku_order: Some(10),
        explainer: "1.0",
        hodoku_names: &["Full House"],
        explainer_names: &["Last cell of a house"],
        example: Example {
            grid: "69134287547895162323567849116389475254.213968829765134712586349386429517954137286",
            removed: "",
            effect: "r5c3=7",
        },
    }
    union: find_union,
    list: list_steps,
}

/// The last empty cell of a house sees all eight other digits, so it is a naked single.
fn naked_singles(board: &Position) -> CellSet {
    board.unsolved() & board.exactly_one()
}

fn find_union(board: &Position, found: &mut Steps) {
    let singles = naked_singles(board);
    if !singles.is_empty() {
        let last_cells = last_of_a_house(board.unsolved(), singles);
        place_candidates(board, last_cells, found);
    }
}

fn list_steps(board: &Position, found: &mut Steps) {
    for cell in naked_singles(board) {
        for house in cell.houses() {
            if is_last(board, house, cell)
                && let Some(digit) = board.digits(cell).single()
            {
                found.place(cell, digit, || {
                    Pattern::new([house], house.cells(), DigitSet::from_iter([digit]))
                });
            }
        }
    }
}

/// Whether the cell is the only unsolved cell of the house.
fn is_last(board: &Candidates, house: House, cell: Cell) -> bool {
    house.cells() & board.unsolved() == CellSet::of(cell)
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &FullHouse,
    &[
        // r1c9 is the last empty cell of its row.
        ("12345678.", "r1c9=9"),
        // r3c3 is the last empty cell of its box.
        ("123/456/78.", "r3c3=9"),
        // A row and a box each have one empty cell.
        (
            "12345678.//////......231/......564/......89.",
            "r1c9=9, r9c9=7",
        ),
    ],
    &[
        // Finds nothing: the row has two empty cells.
        "1234567..",
        // Finds nothing: r1c9 has one candidate, but it is not the last empty cell of a house.
        "12345....//........6//........7//........8",
    ],
);
