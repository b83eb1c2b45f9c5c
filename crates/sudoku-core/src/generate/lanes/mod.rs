//! Generates many puzzles at the same time. Whenever the search for a puzzle has a question about a board, the
//! search waits for the answer. The board goes to a lane of the solver, or to the puzzles that are graded next.
//!
//! ```text
//! task        an asynchronous search for one puzzle of the series
//!   │ asks
//! mailbox     holds the question of a task, and later the answer
//!   │
//! scheduler   feeds the lanes with boards of the tasks; after an answer, the task can ask again at once
//!   │ no task has a board left
//! grader      grades all waiting puzzles together
//! ```

mod answers;
mod mailbox;
mod removal;
#[cfg(test)]
mod tests;
mod words;

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::board::bands::WORDS;
use crate::grade::{Ladder, Start};
use crate::random::Rng;
use crate::rating::Rater;
use crate::solve::{Guess, Kernel, LaneBoard, SLOTS, SearchFeed, random_of_fewest, search_feed};
use crate::vectors::Vectors;
use mailbox::{Message, SearchGoal, SearchResult};

pub(super) use mailbox::Mailbox;

/// The number of puzzles that are generated at the same time if none is graded: twice the number of boards that
/// the lanes hold.
const PUZZLES_IN_PROGRESS: usize = 2 * SLOTS;

/// The number of puzzles that are generated at the same time if they are graded: enough to keep the lanes of
/// the grader busy.
const GRADED_PUZZLES_IN_PROGRESS: usize = 256;

/// The settings and resources that the searches for all puzzles share.
pub(super) struct LanePlan<'a> {
    pub(super) kernel: Kernel,
    /// The instruction set of the lanes in which boards are searched.
    pub(super) vectors: Vectors,
    /// The ladder (list of techniques) by which puzzles are graded; `None` if puzzles need no grade.
    pub(super) ladder: Option<&'a Ladder>,
    pub(super) is_stopped: &'a dyn Fn() -> bool,
}

/// A puzzle of the series that is to be searched for.
pub(super) struct SearchItem<I> {
    /// The number of the puzzle in the series.
    pub(super) n: u64,
    /// The random numbers for the search of this puzzle.
    pub(super) rng: Rng,
    /// The input of the search, such as an attempt at a pattern, or a puzzle to change.
    pub(super) start: I,
}

/// Searches for the puzzles of all items, and reports each result with the number of its item. `search` makes
/// the future that searches for one puzzle.
pub(super) fn search_items<I, F: Future>(
    plan: LanePlan<'_>,
    items: impl Iterator<Item = SearchItem<I>>,
    search: impl Fn(Rc<Mailbox>, I) -> F,
    found: impl FnMut(u64, F::Output),
) {
    let most_in_progress = match plan.ladder {
        None => PUZZLES_IN_PROGRESS,
        Some(_) => GRADED_PUZZLES_IN_PROGRESS,
    };
    let mut scheduler = Scheduler {
        plan,
        remaining_items: items,
        search,
        on_result: found,
        tasks: Vec::with_capacity(most_in_progress),
        ready_tasks: Vec::new(),
        tasks_to_grade: Vec::new(),
        slots: [const { None }; SLOTS],
        rater: Rc::new(RefCell::new(None)),
        is_stopped: false,
    };
    while scheduler.tasks.len() < most_in_progress && scheduler.start_task(None) {}
    loop {
        let vectors = scheduler.plan.vectors;
        search_feed(vectors, &mut scheduler);
        if scheduler.is_stopped || scheduler.tasks_to_grade.is_empty() {
            return;
        }
        scheduler.grade_waiting();
    }
}

/// A running search for one puzzle, as a future that the scheduler polls.
struct SearchTask<F> {
    n: u64,
    mailbox: Rc<Mailbox>,
    search: Pin<Box<F>>,
}

/// A slot of the lanes, which holds one board, and the task that has asked for a search of this board.
struct LaneSlot {
    task: usize,
    mailbox: Rc<Mailbox>,
    search_result: SearchResult,
    goal: SearchGoal,
    is_random: bool,
    without_guess: bool,
}

/// All running searches for puzzles, grouped by what they wait for.
struct Scheduler<'a, N, S, F, R> {
    plan: LanePlan<'a>,
    remaining_items: N,
    search: S,
    on_result: R,
    tasks: Vec<SearchTask<F>>,
    /// The indices of the tasks that wait for a lane in which their board can be searched.
    ready_tasks: Vec<usize>,
    /// The indices of the tasks whose puzzles wait to be graded together.
    tasks_to_grade: Vec<usize>,
    slots: [Option<LaneSlot>; SLOTS],
    rater: Rc<RefCell<Option<Rater>>>,
    is_stopped: bool,
}

