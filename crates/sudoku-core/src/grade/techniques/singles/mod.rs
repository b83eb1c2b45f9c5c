//! Singles: a cell has one candidate left, or a digit has one place left in a house.

pub(crate) mod full_house;
pub(crate) mod hidden_single_box;
pub(crate) mod hidden_single_line;
pub(crate) mod naked_single;

use crate::board::{Candidates, CellSet, Digit, DigitSet, DigitVectors, House};
use crate::grade::{Pattern, Steps};

/// Places the only candidate of each of these cells. Must not be called if steps are listed.
fn place_candidates(board: &Candidates, cells: CellSet, found: &mut Steps) {
    if !cells.is_empty() {
        found.place_sets(&board.all_places().map(|places| places & cells));
    }
}

/// Places each digit that has only one open place in a house. `quick` finds these placements.
fn place_hidden_singles(
    board: &Candidates,
    quick: impl Fn(DigitVectors) -> Option<[CellSet; 9]>,
    found: &mut Steps,
) {
    if let Some(singles) = quick(DigitVectors::open(board)) {
        found.place_sets(&singles);
    }
}

/// Lists a step for each digit that has only one open place in one of these houses.
fn list_hidden_singles(board: &Candidates, houses: &[House], found: &mut Steps) {
    for digit in Digit::ALL {
        let open_places = board.open_places(digit);
        if open_places.is_empty() {
            continue;
        }
        for &house in houses {
            if let Some(cell) = (open_places & house.cells()).single() {
                found.place(cell, digit, || {
                    Pattern::new([house], house.cells(), DigitSet::from_iter([digit]))
                });
            }
        }
    }
}
