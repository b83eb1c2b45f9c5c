//! Unique loop, type 3: the two cells with extra candidates together act as one cell of a naked or hidden set, in a
//! house that contains both.

use super::shared_houses;
use crate::board::{CandidateSet, Cell, Digit, DigitSet, House};
use crate::rating::board::Board;
use crate::rating::hint::remove_digits;
use crate::rating::subsets::{subsets, subsets_of};

/// Calls `offer` for each hint with two values: the amount that is added to the base rating, and the removed
/// candidates.
pub(super) fn hints_of(
    board: &Board,
    cells: [Cell; 2],
    pair: DigitSet,
    extra: DigitSet,
    mut offer: impl FnMut(f64, CandidateSet),
) {
    let [first, second] = cells;
    for size in extra.len()..=7 {
        for (house, a, b) in shared_houses(first, second) {
            let empty = board.empty_in(house);
            let set = SubsetSearch {
                board,
                house,
                size,
                cells: 1 << a | 1 << b,
                first: 1 << a,
                second: 1 << b,
            };
            if 2 * size <= empty {
                let common = board.digits(first).intersection(board.digits(second));
                set.naked(extra, extra.intersection(common), &mut offer);
            }
            if 2 * size < empty {
                set.hidden(pair, extra, &mut offer);
            }
        }
    }
}

struct SubsetSearch<'a> {
    board: &'a Board,
    house: House,
    size: usize,
    /// The positions of the two cells in the house, as bits. `first` has only the position of the first cell, `second`
    /// that of the second cell.
    cells: u16,
    first: u16,
    second: u16,
}

impl SubsetSearch<'_> {
    fn digits_at(&self, place: usize) -> DigitSet {
        self.board.digits(self.house.cell(place))
    }

    fn naked(&self, extra: DigitSet, in_both: DigitSet, offer: &mut impl FnMut(f64, CandidateSet)) {
        let with_first =
            subsets(self.size).filter(|mask| mask & self.first != 0 && mask & self.second == 0);
        for mask in with_first {
            let other_places = (0..9).filter(|n| mask & !self.first & 1 << n != 0);
            let has_two = other_places.clone().all(|n| self.digits_at(n).len() >= 2);
            let theirs = other_places.fold(DigitSet::EMPTY, |all, n| all.union(self.digits_at(n)));
            let union = theirs.union(extra);
            if !has_two || theirs.union(in_both).len() != self.size || union.len() != self.size {
                continue;
            }
            let mut removed = CandidateSet::EMPTY;
            for cell in self.house.unproject(!(mask | self.cells) & 0x1ff) {
                remove_digits(self.board, &mut removed, cell, union);
            }
            if !removed.is_empty() {
                offer(0.1 * (self.size - 1) as f64, removed);
            }
        }
    }

    fn hidden(&self, pair: DigitSet, extra: DigitSet, offer: &mut impl FnMut(f64, CandidateSet)) {
        let mut other_digits = [Digit::ALL[0]; 9];
        let mut count = 0;
        for digit in pair.union(extra).complement() {
            other_digits[count] = digit;
            count += 1;
        }
        if count == 0 {
            return;
        }
        for mask in subsets_of(count, self.size - 2) {
            let chosen = (0..count).filter(|n| mask >> n & 1 == 1);
            let digits = chosen.fold(pair, |mut all, n| {
                all.insert(other_digits[n]);
                all
            });
            let places = |digit| self.board.places(self.house, digit) & !self.second;
            if digits.into_iter().any(|digit| places(digit) == 0) {
                continue;
            }
            let union = digits.fold(0, |all, digit| all | places(digit));
            if union.count_ones() as usize != self.size {
                continue;
            }
            let members = union & !self.cells;
            let mut removed = CandidateSet::EMPTY;
            for cell in self.house.unproject(members) {
                remove_digits(self.board, &mut removed, cell, digits.complement());
            }
            if !removed.is_empty() {
                offer(0.1 * (f64::from(members.count_ones()) - 1.0), removed);
            }
        }
    }
}
