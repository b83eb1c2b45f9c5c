//! Aligned exclusion: computes with bit sets which digits two or three cells can have together. A digit of a cell is
//! allowed if at least one allowed combination contains it.

use crate::board::{CellSet, Digit, DigitSet};
use crate::rating::board::Board;

/// The combinations of digits that are forbidden in a base set (two or three cells), because an excluder cell has no
/// other candidates.
pub(super) struct ExcludedCombinations {
    /// For each digit, the digits that must not be combined with it, because some excluder has only these two
    /// candidates.
    with: [DigitSet; 9],
    /// The sets of three digits that must not be combined, because some excluder has only these three candidates.
    triples: [DigitSet; 20],
    count: usize,
}

impl ExcludedCombinations {
    #[inline(always)]
    pub(super) fn new(board: &Board, excluders: CellSet) -> ExcludedCombinations {
        let mut excluded = ExcludedCombinations {
            with: [DigitSet::EMPTY; 9],
            triples: [DigitSet::EMPTY; 20],
            count: 0,
        };
        for cell in excluders {
            let digits = board.digits(cell);
            if digits.len() == 2 {
                for digit in digits {
                    let with = &mut excluded.with[digit.index()];
                    *with = with.union(digits);
                    with.remove(digit);
                }
            } else {
                excluded.triples[excluded.count] = digits;
                excluded.count += 1;
            }
        }
        excluded
    }

    /// If a cell has `digit`, the digits of a second cell that can be combined with it. `digits` are the digits that
    /// the second cell can still have, and `sees` is true if the two cells see each other.
    #[inline(always)]
    fn combinable(&self, digit: Digit, digits: DigitSet, sees: bool) -> DigitSet {
        let mut digits_left = digits.intersection(self.with[digit.index()].complement());
        if sees {
            digits_left.remove(digit);
        }
        digits_left
    }

    pub(super) fn allowed_pair(&self, [first, second]: [DigitSet; 2], sees: bool) -> [DigitSet; 2] {
        let mut allowed = [DigitSet::EMPTY; 2];
        for a in first {
            let seconds = self.combinable(a, second, sees);
            if !seconds.is_empty() {
                allowed[0].insert(a);
                allowed[1] = allowed[1].union(seconds);
            }
        }
        allowed
    }

    /// For each of three cells, the digits that occur in an allowed combination. `sees` tells for three pairs of cells
    /// whether they see each other: first and second, first and third, second and third.
    #[inline(always)]
    pub(super) fn allowed_triplet(&self, digits: [DigitSet; 3], sees: [bool; 3]) -> [DigitSet; 3] {
        let [first, second, third] = digits;
        let mut allowed = [DigitSet::EMPTY; 3];
        for a in first {
            let seconds = self.combinable(a, second, sees[0]);
            let thirds = self.combinable(a, third, sees[1]);
            for b in seconds {
                let mut thirds_left = self.combinable(b, thirds, sees[2]);
                if self.count > 0 && a != b {
                    thirds_left = self.without_threes(a, b, thirds_left);
                }
                if !thirds_left.is_empty() {
                    allowed[0].insert(a);
                    allowed[1].insert(b);
                    allowed[2] = allowed[2].union(thirds_left);
                    if allowed[1..] == digits[1..] {
                        // No other digit of the second cell could allow more.
                        break;
                    }
                }
            }
        }
        allowed
    }

    #[inline(always)]
    fn without_threes(&self, a: Digit, b: Digit, left: DigitSet) -> DigitSet {
        let mut left = left;
        for three in &self.triples[..self.count] {
            if three.contains(a) && three.contains(b) {
                let mut third = *three;
                third.remove(a);
                third.remove(b);
                left = left.intersection(third.complement());
            }
        }
        left
    }
}
