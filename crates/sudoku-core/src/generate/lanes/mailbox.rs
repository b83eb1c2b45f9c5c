//! The mailbox between the search for a puzzle and the lanes of the solver: the search leaves a question
//! there, and receives the answer.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use crate::board::Grid;
use crate::board::bands::WORDS;
use crate::grade::Grade;
use crate::random::Rng;
use crate::rating::Rater;
use crate::solve::LaneBoard;

/// A question for the lanes of the solver: a board to search, and the goal of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneSearch {
    pub(super) board: LaneBoard,
    pub(super) goal: SearchGoal,
    /// Whether to make random guesses. Otherwise, the search makes the guesses that end it soonest.
    pub(super) is_random: bool,
    /// Whether to end the search when it would need its first guess.
    pub(super) without_guess: bool,
}

/// The goal of a search in the lanes, which determines when it ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum SearchGoal {
    /// Count the solutions, up to this number.
    Count(u32),
    /// Find a solution that differs from this known solution.
    Other([u32; WORDS]),
    /// Find the candidates that are in at most one solution. The search ends when each of the given candidates
    /// is in two solutions, or after the given number of solutions.
    RarePlaces([u32; WORDS], u32),
}

/// The result of a search in the lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    /// The number of solutions that were found and meet the goal of the search.
    pub(super) count: u32,
    /// The cells of each digit in the last solution. For [`SearchGoal::RarePlaces`], the candidates that are in
    /// any solution.
    pub(super) solution_places: [u32; WORDS],
    /// For [`SearchGoal::RarePlaces`], the candidates that are in several solutions.
    pub(super) places_in_several: [u32; WORDS],
}

impl SearchResult {
    pub(super) const NO_SOLUTIONS: SearchResult = SearchResult {
        count: 0,
        solution_places: [0; WORDS],
        places_in_several: [0; WORDS],
    };

    /// Adds a solution to the result. Returns whether the search must continue to reach its goal.
    #[inline(always)]
    pub(super) fn add_solution(&mut self, goal: &SearchGoal, places: &[u32; WORDS]) -> bool {
        match goal {
            SearchGoal::Count(most) => {
                self.count += 1;
                self.solution_places = *places;
                self.count < *most
            }
            SearchGoal::Other(known) => {
                if known != places {
                    self.count += 1;
                    self.solution_places = *places;
                }
                self.count == 0
            }
            SearchGoal::RarePlaces(wanted, most) => {
                self.count += 1;
                let mut has_wanted_left = 0;
                for at in 0..WORDS {
                    self.places_in_several[at] |= self.solution_places[at] & places[at];
                    self.solution_places[at] |= places[at];
                    has_wanted_left |= wanted[at] & !self.places_in_several[at];
                }
                has_wanted_left != 0 && self.count < *most
            }
        }
    }
}

/// The content of a mailbox: a question, or the answer that has replaced it.
pub(super) enum Message {
    Nothing,
    Search(LaneSearch),
    SearchResult(SearchResult),
    ToGrade(Grid),
    Graded(Grade),
}

/// What the search for one puzzle shares with the lanes: its random numbers and its current question.
pub(in crate::generate) struct Mailbox {
    pub(super) rng: RefCell<Rng>,
    pub(super) message: RefCell<Message>,
    /// Whether the mailbox has a question that is not answered yet.
    pub(super) has_question: Cell<bool>,
    pub(super) rater: Rc<RefCell<Option<Rater>>>,
}

impl Mailbox {
    pub(super) fn new(rng: Rng, rater: Rc<RefCell<Option<Rater>>>) -> Mailbox {
        Mailbox {
            rng: RefCell::new(rng),
            message: RefCell::new(Message::Nothing),
            has_question: Cell::new(false),
            rater,
        }
    }

    /// Leaves a question in the mailbox, and waits for the answer.
    pub(super) async fn exchange_message(&self, question: Message) -> Message {
        *self.message.borrow_mut() = question;
        self.has_question.set(true);
        poll_fn(|_| {
            if self.has_question.get() {
                Poll::Pending
            } else {
                Poll::Ready(self.message.replace(Message::Nothing))
            }
        })
        .await
    }

    /// Asks the lanes to search a board, and waits for the result.
    pub(super) async fn search(&self, search: LaneSearch) -> SearchResult {
        match self.exchange_message(Message::Search(search)).await {
            Message::SearchResult(found) => found,
            _ => unreachable!("a search is answered by what it found"),
        }
    }
}
