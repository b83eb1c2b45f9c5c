//! Applies singles and locked candidates to one board, with one digit in each lane, until nothing changes.
//!
//! The rules are those of a [sweep](super::sweep), so a board stalls with the same candidates. In a sweep,
//! each lane holds a board, and one board takes as long as sixteen. Here each lane holds one of the nine
//! digits, and the three bands are three vectors, which stay in registers from round to round.
//!
//! ```text
//! places of digit d     band 0, band 1, band 2: words as in `board/vector_boards/bands.rs`, in lane d
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
//! A digit sees the placements of other digits only in the next round, so a board needs more rounds than
//! sweeps. A single puzzle still takes a third of the time that it takes as one of sixteen lanes.
//!
//! Two ideas are from other solvers. The places of a digit in a band are one word, from which locked
//! candidates follow at once: from JCZSolve by zhouyundong_2012 (forum.enjoysudoku.com, 2012), which looks
//! the words up in tables. The mini-rows of a digit in a band form one of six permutations: from tdoku by T.
//! Dillon (<https://t-dillon.github.io/tdoku/>), which has the nine digits of a cell in a lane.

use super::board::LaneBoard;
use super::sweep::rows;
use crate::board::bands::{
    CELLS, FIRSTS, GUARDS, WORDS, cells_of_columns, free_rows, mini_columns, to_next_column,
    to_next_row,
};
use crate::vectors::{Counts, Digits, LaneStep, Lanes, NineWords, Words};

/// A board with one digit in each lane: for each band, the possible cells of each digit.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct DigitBoard(pub(super) [NineWords; 3]);

impl DigitBoard {
    /// The board without any candidates.
    pub(super) const EMPTY: DigitBoard = DigitBoard([[0; 16]; 3]);

    /// Converts the board of one lane of a batch to a board with a digit in each lane.
    #[inline(always)]
    pub(super) fn from_lane(board: &LaneBoard) -> DigitBoard {
        let mut digit_board = DigitBoard::EMPTY;
        for (digit, bands) in board.places().as_chunks::<3>().0.iter().enumerate() {
            for (band, words) in digit_board.0.iter_mut().enumerate() {
                words[digit] = bands[band];
            }
        }
        digit_board
    }

    /// The possible cells of each digit, in the order of [`LaneBoard`].
    #[inline(always)]
    pub(super) fn places(&self) -> [u32; WORDS] {
        std::array::from_fn(|word| self.0[word % 3][word / 3])
    }
}

/// The state of a board to which no rule applies any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// The board has a contradiction, and so no solution.
    Dead,
    /// Every cell has exactly one candidate.
    Solved,
    /// Some cells have several candidates, so a guess is needed.
    Stalled(OpenCells),
}

/// For each band of a stalled board, the cells with exactly two candidates, and the cells with at least two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenCells {
    pub(super) pairs: [u32; 3],
    pub(super) open: [u32; 3],
}

/// A step that applies the rules to a board until nothing changes, and returns the state of the board.
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
                bands = round.remaining;
                continue;
            }
            // This is a contradiction. If a naked single is not alone in its row, another cell of the row has
            // the same digit. If two digits are alone in their rows in the same cell, only one of them fits
            // there.
            if !round.contested.all_zero() {
                return Closed::Dead;
            }
            if round.several.all_zero() {
                bands[0].store(&mut words[0]);
                bands[1].store(&mut words[1]);
                bands[2].store(&mut words[2]);
                return Closed::Solved;
            }
            let mut open_cells = OpenCells {
                pairs: [0; 3],
                open: [0; 3],
            };
            // Stores `bands`, but counts `round.remaining`, which has the same words: for a count of `bands`,
            // the compiler would keep intermediate results of every round.
            for band in 0..3 {
                bands[band].store(&mut words[band]);
                let [_, two, three] = round.remaining[band].any_three(proof);
                open_cells.pairs[band] = two.without(three).first();
                open_cells.open[band] = two.first();
            }
            return Closed::Stalled(open_cells);
        }
    }
}

/// The result of one round of the rules on all nine digits of a board.
struct Round<D> {
    /// For each band, the places that the rules leave.
    remaining: [D; 3],
    /// 0 if every cell has a candidate and every digit has a place in each row.
    missing: D,
    /// Not 0 if a cell has at least two candidates.
    several: D,
    /// 0 if the naked singles are exactly the cells in which a digit has its only place in a row.
    contested: D,
}

impl<D: Digits> Round<D> {
    #[inline(always)]
    fn run(proof: D::Proof, bands: [D; 3]) -> Round<D> {
        let guards = D::splat(proof, GUARDS);
        let mut alive = guards;
        let mut alone_in_row = bands;
        for band in 0..3 {
            // The subtraction borrows from the guard bit of an empty row. In all other rows it removes the
            // lowest place.
            let without_lowest = (bands[band] | GUARDS) - FIRSTS;
            alive = alive & without_lowest;
            alone_in_row[band] = bands[band] & free_rows(without_lowest & bands[band]);
        }
        let Counts {
            single,
            more: placed,
            each,
            several,
        } = D::count(proof, bands, alone_in_row);
        let mut remaining = bands;
        for band in 0..3 {
            let places = bands[band].without(placed[band]) | alone_in_row[band];
            let naked = places & single[band];
            remaining[band] = places & free_rows(naked) | naked;
        }
        let contested = (single[0] ^ placed[0])
            .or_differing(single[1], placed[1])
            .or_differing(single[2], placed[2]);
        Round {
            remaining: columns(rows(remaining)),
            missing: (each ^ CELLS).or_differing(alive, guards),
            several,
            contested,
        }
    }

    #[inline(always)]
    fn has_changed(&self, before: [D; 3]) -> bool {
        let [a, b, c] = self.remaining;
        !(a ^ before[0])
            .or_differing(b, before[1])
            .or_differing(c, before[2])
            .all_zero()
    }
}

/// The places of a digit in mini-columns that are part of a permutation: one mini-column in each band and in
/// each column of a stack, three in all.
#[inline(always)]
fn columns<D: Words>(bands: [D; 3]) -> [D; 3] {
    let [a, b, c] = bands;
    let taken_columns = mini_columns(a, b, c);
    let shifted_columns = to_next_column(taken_columns);
    let either =
        taken_columns & to_next_row(shifted_columns) | shifted_columns & to_next_row(taken_columns);
    let possible_columns = taken_columns & to_next_column(to_next_row(either));
    let [in_a, in_b, in_c] = cells_of_columns(possible_columns);
    [a & in_a, b & in_b, c & in_c]
}
