//! The mailbox between the search for a puzzle and the lanes: the search leaves a question, and receives the
//! answer.

use std::cell::{Cell as Slot, RefCell, RefMut};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::super::near::candidates;
use super::super::oracle::{Oracle, RemovalOrder};
use super::removal::remove;
use super::words::{WordGrid, place, words_of};
use crate::board::bands::{CELLS, WORDS, grid};
use crate::board::{Candidates, Cell, Digit, Grid};
use crate::grade::{Grade, Ladder};
use crate::random::Rng;
use crate::rating::{Rater, Rating, RatingLimits, RatingOutcome};
use crate::solve::LaneBoard;

/// The number of solutions to look at for [`Goal::RarePlaces`].
const MOST_SOLUTIONS: u32 = 100;

/// A question: a board to search, and the goal of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) board: LaneBoard,
    pub(super) goal: Goal,
    /// Whether to guess at random. Otherwise the search takes the guesses that end it soonest.
    pub(super) is_random: bool,
    /// Whether to end at the first guess.
    pub(super) without_guess: bool,
}

/// The goal of a search, which determines when the search ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// Count the solutions, up to this number.
    Count(u32),
    /// Find a solution other than this one.
    Other([u32; WORDS]),
    /// Find the places that at most one solution has. The search ends when each of these places is in
    /// two solutions, or after this number of solutions.
    RarePlaces([u32; WORDS], u32),
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    /// The number of solutions that meet the goal.
    pub(super) count: u32,
    /// The places of the last solution; for [`Goal::RarePlaces`], the places that are in any solution.
    pub(super) places: [u32; WORDS],
    /// For [`Goal::RarePlaces`]: the places that are in several solutions.
    pub(super) in_several: [u32; WORDS],
}

impl SearchResult {
    pub(super) const NOTHING: SearchResult = SearchResult {
        count: 0,
        places: [0; WORDS],
        in_several: [0; WORDS],
    };

    /// Adds a solution. Returns whether the search continues.
    #[inline(always)]
    pub(super) fn add(&mut self, goal: &Goal, places: &[u32; WORDS]) -> bool {
        match goal {
            Goal::Count(most) => {
                self.count += 1;
                self.places = *places;
                self.count < *most
            }
            Goal::Other(known) => {
                if known != places {
                    self.count += 1;
                    self.places = *places;
                }
                self.count == 0
            }
            Goal::RarePlaces(wanted, most) => {
                self.count += 1;
                let mut left = 0;
                for at in 0..WORDS {
                    self.in_several[at] |= self.places[at] & places[at];
                    self.places[at] |= places[at];
                    left |= wanted[at] & !self.in_several[at];
                }
                left != 0 && self.count < *most
            }
        }
    }
}

/// A question, later replaced by its answer.
pub(super) enum Message {
    Nothing,
    Search(Search),
    SearchResult(SearchResult),
    ToGrade(Grid),
    Graded(Grade),
}

/// The state of the search for a puzzle that the lanes share: its random numbers and its current
/// question.
pub(in crate::generate) struct Mailbox {
    pub(super) rng: RefCell<Rng>,
    pub(super) message: RefCell<Message>,
    /// Whether there is a question that the lanes have not taken yet.
    pub(super) is_asked: Slot<bool>,
    rater: Rc<RefCell<Option<Rater>>>,
}

impl Mailbox {
    pub(super) fn new(rng: Rng, rater: Rc<RefCell<Option<Rater>>>) -> Mailbox {
        Mailbox {
            rng: RefCell::new(rng),
            message: RefCell::new(Message::Nothing),
            is_asked: Slot::new(false),
            rater,
        }
    }

    /// Leaves a question, and waits for the answer.
    async fn ask(&self, question: Message) -> Message {
        *self.message.borrow_mut() = question;
        self.is_asked.set(true);
        poll_fn(|_| match self.is_asked.get() {
            true => Poll::Pending,
            false => Poll::Ready(self.message.replace(Message::Nothing)),
        })
        .await
    }

    /// Searches a board in a lane.
    pub(super) async fn search(&self, search: Search) -> SearchResult {
        match self.ask(Message::Search(search)).await {
            Message::SearchResult(found) => found,
            _ => unreachable!("a search is answered by what it found"),
        }
    }
}

impl Oracle for Mailbox {
    fn rng(&self) -> RefMut<'_, Rng> {
        self.rng.borrow_mut()
    }

    async fn full_grid(&self) -> Grid {
        let places = [CELLS; WORDS];
        let search = Search {
            board: LaneBoard::with_places(&places, [0; 3]),
            goal: Goal::Count(1),
            is_random: true,
            without_guess: false,
        };
        grid(&self.search(search).await.places)
    }

    async fn remove(&self, removal: RemovalOrder<'_>) -> Vec<usize> {
        remove(self, removal).await
    }

    async fn stays_unique(&self, puzzle: &Grid, solution: &Grid, cells: &[Cell]) -> bool {
        let puzzle = WordGrid::new(solution, words_of(puzzle));
        match cells {
            [cell] => puzzle.has_no_other_digit(self, *cell).await,
            _ => puzzle.other_solution(self).await.is_none(),
        }
    }

    async fn count(&self, puzzle: &Grid, most: u32) -> (u32, Option<Grid>) {
        let search = Search {
            board: WordGrid::new(puzzle, words_of(puzzle)).board(),
            goal: Goal::Count(most),
            is_random: false,
            without_guess: false,
        };
        let found = self.search(search).await;
        let solution = (found.count > 0).then(|| grid(&found.places));
        (found.count, solution)
    }

    async fn rare_places(&self, puzzle: &Grid) -> Vec<(Cell, Digit)> {
        let mut all = candidates(puzzle);
        let mut wanted = [0; WORDS];
        for &(cell, digit) in &all {
            let (band, bit) = place(cell);
            wanted[3 * digit.index() + band] |= bit;
        }
        let search = Search {
            board: WordGrid::new(puzzle, words_of(puzzle)).board(),
            goal: Goal::RarePlaces(wanted, MOST_SOLUTIONS),
            is_random: false,
            without_guess: false,
        };
        let found = self.search(search).await;
        // If the search found all solutions, a place that none of them has is in no solution at all.
        let is_complete = found.count < MOST_SOLUTIONS;
        all.retain(|&(cell, digit)| {
            let (band, bit) = place(cell);
            let at = 3 * digit.index() + band;
            found.in_several[at] & bit == 0 && (!is_complete || found.places[at] & bit != 0)
        });
        all
    }

    async fn grade(&self, _: &Ladder, puzzle: &Grid) -> Grade {
        match self.ask(Message::ToGrade(*puzzle)).await {
            Message::Graded(grade) => grade,
            _ => unreachable!("a puzzle to grade is answered by its grade"),
        }
    }

    async fn is_basic(&self, puzzle: &Grid) -> bool {
        let puzzle = WordGrid::new(puzzle, words_of(puzzle));
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
