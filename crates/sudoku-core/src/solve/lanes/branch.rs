//! Makes the two boards of a guess, on boards with one digit in each lane.
//!
//! Both boards already lose the candidates that the guess excludes at once. The guessed digit is removed from
//! the peers of its cell. On the other board, if the cell had two candidates, the other digit is removed from
//! the peers. The rules would remove these candidates in their first round, so they need one round less.

use super::board::Guess;
use super::close::DigitBoard;
use super::guess::peers_by_band;
use crate::vectors::{Digits, LaneStep, Lanes, NineWords, Words};

/// For each digit, a mask for the nine words of a band: all bits in the lane of that digit, 0 in the other
/// lanes.
static LANES: [NineWords; 9] = {
    let mut lane_masks = [[0; 16]; 9];
    let mut digit = 0;
    while digit < 9 {
        lane_masks[digit][digit] = !0;
        digit += 1;
    }
    lane_masks
};

/// A step that splits a board at a guess: `board` gets the guessed digit, and `without` becomes the board
/// that excludes the guess.
pub(super) struct Branch<'a> {
    pub(super) board: &'a mut DigitBoard,
    pub(super) without: &'a mut DigitBoard,
    pub(super) guess: Guess,
}

impl<V: Lanes<N>, const N: usize> LaneStep<V, N> for Branch<'_> {
    type Output = ();

    // The result is stored as whole vectors, because the next step loads whole vectors. A load would have to
    // wait for words that were stored one by one.
    #[inline(always)]
    fn run(self, proof: V::Proof) {
        let Guess {
            band: own,
            cell,
            digit,
            is_of_two,
        } = self.guess;
        let guessed = V::Nine::load(proof, &LANES[digit % 9]);
        let in_cell = V::Nine::load(proof, &self.board.0[own % 3]).without(guessed) & cell;
        // A mask of the lane of the cell's other candidate, if there is exactly one.
        let other_digit = if is_of_two {
            in_cell.is_zero() ^ !0
        } else {
            V::Nine::splat(proof, 0)
        };
        for (band, peers) in peers_by_band(own, cell).into_iter().enumerate() {
            let nine_words = V::Nine::load(proof, &self.board.0[band]);
            let cell = if band == own { cell } else { 0 };
            let other_digits = V::Nine::splat(proof, cell).without(guessed);
            let with_guess = nine_words.without(guessed & peers | other_digits);
            let without_guess = nine_words.without(other_digit & peers | guessed & cell);
            with_guess.store(&mut self.board.0[band]);
            without_guess.store(&mut self.without.0[band]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::LaneBoard;
    use super::super::close::{Close, Closed};
    use super::*;
    use crate::board::bands::{WORDS, spread};
    use crate::board::{Candidates, Cell, CellSet};
    use crate::random::Rng;
    use crate::solve::random_solution;
    use crate::vectors::{LaneWork, Vectors};

    /// The state of a board after applying the rules, and the places of its digits unless it has no solution.
    type Result = (Closed, Option<[u32; WORDS]>);

    /// Applies the rules to both boards of a guess. Without a guess, it applies them to the same board twice.
    struct CloseBranches<'a> {
        board: &'a Candidates,
        guess: Option<Guess>,
    }

    impl LaneWork for CloseBranches<'_> {
        type Output = [Result; 2];

        #[inline(always)]
        fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> [Result; 2] {
            let mut board = DigitBoard::from_lane(&LaneBoard::new(self.board));
            let mut board_without_guess = board;
            if let Some(guess) = self.guess {
                let branch = Branch {
                    board: &mut board,
                    without: &mut board_without_guess,
                    guess,
                };
                V::step(proof, branch);
            }
            let mut results = [(Closed::Dead, None); 2];
            for (result, mut board) in results.iter_mut().zip([board, board_without_guess]) {
                let closed = V::step(proof, Close(&mut board));
                *result = (closed, (closed != Closed::Dead).then(|| board.places()));
            }
            results
        }
    }

    #[test]
    fn branches_close_as_boards_whose_candidates_are_placed_and_removed() {
        let seed = 69;
        let (mut dead, mut of_two) = ([0; 2], 0);
        for n in 0..600 {
            let rng = &mut Rng::for_item(seed, n);
            let mut clues = random_solution(rng);
            let mut cells: Vec<Cell> = Cell::all().collect();
            rng.shuffle(&mut cells);
            for cell in &cells[23 + rng.below(6)..] {
                clues.set(*cell, None);
            }
            let board = Candidates::new(&clues);
            let is_unsolved = |cell: &&Cell| board.digits(**cell).len() > 1;
            let Some(&cell) = cells.iter().find(is_unsolved) else {
                continue;
            };
            let digits: Vec<_> = board.digits(cell).collect();
            let digit = digits[rng.below(digits.len())];
            let band = cell.index() / 27;
            let guess = Guess {
                band,
                cell: spread(CellSet::of(cell))[band],
                digit: digit.index(),
                is_of_two: digits.len() == 2,
            };
            of_two += usize::from(guess.is_of_two);
            let (mut with, mut without) = (board.clone(), board.clone());
            with.place(cell, digit);
            without.eliminate(digit, CellSet::of(cell));
            for (name, vectors) in Vectors::available() {
                let close_without_guess =
                    |board| vectors.run(CloseBranches { board, guess: None })[0];
                let closed_branches = vectors.run(CloseBranches {
                    board: &board,
                    guess: Some(guess),
                });
                let case_text = format!("{name}, seed {seed}, item {n}: {guess:?} on {board:?}");
                assert_eq!(
                    closed_branches,
                    [close_without_guess(&with), close_without_guess(&without)],
                    "{case_text}"
                );
                for (dead, found) in dead.iter_mut().zip(closed_branches) {
                    *dead += usize::from(found.0 == Closed::Dead);
                }
            }
        }
        assert!(dead.into_iter().all(|count| count > 20), "{dead:?}");
        assert!(of_two > 50, "{of_two}");
    }
}
