//! Lists the steps of the technique Sue de Coq.

use crate::board::{CellSet, DigitSet, House};
use crate::grade::techniques::als::crossing::{Crossing, Part};
use crate::grade::{Position, Steps};

pub(in super::super) fn list_steps(board: &Position, found: &mut Steps) {
    let digits = board.by_cell();
    for &box_ in House::boxes() {
        for &line in House::lines() {
            let crossing = line.cells() & box_.cells() & board.unsolved();
            let rest = |house: House, other: House| {
                (house.cells() & board.unsolved()).without(other.cells())
            };
            let mut in_line = Part::all(rest(line, box_), digits);
            let mut in_box = Part::all(rest(box_, line), digits);
            // Parts with a lower excess (digits minus cells) come first in the list.
            in_line.sort_by_key(|part| part.excess);
            in_box.sort_by_key(|part| part.excess);
            for centre in centres(crossing, digits) {
                let crossing = Crossing { line, box_, centre };
                crossing.list(board, &in_line, &in_box, found);
            }
        }
    }
}

/// The possible centres of a Sue de Coq: two or three cells of a crossing that together have at least two more digits
/// than cells.
fn centres(crossing: CellSet, digits: &[DigitSet; 81]) -> impl Iterator<Item = Part> {
    let left_out = crossing.map(CellSet::of).chain([CellSet::EMPTY]);
    left_out
        .map(move |out| Part::new(crossing.without(out), digits))
        .filter(|centre| centre.count >= 2 && centre.excess >= 2)
}
