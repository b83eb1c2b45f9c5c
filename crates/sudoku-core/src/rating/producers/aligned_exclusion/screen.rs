//! Aligned triplet exclusion: a fast test that finds third cells with which a pair of cells cannot lead to a removal.
//! It does not test all combinations.
//!
//! ```text
//! a, b, c          candidates of the first, second and third cell
//! allowed with a   the b that no excluder with two candidates forbids beside a, and that differ from a if the
//!                  two cells see each other
//! forbidden(a, b)  a and b themselves, and each c such that some excluder has c and otherwise only a or b
//!
//! a is removed only if every c is in forbidden(a, b) for each b that is allowed with a
//! b is removed only if every c is in forbidden(a, b) for each a that is allowed with b
//! c is removed only if c is in forbidden(a, b) for all a and b that are allowed together
//! ```
//!
//! The excluders of the pair are used, although only some of them also see the third cell. So more is forbidden
//! here than in fact, and no removal is missed. `forbidden` is also a little larger than defined: it contains each
//! c that is in an excluder with a and in another one with b, if both have three candidates.

use crate::board::{CellSet, DigitSet};
use crate::rating::board::Board;

/// A set of digits for each digit. The array has sixteen entries, to fill whole vectors.
type ByDigit = [u16; 16];

/// The test of whether a third cell can lead to a removal, prepared for one pair of cells.
pub(super) struct ThirdCells {
    /// For each candidate of the pair, the digits that the third cell cannot have beside it, whatever the other cell
    /// has. The candidate is removed only if all digits of the third cell are among them.
    forbidden: ByDigit,
    /// The digits that may be removed from a third cell, as bits.
    lost: u16,
}

impl ThirdCells {
    /// Prepares the test for two cells with these candidates. `excluders` are the cells with two or three candidates
    /// that see both, and `sees` is true if the two cells see each other.
    #[inline(always)]
    pub(super) fn new(
        board: &Board,
        [first, second]: [DigitSet; 2],
        sees: bool,
        excluders: CellSet,
    ) -> ThirdCells {
        let partners = DigitPartners::new(board, excluders, sees);
        let forbidden_in_first = partners.forbidden(second);
        let forbidden_in_second = partners.forbidden(first);
        let mut cells = ThirdCells {
            forbidden: [0; 16],
            lost: u16::MAX,
        };
        for (d, forbidden) in cells.forbidden.iter_mut().enumerate() {
            let [in_first, in_second] = [first, second].map(|cell| mask(cell.bits() & 1 << d != 0));
            *forbidden = (forbidden_in_first[d] & in_first) | (forbidden_in_second[d] & in_second);
            cells.lost &= *forbidden | !(in_first | in_second);
        }
        cells
    }

    /// Whether a third cell with these candidates may lead to a removal.
    #[inline(always)]
    pub(super) fn contains(&self, digits: DigitSet) -> bool {
        let digits = digits.bits();
        let is_within = (self.forbidden.iter()).fold(false, |any, set| any | (digits & !set == 0));
        is_within || digits & self.lost != 0
    }
}

/// Returns a mask of all bits if `is_set`, otherwise 0.
#[inline(always)]
fn mask(is_set: bool) -> u16 {
    u16::from(is_set).wrapping_neg()
}

/// For each digit, the digits that are in some excluder together with it.
struct DigitPartners {
    /// The digits in the excluders with two candidates that have this digit, and the digit itself.
    in_pairs: ByDigit,
    /// The digits in the excluders with three candidates that have this digit.
    in_triples: ByDigit,
    /// The digits that the other cell of the pair cannot have if one cell has this digit.
    excluded: ByDigit,
}

impl DigitPartners {
    #[inline(always)]
    fn new(board: &Board, excluders: CellSet, sees: bool) -> DigitPartners {
        let [mut in_pairs, mut in_triples, mut excluded] = [[0; 16]; 3];
        for cell in excluders {
            let digits = board.digits(cell);
            let sets = match digits.len() {
                2 => &mut in_pairs,
                _ => &mut in_triples,
            };
            for digit in digits {
                sets[digit.index()] |= digits.bits();
            }
        }
        for d in 0..16 {
            let own_bit = 1 << d;
            excluded[d] = in_pairs[d] & !own_bit | own_bit & mask(sees);
            in_pairs[d] |= own_bit;
        }
        DigitPartners {
            in_pairs,
            in_triples,
            excluded,
        }
    }

    /// For each digit of one cell of the pair, the digits that the third cell cannot have beside it, whichever allowed
    /// candidate of `others` the other cell has.
    #[inline(always)]
    fn forbidden(&self, others: DigitSet) -> ByDigit {
        let mut forbidden = [u16::MAX; 16];
        for other in others {
            let other = other.index();
            let (two, three) = (self.in_pairs[other], self.in_triples[other]);
            for (d, forbidden) in forbidden.iter_mut().enumerate() {
                let is_excluded = mask(self.excluded[d] & (1 << other) != 0);
                let by_three = self.in_triples[d] & three;
                *forbidden &= is_excluded | two | self.in_pairs[d] | by_three;
            }
        }
        forbidden
    }
}
