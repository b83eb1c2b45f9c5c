//! The six lowest rungs, full house to claiming, with a puzzle in each lane of a vector: most puzzles of
//! most datasets need nothing else.
//!
//! ```text
//! wave     the singles of every lane that its lowest technique finds; placed with the next wave
//!   │ lanes that are solved, or have no single
//! locked   candidates go; what has none of them either has stalled
//!   │
//! feed     gives the next puzzle of the lane
//! ```
//!
//! The techniques are the readable twins: a test climbs both.

mod lane_boards;
mod locked;
#[cfg(test)]
mod tests;
mod wave;

use lane_boards::LaneBoards;
use locked::locked;
use wave::{WaveResult, wave};

use super::rank::Rank;
use super::start::Start;
use crate::board::{Candidates, Grid};
use crate::vectors::{Lanes, Step, Vectors, Work};

/// How many rungs this is.
pub(super) const RUNGS: usize = Rank::LOCKED_CLAIMING.index() + 1;

/// Lanes that there are at most.
pub(super) const MAX_LANES: usize = 16;

/// The waves of a board in a lane.
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

/// The source of puzzles for the lanes, which takes what becomes of each.
pub(super) trait LaneFeed {
    /// The next of them; it goes into this lane. Lanes are asked for in order at first.
    fn next(&mut self, lane: usize) -> Option<Start>;

    /// The lane has no unsolved cell any more.
    fn solved(&mut self, lane: usize, counted: &Counted, grid: Grid);

    /// The rungs find nothing in the lane. Where there is a board, the lane goes on with it, and its waves
    /// are counted anew.
    fn stalled(&mut self, lane: usize, counted: &Counted, board: Candidates) -> Option<Candidates>;
}

/// Climbs these rungs with every puzzle of the feed; the highest rung has this rank.
pub(super) fn climb(vectors: Vectors, highest: Rank, feed: &mut impl LaneFeed) {
    vectors.run(Climb { highest, feed });
}

struct Climb<'a, C> {
    highest: Rank,
    feed: &'a mut C,
}

impl<C: LaneFeed> Work for Climb<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) {
        let Climb { highest, feed } = self;
        let mut boards = LaneBoards::<N>::empty();
        let mut busy = 0;
        for lane in 0..N {
            busy |= next(&mut boards, lane, feed);
        }
        while busy != 0 {
            let Reached { solved, stalled } = V::step(
                proof,
                Wave {
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
                let counted = boards.counted(lane);
                let board = if solved & bit != 0 {
                    feed.solved(lane, &counted, boards.grid(lane));
                    None
                } else {
                    feed.stalled(lane, &counted, boards.board(lane))
                };
                match board {
                    Some(board) => boards.put_board(lane, &board),
                    None => busy = busy & !bit | next(&mut boards, lane, feed),
                }
            }
        }
    }
}

/// One wave in every lane.
struct Wave<'a, const N: usize> {
    boards: &'a mut LaneBoards<N>,
    /// Bit n: lane n has a puzzle.
    busy: u32,
    /// The rank of the highest rung.
    highest: Rank,
}

/// After a wave, a bit for each lane.
struct Reached {
    /// No cell is unsolved.
    solved: u32,
    /// No rung finds anything.
    stalled: u32,
}

impl<V: Lanes<N>, const N: usize> Step<V, N> for Wave<'_, N> {
    type Output = Reached;

    #[inline(always)]
    fn take(self, proof: V::Proof) -> Reached {
        let WaveResult { solved, mut quiet } = wave::<V, N>(proof, self.boards);
        if !quiet.zero_lanes() & self.busy != 0 && self.highest >= Rank::LOCKED_POINTING {
            let claiming = self.highest >= Rank::LOCKED_CLAIMING;
            quiet = locked::<V, N>(proof, self.boards, quiet, claiming);
        }
        Reached {
            solved: !solved.zero_lanes(),
            stalled: !quiet.zero_lanes(),
        }
    }
}

/// Puts the next puzzle of the feed into a lane: the lane's bit, or none.
#[inline(always)]
fn next<const N: usize>(boards: &mut LaneBoards<N>, lane: usize, feed: &mut impl LaneFeed) -> u32 {
    match feed.next(lane) {
        Some(Start::Clues(clues)) => boards.put_clues(lane, &clues),
        Some(Start::Board(board)) => boards.put_board(lane, &board),
        None => return 0,
    }
    1 << lane
}
