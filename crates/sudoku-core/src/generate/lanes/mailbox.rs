//! The mailbox between the search for a puzzle and the lanes: the search leaves a question, and receives the
//! answer.

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

/// A question: a board to search, and the goal of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneSearch {
    pub(super) board: LaneBoard,
    pub(super) goal: SearchGoal,
    /// Whether to guess at random. Otherwise the search takes the guesses that end it soonest.
    pub(super) is_random: bool,
    /// Whether to end at the first guess.
    pub(super) without_guess: bool,
}

/// The goal of a search, which determines when the search ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum SearchGoal {
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
    pub(super) solution_places: [u32; WORDS],
    /// For [`Goal::RarePlaces`]: the places that are in several solutions.
    pub(super) in_several: [u32; WORDS],
}

impl SearchResult {
    pub(super) const NO_SOLUTIONS: SearchResult = SearchResult {
        count: 0,
        solution_places: [0; WORDS],
        in_several: [0; WORDS],
    };

    /// Adds a solution. Returns whether the search continues.
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
                    self.in_several[at] |= self.solution_places[at] & places[at];
                    self.solution_places[at] |= places[at];
                    has_wanted_left |= wanted[at] & !self.in_several[at];
                }
                has_wanted_left != 0 && self.count < *most
            }
        }
    }
}

/// A question, later replaced by its answer.
pub(super) enum Message {
    Nothing,
    Search(LaneSearch),
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
    pub(super) is_asked: Cell<bool>,
    pub(super) rater: Rc<RefCell<Option<Rater>>>,
}

impl Mailbox {
    pub(super) fn new(rng: Rng, rater: Rc<RefCell<Option<Rater>>>) -> Mailbox {
        Mailbox {
            rng: RefCell::new(rng),
            message: RefCell::new(Message::Nothing),
            is_asked: Cell::new(false),
            rater,
        }
    }

    /// Leaves a question, and waits for the answer.
    pub(super) async fn exchange_message(&self, question: Message) -> Message {
        *self.message.borrow_mut() = question;
        self.is_asked.set(true);
        poll_fn(|_| match self.is_asked.get() {
            true => Poll::Pending,
            false => Poll::Ready(self.message.replace(Message::Nothing)),
        })
        .await
    }

    /// Searches a board in a lane.
    pub(super) async fn search(&self, search: LaneSearch) -> SearchResult {
        match self.exchange_message(Message::Search(search)).await {
            Message::SearchResult(found) => found,
            _ => unreachable!("a search is answered by what it found"),
        }
    }
}
