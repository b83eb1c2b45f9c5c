//! Assume a candidate, fill in what follows, and compare.

mod branches;
pub(crate) mod cell_region_forcing;
pub(crate) mod dynamic_forcing;
pub(crate) mod nested_forcing;
pub(crate) mod nishio;
mod propagate;
mod trace;

pub(in crate::grade) use branches::Branches;

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::grade::{Pattern, Position, Steps};

fn refute_and_compare(board: &Position, branches: &Branches, with: &str, found: &mut Steps) {
    refute(board, &branches.refuted(), found, |digit, cell| {
        format!("were {cell} {digit}, {with} would lead to a contradiction")
    });
    common(board, branches, with, found);
}

fn refute(
    board: &Position,
    refuted: &CandidateSet,
    found: &mut Steps,
    why: impl Fn(Digit, Cell) -> String,
) {
    if !found.is_listing() {
        if !refuted.is_empty() {
            found.eliminate(board, refuted.by_digit(), Pattern::default);
        }
        return;
    }
    for (digit, cells) in refuted.by_digit() {
        for cell in cells {
            let cells = CellSet::of(cell);
            found.eliminate(board, [(digit, cells)], || {
                Pattern::new([], cells, DigitSet::from_iter([digit])).because(why(digit, cell))
            });
        }
    }
}

/// What is gone whichever candidate of a cell is true, and wherever in a house a digit stands.
fn common(board: &Position, branches: &Branches, with: &str, found: &mut Steps) {
    for cell in board.unsolved() {
        let cases = board.digits(cell).map(|digit| (digit, cell));
        let gone = branches.gone_in_all(board, cases);
        if !gone.is_empty() {
            found.eliminate(board, gone.by_digit(), || {
                let digits = board.digits(cell);
                Pattern::new([], CellSet::of(cell), digits).because(format!(
                    "whichever of {digits} stands in {cell}, {with} lead there"
                ))
            });
        }
    }
    for digit in Digit::ALL {
        let open = board.open_places(digit);
        for house in House::ALL {
            let places = open & house.cells();
            let gone = branches.gone_in_all(board, places.map(|cell| (digit, cell)));
            if !gone.is_empty() {
                found.eliminate(board, gone.by_digit(), || {
                    Pattern::new([house], places, DigitSet::from_iter([digit])).because(format!(
                        "wherever in {house} {digit} stands, {with} lead there"
                    ))
                });
            }
        }
    }
}