impl<I, N, S, F, R> Scheduler<'_, N, S, F, R>
where
    N: Iterator<Item = SearchItem<I>>,
    S: Fn(Rc<Mailbox>, I) -> F,
    F: Future,
    R: FnMut(u64, F::Output),
{
    /// Starts the search for the next item, in place of a finished task or as a new task. Returns false if no
    /// item is left.
    fn start_task(&mut self, place: Option<usize>) -> bool {
        let Some(SearchItem { n, rng, start }) = self.remaining_items.next() else {
            return false;
        };
        let mailbox = Rc::new(Mailbox::new(rng, self.rater.clone()));
        let task = SearchTask {
            n,
            search: Box::pin((self.search)(mailbox.clone(), start)),
            mailbox,
        };
        match place {
            Some(place) => {
                self.tasks[place] = task;
            }
            None => {
                self.ready_tasks.push(self.tasks.len());
                self.tasks.push(task);
            }
        }
        true
    }

    /// Runs a task until it asks its next question. Returns whether the question is a board for the lanes.
    fn advance_task(&mut self, at: usize) -> bool {
        loop {
            self.is_stopped |= (self.plan.is_stopped)();
            if self.is_stopped {
                return false;
            }
            let task = &mut self.tasks[at];
            task.mailbox.has_question.set(false);
            let mut context = Context::from_waker(Waker::noop());
            match task.search.as_mut().poll(&mut context) {
                Poll::Pending => {
                    let is_search = matches!(*task.mailbox.message.borrow(), Message::Search(_));
                    if !is_search {
                        self.tasks_to_grade.push(at);
                    }
                    return is_search;
                }
                Poll::Ready(result) => {
                    (self.on_result)(task.n, result);
                    if !self.start_task(Some(at)) {
                        return false;
                    }
                }
            }
        }
    }

    /// Writes the board that a task asks about into `board`, the board of a lane. `slot` is the number of the
    /// lane.
    fn fill_slot(&mut self, slot: usize, task: usize, board: &mut LaneBoard) {
        let mailbox = self.tasks[task].mailbox.clone();
        if let Message::Search(search) = &*mailbox.message.borrow() {
            *board = search.board;
            self.slots[slot % SLOTS] = Some(LaneSlot {
                task,
                mailbox: mailbox.clone(),
                search_result: SearchResult::NO_SOLUTIONS,
                goal: search.goal,
                is_random: search.is_random,
                without_guess: search.without_guess,
            });
        }
    }

    /// Grades all puzzles whose tasks wait for a grade, so that these tasks can continue.
    fn grade_waiting(&mut self) {
        let waiting_puzzles = std::mem::take(&mut self.tasks_to_grade);
        let Some(ladder) = self.plan.ladder else {
            return;
        };
        let start_boards =
            waiting_puzzles
                .iter()
                .map(|&task| match &*self.tasks[task].mailbox.message.borrow() {
                    Message::ToGrade(puzzle) => Start::Clues(*puzzle),
                    _ => unreachable!("the task waits for a grade"),
                });
        let progress = ladder.begin(self.plan.kernel, start_boards);
        let grades = ladder.finish(self.plan.kernel, progress);
        for (&task, grade) in waiting_puzzles.iter().zip(grades) {
            *self.tasks[task].mailbox.message.borrow_mut() = Message::Graded(grade);
        }
        for task in waiting_puzzles {
            if self.advance_task(task) {
                self.ready_tasks.push(task);
            }
        }
    }
}

impl<I, N, S, F, R> SearchFeed for Scheduler<'_, N, S, F, R>
where
    N: Iterator<Item = SearchItem<I>>,
    S: Fn(Rc<Mailbox>, I) -> F,
    F: Future,
    R: FnMut(u64, F::Output),
{
    #[inline(always)]
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool {
        // Of all tasks, the one that has just received its answer asks first: its next question can be searched
        // in the same lane.
        let own_slot = self.slots[slot % SLOTS].take();
        let mut task = own_slot.map(|own| own.task);
        if task.is_some_and(|task| !self.advance_task(task)) {
            task = None;
        }
        while task.is_none()
            && let Some(next) = self.ready_tasks.pop()
        {
            let has_board = matches!(
                *self.tasks[next].mailbox.message.borrow(),
                Message::Search(_)
            );
            if has_board || self.advance_task(next) {
                task = Some(next);
            }
        }
        match task {
            Some(task) if !self.is_stopped => {
                self.fill_slot(slot, task, board);
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool {
        let Some(slot) = &mut self.slots[slot % SLOTS] else {
            return false;
        };
        slot.search_result.add_solution(&slot.goal, &places())
    }

    #[inline(always)]
    fn may_guess(&mut self, slot: usize) -> bool {
        { self.slots[slot % SLOTS].as_ref() }.is_some_and(|slot| !slot.without_guess)
    }

    #[inline(always)]
    fn guess(&mut self, slot: usize, board: &LaneBoard) -> Option<Guess> {
        let slot = self.slots[slot % SLOTS].as_ref()?;
        { slot.is_random }.then(|| random_of_fewest(board, &mut slot.mailbox.rng.borrow_mut()))
    }

    #[inline(always)]
    fn ended(&mut self, slot: usize, _: usize) {
        if let Some(slot) = &mut self.slots[slot % SLOTS] {
            *slot.mailbox.message.borrow_mut() = Message::SearchResult(slot.search_result);
        }
    }
}
