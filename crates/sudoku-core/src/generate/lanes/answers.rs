//! Implements [`Oracle`] for the generator in lanes, which searches many boards at the same time, one in each
//! lane of a vector. Each question about a puzzle becomes a board for the lanes.

use std::cell::RefMut;

use super::mailbox::{LaneSearch, Mailbox, Message, SearchGoal};
use super::removal::remove;
use super::words::{WordGrid, filled_cell_words, word_and_bit};
use crate::board::bands::{CELLS, WORDS, grid};
use crate::board::{Candidates, Cell, Digit, Grid};
use crate::generate::oracle::{Oracle, RemovalOrder, candidates};
use crate::grade::{Grade, Ladder};
use crate::random::Rng;
use crate::rating::{Rater, Rating, RatingLimits, RatingOutcome};
use crate::solve::LaneBoard;

/// The number of solutions at which a search for [`SearchGoal::RarePlaces`] ends, even if it has not reached
/// its goal.
const MOST_SOLUTIONS: u32 = 100;

impl Oracle for Mailbox {
    fn rng(&self) -> RefMut<'_, Rng> {
        self.rng.borrow_mut()
    }

    async fn full_grid(&self) -> Grid {
        let places = [CELLS; WORDS];
        let search = LaneSearch {
            board: LaneBoard::with_places(&places, [0; 3]),
            goal: SearchGoal::Count(1),
            is_random: true,
            without_guess: false,
        };
        grid(&self.search(search).await.solution_places)
    }

    async fn remove(&self, removal: RemovalOrder<'_>) -> Vec<usize> {
        remove(self, removal).await
    }

    async fn stays_unique(&self, puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> bool {
        let puzzle = WordGrid::new(solution, filled_cell_words(puzzle));
        match cells {
            [cell] => puzzle.has_no_other_digit(self, *cell).await,
            _ => puzzle.other_solution(self).await.is_none(),
        }
    }

    async fn count_solutions(&self, puzzle: &Grid, most: u32) -> (u32, Option<Grid>) {
        let search = LaneSearch {
            board: WordGrid::new(puzzle, filled_cell_words(puzzle)).lane_board(),
            goal: SearchGoal::Count(most),
            is_random: false,
            without_guess: false,
        };
        let result = self.search(search).await;
        let solution = (result.count > 0).then(|| grid(&result.solution_places));
        (result.count, solution)
    }

    async fn rare_places(&self, puzzle: &Grid) -> Vec<(Cell, Digit)> {
        let mut candidates_left = candidates(puzzle);
        let mut wanted_places = [0; WORDS];
        for &(cell, digit) in &candidates_left {
            let (band, bit) = word_and_bit(cell);
            wanted_places[3 * digit.index() + band] |= bit;
        }
        let search = LaneSearch {
            board: WordGrid::new(puzzle, filled_cell_words(puzzle)).lane_board(),
            goal: SearchGoal::RarePlaces(wanted_places, MOST_SOLUTIONS),
            is_random: false,
            without_guess: false,
        };
        let result = self.search(search).await;
        // If the search has found all solutions, a candidate that is in none of them is in no solution at all.
        let is_complete = result.count < MOST_SOLUTIONS;
        candidates_left.retain(|&(cell, digit)| {
            let (band, bit) = word_and_bit(cell);
            let word_index = 3 * digit.index() + band;
            result.places_in_several[word_index] & bit == 0
                && (!is_complete || result.solution_places[word_index] & bit != 0)
        });
        candidates_left
    }

    async fn grade(&self, _: &Ladder, puzzle: &Grid) -> Grade {
        match self.exchange_message(Message::ToGrade(*puzzle)).await {
            Message::Graded(grade) => grade,
            _ => unreachable!("a puzzle to grade is answered by its grade"),
        }
    }

    async fn is_basic(&self, puzzle: &Grid) -> bool {
        let puzzle = WordGrid::new(puzzle, filled_cell_words(puzzle));
        puzzle.is_solved_without_guess(self).await
    }

    fn is_surely_at_most(&self, puzzle: &Grid, highest: Rating) -> bool {
        let mut rater = self.rater.borrow_mut();
        let rater = rater.get_or_insert_with(Rater::new);
        rater.is_surely_at_most(&Candidates::new(puzzle), highest)
    }

    fn rate(&self, puzzle: &Grid, limits: RatingLimits) -> RatingOutcome {
        let mut rater = self.rater.borrow_mut();
        let rater = rater.get_or_insert_with(Rater::new);
        rater.rate(&Candidates::new(puzzle), limits)
    }
}
