//! The six lowest rungs, full house to claiming, with a puzzle in each lane of a vector: most puzzles of
//! most datasets need nothing else.
//!
//! ```text
//! wave     the singles of every lane that its lowest technique finds; placed with the next wave
//!   │ lanes that are solved, or have no single
//! locked   candidates go; what has none of them either has stalled
//!   │
//! crowd    says what to go on with in the lane
//! ```
//!
//! The techniques are the readable twins: a test climbs both.

mod block;
mod locked;
#[cfg(test)]
mod tests;
mod wave;

use block::Block;
use locked::locked;
use wave::wave;

use super::batch::Beginning;
use super::rank::Rank;
use crate::board::{Candidates, Grid};
use crate::lanes::{Lanes, Vectors, Work};

/// How many rungs this is.
pub(super) const RUNGS: usize = Rank::LOCKED_CLAIMING.index() + 1;

/// Lanes that there are at most.
pub(super) const MAX_LANES: usize = 16;

/// The waves of a board in a lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// By rung.
    pub(super) waves: [u16; RUNGS],
    /// Whether the first that only removed candidates was one of claiming.
    pub(super) claimed_first: bool,
}

impl Counted {
    /// The rank of the first wave that only removed candidates.
    pub(super) fn first_rank(&self) -> Option<Rank> {
        let removed = self.waves[Rank::LOCKED_POINTING.index()..]
            .iter()
            .any(|waves| *waves > 0);
        removed.then_some(if self.claimed_first {
            Rank::LOCKED_CLAIMING
        } else {
            Rank::LOCKED_POINTING
        })
    }
}

/// Puzzles that want to climb.
pub(super) trait Crowd {
    /// The next of them; it goes into this lane.
    fn next(&mut self, lane: usize) -> Option<Beginning>;

    /// The lane has no unsolved cell any more.
    fn solved(&mut self, lane: usize, counted: &Counted, grid: Grid);

    /// The rungs find nothing in the lane. Where there is a board, the lane goes on with it, and its waves
    /// are counted anew.
    fn stalled(&mut self, lane: usize, counted: &Counted, board: Candidates) -> Option<Candidates>;
}

/// Everyone in the crowd climbs as far as these rungs go; the highest of them has this rank.
pub(super) fn climb(vectors: Vectors, highest: Rank, crowd: &mut impl Crowd) {
    vectors.run(Climb { highest, crowd });
}

struct Climb<'a, C> {
    highest: Rank,
    crowd: &'a mut C,
}

impl<C: Crowd> Work for Climb<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) {
        let Climb { highest, crowd } = self;
        let mut block = Block::<N>::empty();
        let mut busy = 0;
        for lane in 0..N {
            busy |= next(&mut block, lane, crowd);
        }
        while busy != 0 {
            let waved = wave::<V, N>(proof, &mut block);
            let solved = !waved.solved.zero_lanes();
            let mut quiet = waved.quiet;
            if !quiet.zero_lanes() & busy != 0 && highest >= Rank::LOCKED_POINTING {
                let claiming = highest >= Rank::LOCKED_CLAIMING;
                quiet = locked::<V, N>(proof, &mut block, quiet, claiming);
            }
            let mut lanes = (solved | !quiet.zero_lanes()) & busy;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % N;
                let bit = lanes & lanes.wrapping_neg();
                lanes ^= bit;
                let counted = block.counted(lane);
                let board = if solved & bit != 0 {
                    crowd.solved(lane, &counted, block.grid(lane));
                    None
                } else {
                    crowd.stalled(lane, &counted, block.board(lane))
                };
                match board {
                    Some(board) => block.put_board(lane, &board),
                    None => busy = busy & !bit | next(&mut block, lane, crowd),
                }
            }
        }
    }
}

/// Puts the next of the crowd into a lane: the lane's bit, or none.
#[inline(always)]
fn next<const N: usize>(block: &mut Block<N>, lane: usize, crowd: &mut impl Crowd) -> u32 {
    match crowd.next(lane) {
        Some(Beginning::Clues(clues)) => block.put_clues(lane, &clues),
        Some(Beginning::Board(board)) => block.put_board(lane, &board),
        None => return 0,
    }
    1 << lane
}
