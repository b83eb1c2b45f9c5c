//! Singles and locked candidates on one board, with a digit in each lane, until nothing changes.
//!
//! The rules are those of a [sweep](super::sweep), so that a board stalls with the same candidates. There a
//! lane holds a board, and a sweep takes as long for one board as for sixteen. Here the nine digits of one
//! board are nine lanes, and its three bands are three vectors, which stay in registers from round to round.
//!
//! ```text
//! places of digit d     band 0, band 1, band 2: words as in `board/bands.rs`, in lane d
//!
//! each round:
//!   across the lanes   count the candidates of each cell; find the cells of places that are alone in a row
//!   in each lane       remove the other digits from the cell of a place that is alone in its row
//!                      remove the other places in the row of a naked single
//!                      remove the places in no permutation of
//!                        mini-rows      bit 10·row + 3·box + 2 − band
//!                        mini-columns   bit 10·band + column
//! ```
//!
//! The digits see what a round has placed only in the next round, so that a board needs more rounds than
//! sweeps. One puzzle still takes a third of the time that it takes in one of sixteen lanes.
//!
//! That the places of a digit in a band are one word, from which locked candidates follow at once, is the idea
//! of JCZSolve by zhouyundong_2012 (forum.enjoysudoku.com, 2012), which looks the words up in tables. That the
//! mini-rows of a digit in a band are one of six permutations is that of tdoku by T. Dillon
//! (<https://t-dillon.github.io/tdoku/>), which has the nine digits of a cell in a lane.

use super::board::LaneBoard;
use super::sweep::rows;
use crate::board::bands::{
    CELLS, FIRSTS, GUARDS, ROW, WORDS, free_rows, mini_columns, to_next_column, to_next_row,
};
use crate::vectors::{Counts, Digits, LaneStep, Lanes, NineWords, Words};

/// A board with a digit in each lane: by band, the places of each digit.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct DigitBoard(pub(super) [NineWords; 3]);

impl DigitBoard {
    /// No candidate anywhere.
    pub(super) const EMPTY: DigitBoard = DigitBoard([[0; 16]; 3]);

    /// The places of the digits of a lane's board.
    #[inline(always)]
    pub(super) fn from_lane(board: &LaneBoard) -> DigitBoard {
        let mut own = DigitBoard::EMPTY;
        for (digit, bands) in board.places().as_chunks::<3>().0.iter().enumerate() {
            for (band, words) in own.0.iter_mut().enumerate() {
                words[digit] = bands[band];
            }
        }
        own
    }

    /// The places of each digit, in the order of a lane's board.
    #[inline(always)]
    pub(super) fn places(&self) -> [u32; WORDS] {
        std::array::from_fn(|word| self.0[word % 3][word / 3])
    }
}

/// What the rules leave of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// The board has no solution.
    Dead,
    /// Every cell has one candidate.
    Solved,
    /// A guess is needed.
    Stalled(OpenCells),
}

/// The cells of a stalled board with two candidates, and with two or more, by band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenCells {
    pub(super) pairs: [u32; 3],
    pub(super) open: [u32; 3],
}

/// Applies the rules to a board until nothing changes.
pub(super) struct Close<'a>(pub(super) &'a mut DigitBoard);

impl<V: Lanes<N>, const N: usize> LaneStep<V, N> for Close<'_> {
    type Output = Closed;

    #[inline(always)]
    fn run(self, proof: V::Proof) -> Closed {
        let words = &mut self.0.0;
        let mut bands = [
            V::Nine::load(proof, &words[0]),
            V::Nine::load(proof, &words[1]),
            V::Nine::load(proof, &words[2]),
        ];
        loop {
            let round = Round::run(proof, bands);
            if !round.missing.all_zero() {
                return Closed::Dead;
            }
            if round.has_changed(bands) {
                bands = round.left;
                continue;
            }
            // In the row of a naked single that is not alone there is another one of its digit; and of two
            // digits that are alone in their rows, a cell has room for one.
            if !round.contested.all_zero() {
                return Closed::Dead;
            }
            if round.several.all_zero() {
                bands[0].store(&mut words[0]);
                bands[1].store(&mut words[1]);
                bands[2].store(&mut words[2]);
                return Closed::Solved;
            }
            let mut open = OpenCells {
                pairs: [0; 3],
                open: [0; 3],
            };
            // Of `left`, which are the same words: of `bands` the compiler would keep the steps of each
            // round's count for this one.
            for band in 0..3 {
                bands[band].store(&mut words[band]);
                let [_, two, three] = round.left[band].any_three(proof);
                open.pairs[band] = two.without(three).first();
                open.open[band] = two.first();
            }
            return Closed::Stalled(open);
        }
    }
}

/// The rules, once for every digit.
struct Round<D> {
    /// The places that are left, by band.
    left: [D; 3],
    /// 0 if every cell has a candidate, and every digit a place in each row.
    missing: D,
    /// Not 0 if a cell has two candidates.
    several: D,
    /// Not 0 if a cell is a naked single but holds no place that is alone in its row, or the reverse.
    contested: D,
}

impl<D: Digits> Round<D> {
    #[inline(always)]
    fn run(proof: D::Proof, bands: [D; 3]) -> Round<D> {
        let guards = D::splat(proof, GUARDS);
        let mut alive = guards;
        let mut alone = bands;
        for band in 0..3 {
            // The subtraction borrows from the guard bit of an empty row. In other rows it removes the
            // lowest place.
            let less = (bands[band] | GUARDS) - FIRSTS;
            alive = alive & less;
            alone[band] = bands[band] & free_rows(less & bands[band]);
        }
        let Counts {
            single,
            more: placed,
            each,
            several,
        } = D::count(proof, bands, alone);
        let mut left = bands;
        for band in 0..3 {
            let places = bands[band].without(placed[band]) | alone[band];
            let naked = places & single[band];
            left[band] = places & free_rows(naked) | naked;
        }
        let contested = (single[0] ^ placed[0])
            .or_differing(single[1], placed[1])
            .or_differing(single[2], placed[2]);
        Round {
            left: columns(rows(left)),
            missing: (each ^ CELLS).or_differing(alive, guards),
            several,
            contested,
        }
    }

    #[inline(always)]
    fn has_changed(&self, before: [D; 3]) -> bool {
        let [a, b, c] = self.left;
        !(a ^ before[0])
            .or_differing(b, before[1])
            .or_differing(c, before[2])
            .all_zero()
    }
}

/// The places whose mini-columns are part of a permutation.
#[inline(always)]
fn columns<D: Words>(bands: [D; 3]) -> [D; 3] {
    let [a, b, c] = bands;
    let taken = mini_columns(a, b, c);
    let next = to_next_column(taken);
    let either = taken & to_next_row(next) | next & to_next_row(taken);
    let left = taken & to_next_column(to_next_row(either));
    let [in_a, in_b, in_c] = [
        left & ROW,
        left.shift_right::<10>() & ROW,
        left.shift_right::<20>() & ROW,
    ];
    [
        a & in_a.with_two_copies::<10>(),
        b & in_b.with_two_copies::<10>(),
        c & in_c.with_two_copies::<10>(),
    ]
}
