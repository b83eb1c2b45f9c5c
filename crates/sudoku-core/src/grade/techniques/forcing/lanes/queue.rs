//! Tests whether two assumptions together lead to a contradiction by singles, many tests at once.
//!
//! Following two assumptions from the same board gives the same as following the intersection of the two
//! boards that each of them leads to. So a test starts with an intersection, and more than half of them
//! end with the first wave.
//!
//! ```text
//! push     intersects closed boards, and appends them to the queue
//! settle   waves over the whole queue, which keeps only boards that have changed, until it is empty
//! ```

use super::cells::by_cell;
use super::wave::{load, wave};
use crate::board::Candidates;
use crate::vectors::{ShortWork, Shorts};

/// The boards of one block.
pub(super) const BLOCK: usize = 32;

/// Boards that fit the queue: those of a round, what the round before has left, and a vector more. A row is an odd number of cache lines long: the words
/// of a board are in different sets of the cache.
const ROOM: usize = 11 * 32;

/// The most tests of a round.
pub(super) const MOST: usize = ROOM - 3 * BLOCK;

/// Closed boards, cell by cell a word for each of them.
pub(super) type Block = [[u16; BLOCK]; 81];

/// A test of one board with some of the boards of a block.
pub(super) struct BlockTest<'a> {
    /// The board.
    pub(super) board: &'a Candidates,
    /// What the results call it.
    pub(super) name: u16,
    /// The other boards.
    pub(super) block: &'a Block,
    /// What the results call the first board of the block.
    pub(super) first: u16,
    /// The boards of the block to be tested, a bit for each.
    pub(super) with: u32,
}

/// Boards that are followed.
#[repr(align(64))]
pub(super) struct TestQueue {
    cells: [[u16; ROOM]; 81],
    /// The name of the board, and that of the other one.
    names: [[u16; ROOM]; 2],
    len: usize,
    /// The digits that a wave places, for the boards of one vector.
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

    /// The names of the boards whose tests have not ended.
    pub(super) fn waiting(&self) -> &[u16] {
        &self.names[0][..self.len]
    }

    /// For each test that has not ended the names of both boards.
    pub(super) fn waiting_tests(&self) -> impl Iterator<Item = [u16; 2]> {
        let [own, others] = &self.names;
        let tests = own[..self.len].iter().zip(others);
        tests.map(|(own, other)| [*own, *other])
    }
}

/// Runs tests, [`MOST`] at most, and appends the names of each two boards that contradict each other. The
/// last tests, fewer than fill a vector, wait for the next round, and end if that has no tests of its own.
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
        let least = if tests.is_empty() { 1 } else { N };
        while queue.len >= least {
            sweep::<V, N>(proof, queue, refuted);
        }
    }
}

/// The numbers of the boards of a block.
static NUMBERS: [u16; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut n = 0;
    while n < BLOCK {
        numbers[n] = n as u16;
        n += 1;
    }
    numbers
};

/// Appends the intersections of a test.
#[inline(always)]
fn push<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    queue: &mut TestQueue,
    test: &BlockTest<'_>,
) {
    let cells = by_cell::<V, N>(proof, test.board);
    for from in (0..BLOCK).step_by(N) {
        let with = test.with >> from & u32::MAX >> (32 - N);
        if with == 0 {
            continue;
        }
        let len = queue.len;
        for (cell, row) in queue.cells.iter_mut().enumerate() {
            let others: V = load(proof, &test.block[cell], from);
            let both = others & V::splat(proof, cells[cell]);
            both.append(with, room(row, len));
        }
        let numbers = NUMBERS.map(|number| number + test.first);
        let [own, others] = &mut queue.names;
        V::splat(proof, test.name).append(with, room(own, len));
        load::<V, N, BLOCK>(proof, &numbers, from).append(with, room(others, len));
        queue.len += with.count_ones() as usize;
    }
}

/// One wave over the queue: over all whole vectors, or over what is less than one.
#[inline(always)]
fn sweep<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    queue: &mut TestQueue,
    refuted: &mut Vec<[u16; 2]>,
) {
    let len = queue.len;
    let whole = if len < N { len } else { len - len % N };
    let mut kept = 0;
    for at in (0..whole).step_by(N) {
        let waved = wave::<V, N, ROOM>(proof, &mut queue.cells, at, &mut queue.placed);
        let boards = u32::MAX >> (32 - N.min(len - at));
        let mut dead = waved.dead & boards;
        while dead != 0 {
            let board = at + dead.trailing_zeros() as usize;
            refuted.push([queue.names[0][board], queue.names[1][board]]);
            dead &= dead - 1;
        }
        keep::<V, N>(
            proof,
            queue,
            at,
            waved.changed & !waved.dead & boards,
            &mut kept,
        );
    }
    if whole < len {
        keep::<V, N>(
            proof,
            queue,
            whole,
            u32::MAX >> (32 - (len - whole)),
            &mut kept,
        );
    }
    queue.len = kept;
}

/// Moves the boards of these lanes, from `at` on, behind those that are kept.
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
