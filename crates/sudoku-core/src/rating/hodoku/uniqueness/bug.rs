//! Bivalue universal grave + 1.

use crate::board::{Digit, House};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// One cell has three candidates, all others have two; one candidate of this cell has three places in
/// each house of the cell, and no other digit has three places anywhere.
pub(crate) fn bug_plus_1(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let mut three = None;
    for cell in state.empty() {
        match state.digits(cell).len() {
            0..=2 => {}
            3 if three.is_none() => three = Some(cell),
            _ => return None,
        }
    }
    let cell = three?;
    let mut noted: [Option<House>; 3] = [None; 3];
    let mut extra: Option<Digit> = None;
    for house in House::ALL {
        for digit in Digit::ALL {
            match state.free(house, digit) {
                0..=2 => {}
                3 if noted[house.index() / 9].is_none() && extra.is_none_or(|d| d == digit) => {
                    noted[house.index() / 9] = Some(house);
                    extra = Some(digit);
                }
                _ => return None,
            }
        }
    }
    let extra = extra.filter(|digit| state.digits(cell).contains(*digit))?;
    if noted != cell.houses().map(Some) {
        return None;
    }
    let others = state.digits(cell).filter(|digit| *digit != extra);
    let removed = others.map(|digit| (cell, digit)).collect();
    Step::removing("Bivalue Universal Grave + 1", removed)
}
