//! Applies the techniques from full house to jellyfish (ranks 1–15) to the branches of a board (the boards that follow
//! from its candidates), with vector instructions.
//!
//! Singles, naked and hidden subsets of up to four digits, and fish up to jellyfish are all found by one condition
//! on 36 squares of nine rows (see [`hall`](super::hall)). The square of a house has the digits of each of its
//! nine cells; the square of a digit has the columns of its places in each of the nine rows. Only pointing and
//! claiming need code of their own. A square is skipped if it is unchanged and known to lose nothing.

use super::super::branches::Branches;
use super::cells::{WORDS, by_cell};
use super::hall::{self, Square};
use crate::board::{
    Candidates, CellSet, Contradiction, Digit, DigitSet, DigitVectors, House, fill_singles,
};
use crate::vectors::{ShortWork, Shorts, Vectors};

/// The squares of a board: nine rows of nine bits each. First come the squares of the 27 houses, by [`House::index`],
/// then one square for each digit.
pub(super) type Squares = [Square; 36];

/// Applies the techniques from full house to jellyfish to branches. Singles must have been applied to them already.
pub(in super::super) fn basics(
    vectors: Vectors,
    board: &Candidates,
    singles: &Branches,
) -> Branches {
    let known = quiet_squares(vectors, board);
    let boards = singles.cases().iter().map(|(.., branch)| {
        let mut board = branch.clone()?;
        let follow = Follow {
            board: &mut board,
            known: &known,
        };
        vectors.run_shorts(follow).is_ok().then_some(board)
    });
    singles.with_boards(boards.collect())
}

/// The squares of a board that lose no candidate by the condition in [`hall`](super::hall). All other squares are set
/// to 0.
pub(super) fn quiet_squares(vectors: Vectors, board: &Candidates) -> Squares {
    vectors.run_shorts(QuietSquares(board))
}

/// Applies the techniques from full house to jellyfish to a board until they find nothing. Squares that are equal to
/// those in `known` lose no candidate, and are skipped.
pub(super) struct Follow<'a> {
    pub(super) board: &'a mut Candidates,
    pub(super) known: &'a Squares,
}

impl ShortWork for Follow<'_> {
    type Output = Result<(), Contradiction>;

    #[inline(always)]
    fn run<V: Shorts<N>, const N: usize>(self, proof: V::Proof) -> Result<(), Contradiction> {
        let Follow { board, known } = self;
        let mut known = *known;
        loop {
            fill_singles(board, |_, _| false)?;
            let open_places = DigitVectors::open(board);
            if let Some(gone) = open_places.pointing().or_else(|| open_places.claiming()) {
                for (digit, cells) in Digit::ALL.into_iter().zip(gone) {
                    board.eliminate(digit, cells);
                }
                continue;
            }
            let squares = squares::<V, N>(proof, board);
            let mut has_changed = false;
            for (at, (square, known)) in squares.iter().zip(&mut known).enumerate() {
                if square == known {
                    continue;
                }
                *known = *square;
                hall::close::<V, N>(proof, known).map_err(|_| Contradiction)?;
                if square != known {
                    has_changed = true;
                    remove(board, at, square, known);
                }
            }
            if !has_changed {
                return Ok(());
            }
        }
    }
}

/// Removes from the board the candidates that square number `at` has lost.
#[inline(always)]
fn remove(board: &mut Candidates, at: usize, before: &Square, after: &Square) {
    let lost = before
        .iter()
        .zip(after)
        .map(|(before, after)| before & !after);
    if let Some(house) = House::ALL.get(at) {
        for (n, lost) in lost.enumerate() {
            let cell = CellSet::of(house.cell(n));
            DigitSet::from_bits(lost).for_each(|digit| board.eliminate(digit, cell));
        }
    } else {
        let digit = Digit::from_index(at - House::ALL.len());
        let bits = lost
            .rev()
            .fold(0, |bits, lost| bits << 9 | u128::from(lost));
        board.eliminate(digit, CellSet::from_bits(bits));
    }
}

struct QuietSquares<'a>(&'a Candidates);

impl ShortWork for QuietSquares<'_> {
    type Output = Squares;

    #[inline(always)]
    fn run<V: Shorts<N>, const N: usize>(self, proof: V::Proof) -> Squares {
        let mut squares = squares::<V, N>(proof, self.0);
        for square in &mut squares {
            let before = *square;
            if hall::close::<V, N>(proof, square).is_err() || *square != before {
                *square = [0; 9];
            }
        }
        squares
    }
}

#[inline(always)]
fn squares<V: Shorts<N>, const N: usize>(proof: V::Proof, board: &Candidates) -> Squares {
    let cells: [u16; WORDS] = by_cell::<V, N>(proof, board);
    let mut squares = [[0; 9]; 36];
    for a in 0..9 {
        for b in 0..9 {
            squares[a][b] = cells[9 * a + b];
            squares[9 + a][b] = cells[9 * b + a];
            squares[18 + a][b] = cells[27 * (a / 3) + 3 * (a % 3) + 9 * (b / 3) + b % 3];
        }
    }
    for (square, places) in squares[27..].iter_mut().zip(board.all_places()) {
        for (row, columns) in square.iter_mut().enumerate() {
            *columns = (places.bits() >> (9 * row)) as u16 & 0o777;
        }
    }
    squares
}
