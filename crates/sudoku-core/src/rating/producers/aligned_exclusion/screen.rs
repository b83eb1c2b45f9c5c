//! Rules out third cells with which a pair of cells cannot lead to a removal, without testing combinations.
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
//! The excluders are those of the pair. Those that see the third cell too are some of them, so they forbid less and
//! allow more. `forbidden` is computed a little too large: it also has each c that is in an excluder with a and in
//! another one with b, if both have three candidates.

use crate::board::{CellSet, DigitSet};
use crate::rating::board::Board;

/// A set of digits for each digit; sixteen, so that vectors are filled.
type ByDigit = [u16; 16];

/// The candidates that third cells of a pair must have.
pub(super) struct ThirdCells {
    /// For each candidate of the pair, the candidates that are forbidden beside it with all allowed candidates of
    /// the other cell: it is removed only if the third cell has no others.
    forbidden: ByDigit,
    /// The candidates that a third cell can lose.
    lost: u16,
}

impl ThirdCells {
    /// The third cells of two cells with these candidates. `excluders` are the cells with two or three candidates
    /// that see both, and `sees` says whether the two cells see each other.
    #[inline(always)]
    pub(super) fn new(
        board: &Board,
        [first, second]: [DigitSet; 2],
        sees: bool,
        excluders: CellSet,
    ) -> ThirdCells {
        let partners = Partners::new(board, excluders, sees);
        let of_first = partners.forbidden(second);
        let of_second = partners.forbidden(first);
        let mut cells = ThirdCells {
            forbidden: [0; 16],
            lost: u16::MAX,
        };
        for (d, forbidden) in cells.forbidden.iter_mut().enumerate() {
            let [in_first, in_second] = [first, second].map(|cell| mask(cell.bits() & 1 << d != 0));
            *forbidden = (of_first[d] & in_first) | (of_second[d] & in_second);
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

/// All bits or none.
#[inline(always)]
fn mask(is_set: bool) -> u16 {
    u16::from(is_set).wrapping_neg()
}

/// For each digit, digits that are in an excluder with it.
struct Partners {
    /// Those of excluders with two candidates, and the digit itself.
    of_two: ByDigit,
    /// Those of excluders with three candidates, and the digit itself if there are any.
    of_three: ByDigit,
    /// The candidates that are not allowed beside the digit in the other cell.
    excluded: ByDigit,
}

impl Partners {
    #[inline(always)]
    fn new(board: &Board, excluders: CellSet, sees: bool) -> Partners {
        let [mut of_two, mut of_three, mut excluded] = [[0; 16]; 3];
        for cell in excluders {
            let digits = board.digits(cell);
            let sets = match digits.len() {
                2 => &mut of_two,
                _ => &mut of_three,
            };
            for digit in digits {
                sets[digit.index()] |= digits.bits();
            }
        }
        for d in 0..16 {
            let own = 1 << d;
            excluded[d] = of_two[d] & !own | own & mask(sees);
            of_two[d] |= own;
        }
        Partners {
            of_two,
            of_three,
            excluded,
        }
    }

    /// For each digit of a cell, the candidates that are forbidden beside it with all allowed candidates of the other
    /// cell.
    #[inline(always)]
    fn forbidden(&self, others: DigitSet) -> ByDigit {
        let mut forbidden = [u16::MAX; 16];
        for other in others {
            let other = other.index();
            let (two, three) = (self.of_two[other], self.of_three[other]);
            for (d, forbidden) in forbidden.iter_mut().enumerate() {
                let is_excluded = mask(self.excluded[d] & (1 << other) != 0);
                let by_three = self.of_three[d] & three;
                *forbidden &= is_excluded | two | self.of_two[d] | by_three;
            }
        }
        forbidden
    }
}
