//! Tests whether pairs of assumptions lead to a contradiction by singles, many pairs at the same time.
//!
//! Following two assumptions from the same board gives the same result as following the intersection of the two boards
//! that they lead to. So a test starts with the intersection of two boards. The first wave of singles decides more than
//! half of all tests.
//!
//! ```text
//! push     intersects two boards, and appends the result to the queue
//! settle   applies waves to the whole queue, which keeps only boards that have changed, until it is empty
//! ```

use super::cells::{BLOCK, by_cell};
use super::singles::{load, place_singles};
use crate::board::Candidates;
use crate::vectors::{ShortWork, Shorts};

/// The number of boards that fit into the queue: the boards of a round, the boards left from the round before, and one
/// more vector. A row of the queue is an odd number of cache lines long, so that the words of one board are in
/// different cache sets.
const ROOM: usize = 11 * 32;

/// The largest number of tests that may be added in one round.
pub(super) const MOST: usize = ROOM - 3 * BLOCK;

/// A block of boards to which singles have been applied: for each cell, the candidates of the cell on each board.
pub(super) type Block = [[u16; BLOCK]; 81];

/// Tests that intersect one board with boards of a block.
pub(super) struct BlockTest<'a> {
    /// The board of the first assumption.
    pub(super) board: &'a Candidates,
    /// The number that stands for this board in the results.
    pub(super) name: u16,
    /// The boards of the second assumptions.
    pub(super) block: &'a Block,
    /// The number that stands for the first board of the block in the results; the other boards have the next numbers.
    pub(super) first: u16,
    /// A mask of the boards of the block that are tested together with `board`.
    pub(super) with: u32,
}

/// A queue of undecided tests. The board of a test starts as the intersection of two boards.
#[repr(align(64))]
pub(super) struct TestQueue {
    cells: [[u16; ROOM]; 81],
    /// For each test, the numbers of the two boards that were intersected.
    names: [[u16; ROOM]; 2],
    len: usize,
    /// The digits that the current wave of singles places in each cell, for the boards of one vector.
    placed: [[u16; BLOCK]; 81],
}

impl TestQueue {
    pub(super) fn new() -> Box<TestQueue> {
        Box::new(TestQueue {
            cells: [[0; ROOM]; 81],
            names: [[0; ROOM]; 2],
            len: 0,
            placed: [[0; BLOCK]; 81],
        })
    }

    /// For each test in the queue, the number of the first assumption's board.
    pub(super) fn waiting(&self) -> &[u16] {
        &self.names[0][..self.len]
    }

    /// For each test in the queue, the numbers of the two boards that were intersected.
    pub(super) fn waiting_tests(&self) -> impl Iterator<Item = [u16; 2]> {
        let [own, others] = &self.names;
        let tests = own[..self.len].iter().zip(others);
        tests.map(|(own, other)| [*own, *other])
    }
}

/// Runs up to [`MOST`] tests. If two boards contradict each other, their numbers are appended to `refuted`. Tests that
/// do not fill a vector stay in the queue for the next round. A round without new tests completes all of them.
pub(super) struct Round<'a> {
    pub(super) queue: &'a mut TestQueue,
    pub(super) tests: &'a [BlockTest<'a>],
    pub(super) refuted: &'a mut Vec<[u16; 2]>,
}

impl ShortWork for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Shorts<N>, const N: usize>(self, proof: V::Proof) {
        let Round {
            queue,
            tests,
            refuted,
        } = self;
        for test in tests {
            push::<V, N>(proof, queue, test);
        }
        let min_length = if tests.is_empty() { 1 } else { N };
        while queue.len >= min_length {
            sweep::<V, N>(proof, queue, refuted);
        }
    }
}

/// The numbers from 0 to [`BLOCK`] − 1, the indexes of the boards in a block.
static NUMBERS: [u16; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut n = 0;
    while n < BLOCK {
        numbers[n] = n as u16;
        n += 1;
    }
    numbers
};

/// Appends tests to the queue: the intersections of a board with the boards of its block.
#[inline(always)]
fn push<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    queue: &mut TestQueue,
    test: &BlockTest<'_>,
) {
    let cells = by_cell::<V, N>(proof, test.board);
    for from in (0..BLOCK).step_by(N) {
        let lanes_to_test = test.with >> from & u32::MAX >> (32 - N);
        if lanes_to_test == 0 {
            continue;
        }
        let len = queue.len;
        for (cell, row) in queue.cells.iter_mut().enumerate() {
            let others: V = load(proof, &test.block[cell], from);
            let intersection = others & V::splat(proof, cells[cell]);
            intersection.append(lanes_to_test, room(row, len));
        }
        let numbers = NUMBERS.map(|number| number + test.first);
        let [own, others] = &mut queue.names;
        V::splat(proof, test.name).append(lanes_to_test, room(own, len));
        load::<V, N, BLOCK>(proof, &numbers, from).append(lanes_to_test, room(others, len));
        queue.len += lanes_to_test.count_ones() as usize;
    }
}

/// Applies one round of singles (a wave) to the boards in the queue, in whole vectors. Boards that do not fill a vector
/// wait, unless there are no others. Keeps the boards that have changed and have no contradiction, and those that wait.
#[inline(always)]
fn sweep<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    queue: &mut TestQueue,
    refuted: &mut Vec<[u16; 2]>,
) {
    let len = queue.len;
    let whole_vectors_length = if len < N { len } else { len - len % N };
    let mut kept_count = 0;
    for at in (0..whole_vectors_length).step_by(N) {
        let singles = place_singles::<V, N, ROOM>(proof, &mut queue.cells, at, &mut queue.placed);
        let boards = u32::MAX >> (32 - N.min(len - at));
        let mut dead_lanes = singles.dead & boards;
        while dead_lanes != 0 {
            let board = at + dead_lanes.trailing_zeros() as usize;
            refuted.push([queue.names[0][board], queue.names[1][board]]);
            dead_lanes &= dead_lanes - 1;
        }
        keep::<V, N>(
            proof,
            queue,
            at,
            singles.changed & !singles.dead & boards,
            &mut kept_count,
        );
    }
    if whole_vectors_length < len {
        keep::<V, N>(
            proof,
            queue,
            whole_vectors_length,
            u32::MAX >> (32 - (len - whole_vectors_length)),
            &mut kept_count,
        );
    }
    queue.len = kept_count;
}

/// Keeps the boards in these lanes of the vector at `at`, by moving them to the end of the boards kept so far.
#[inline(always)]
fn keep<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    queue: &mut TestQueue,
    at: usize,
    lanes: u32,
    kept: &mut usize,
) {
    let count = lanes.count_ones() as usize;
    let is_in_place = *kept == at && count == N;
    if count > 0 && !is_in_place {
        for row in &mut queue.cells {
            load::<V, N, ROOM>(proof, row, at).append(lanes, room(row, *kept));
        }
        for row in &mut queue.names {
            load::<V, N, ROOM>(proof, row, at).append(lanes, room(row, *kept));
        }
    }
    *kept += count;
}

#[inline(always)]
fn room<const N: usize>(row: &mut [u16; ROOM], at: usize) -> &mut [u16; N] {
    row[at..].first_chunk_mut().expect("room for a vector more")
}
