//! The six easiest techniques, from full house to claiming, run with vector instructions, with one puzzle in each lane
//! of a vector. In most datasets, most puzzles need no other technique.
//!
//! ```text
//! wave     finds the singles of the lowest technique in every lane; the next wave places them
//!   │ lanes that are solved or have no single
//! locked   removes locked candidates; a lane without any has stalled
//!   │
//! feed     supplies the next puzzle of the lane
//! ```
//!
//! The results equal those of the six techniques in `techniques`, which are slower but easier to read. A test compares
//! them.

mod lane_counts;
mod locked;
#[cfg(test)]
mod tests;
mod wave;
mod wave_boards;

pub(super) use lane_counts::{LaneCounts, RUNGS};

use locked::locked;
use wave::{WaveResult, wave};
use wave_boards::WaveBoards;

use super::rank::Rank;
use super::start::Start;
use crate::board::{Candidates, Grid};
use crate::vectors::{LaneStep, LaneWork, Lanes, Vectors};

/// The largest number of lanes of any instruction set.
pub(super) const MAX_LANES: usize = 16;

/// A source of puzzles for the vector lanes, which also receives the results.
pub(super) trait LaneFeed {
    /// The next puzzle for this lane; `None` if no puzzle is left. Each lane gets its first puzzle before any result is
    /// reported, in ascending order of the lanes.
    fn next(&mut self, lane: usize) -> Option<Start>;

    /// Receives the full grid of a lane, and the number of waves in which each technique was applied.
    fn solved(&mut self, lane: usize, counts: &LaneCounts, grid: Grid);

    /// Receives the board of a lane on which no technique finds anything. If this returns a board, the lane continues
    /// with that board and counts its waves from 0.
    fn stalled(
        &mut self,
        lane: usize,
        counts: &LaneCounts,
        board: Candidates,
    ) -> Option<Candidates>;
}

/// Applies the techniques up to the rank `highest` to every puzzle that `feed` supplies.
pub(super) fn apply_waves(vectors: Vectors, highest: Rank, feed: &mut impl LaneFeed) {
    vectors.run(WavesInLanes { highest, feed });
}

struct WavesInLanes<'a, C> {
    highest: Rank,
    feed: &'a mut C,
}

impl<C: LaneFeed> LaneWork for WavesInLanes<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) {
        let WavesInLanes { highest, feed } = self;
        let mut boards = WaveBoards::<N>::empty();
        let mut busy = 0;
        for lane in 0..N {
            busy |= next(&mut boards, lane, feed);
        }
        while busy != 0 {
            let LaneResults { solved, stalled } = V::step(
                proof,
                LaneWave {
                    boards: &mut boards,
                    busy,
                    highest,
                },
            );
            let mut lanes = (solved | stalled) & busy;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % N;
                let bit = lanes & lanes.wrapping_neg();
                lanes ^= bit;
                let counts = boards.counts(lane);
                let board = if solved & bit != 0 {
                    feed.solved(lane, &counts, boards.grid(lane));
                    None
                } else {
                    feed.stalled(lane, &counts, boards.board(lane))
                };
                match board {
                    Some(board) => boards.put_board(lane, &board),
                    None => busy = busy & !bit | next(&mut boards, lane, feed),
                }
            }
        }
    }
}

/// Applies one wave in every lane: all steps of the easiest technique that finds any. Compiled as one vector function.
struct LaneWave<'a, const N: usize> {
    boards: &'a mut WaveBoards<N>,
    /// A mask of the lanes that have a puzzle.
    busy: u32,
    /// The rank of the hardest technique to apply.
    highest: Rank,
}

/// The results of a wave, as masks with one bit for each lane.
struct LaneResults {
    /// The lanes in which every cell is solved.
    solved: u32,
    /// The lanes in which no technique finds anything.
    stalled: u32,
}

impl<V: Lanes<N>, const N: usize> LaneStep<V, N> for LaneWave<'_, N> {
    type Output = LaneResults;

    #[inline(always)]
    fn run(self, proof: V::Proof) -> LaneResults {
        let WaveResult {
            solved,
            mut without_singles,
        } = wave::<V, N>(proof, self.boards);
        if !without_singles.zero_lanes() & self.busy != 0 && self.highest >= Rank::LOCKED_POINTING {
            let claiming = self.highest >= Rank::LOCKED_CLAIMING;
            without_singles = locked::<V, N>(proof, self.boards, without_singles, claiming);
        }
        LaneResults {
            solved: !solved.zero_lanes(),
            stalled: !without_singles.zero_lanes(),
        }
    }
}

/// Puts the next puzzle of `feed` into a lane. Returns the bit of the lane, or 0 if no puzzle is left.
#[inline(always)]
fn next<const N: usize>(boards: &mut WaveBoards<N>, lane: usize, feed: &mut impl LaneFeed) -> u32 {
    match feed.next(lane) {
        Some(Start::Clues(clues)) => boards.put_clues(lane, &clues),
        Some(Start::Board(board)) => boards.put_board(lane, &board),
        None => return 0,
    }
    1 << lane
}
