use super::rectangle::Rectangle;
use crate::board::{Candidates, CellSet};
use crate::grade::Steps;

/// Where the extra cells have one further digit in common and no other: one of them holds it.
pub(super) fn shared_digit(
    board: &Candidates,
    rectangle: &Rectangle,
    extra: CellSet,
    found: &mut Steps,
) {
    if let Some(digit) = rectangle.extras().single() {
        found.eliminate(board, [(digit, extra.common_peers())], || {
            let why = format!("{digit} has to break the rectangle in one of these cells");
            rectangle.pattern(Vec::new(), why)
        });
    }
}
