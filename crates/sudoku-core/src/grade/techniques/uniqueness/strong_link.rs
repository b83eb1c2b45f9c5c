use crate::board::{Candidates, CellSet, Digit, House};

/// Whether the digit, which stands nowhere in the house yet, has no place there outside the cells.
pub(super) fn has_no_place_but(
    board: &Candidates,
    digit: Digit,
    house: House,
    cells: CellSet,
) -> bool {
    (board.places(digit) & house.cells()).is_subset(cells)
}
