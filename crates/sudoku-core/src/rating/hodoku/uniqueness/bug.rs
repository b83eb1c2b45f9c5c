//! HoDoKu's technique "bivalue universal grave + 1".

use crate::board::{Digit, House};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// One cell has three candidates, all other empty cells have two. One digit of that cell has three places in each house
/// of the cell. Otherwise, a digit has at most two places in a house.
pub(crate) fn bug_plus_1(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let [_, _, three] = state.candidates().at_least();
    let cell = three.single()?;
    let (digits, houses) = (state.digits(cell), cell.houses());
    let has_three = |digit: &Digit| houses.iter().all(|house| state.free(*house, *digit) == 3);
    let extra = { digits }.find(has_three)?;
    let mut counts = House::ALL
        .into_iter()
        .flat_map(|house| Digit::ALL.map(|digit| (house, digit)));
    let is_two = counts.all(|(house, digit)| {
        state.free(house, digit) <= 2 || (digit == extra && houses.contains(&house))
    });
    let mut other_digits = digits;
    other_digits.remove(extra);
    let removed = state.candidates_in([cell], other_digits).collect();
    (digits.len() == 3 && is_two).then(|| Step::removing(search.name, removed))?
}
