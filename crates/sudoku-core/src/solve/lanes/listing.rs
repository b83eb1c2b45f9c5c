//! A batch of puzzles whose solutions are all kept.

use super::board::LaneBoard;
use super::queue::{Queue, Start};
use super::search::SearchFeed;
use crate::board::Grid;
use crate::board::bands::{self, WORDS};

/// A [`Queue`] that also keeps the solutions of each puzzle, in the order in which they are found.
pub(super) struct Listing<'a, P> {
    pub(super) queue: Queue<'a, P>,
    /// The solutions of each puzzle.
    pub(super) grids: &'a mut [Vec<Grid>],
}

impl<P: Start> SearchFeed for Listing<'_, P> {
    const IS_HOPEFUL: bool = Queue::<P>::IS_HOPEFUL;

    #[inline(always)]
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool {
        self.queue.next(slot, board)
    }

    #[inline(always)]
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool {
        let places = places();
        self.grids[self.queue.puzzle_in(slot)].push(bands::grid(&places));
        self.queue.solved(slot, || places)
    }

    #[inline(always)]
    fn may_guess(&mut self, slot: usize) -> bool {
        self.queue.may_guess(slot)
    }

    #[inline(always)]
    fn ended(&mut self, slot: usize, open: usize) {
        self.queue.ended(slot, open);
    }
}
