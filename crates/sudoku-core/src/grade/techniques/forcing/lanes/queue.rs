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

/// Boards that fit the queue, and a vector more. A row is an odd number of cache lines long: the words
/// of a board are in different sets of the cache.
const ROOM: usize = 17 * 32;

/// The most tests of a round.
pub(super) const MOST: usize = ROOM - BLOCK;

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
}

impl TestQueue {
    pub(super) fn new() -> Box<TestQueue> {
        Box::new(TestQueue {
            cells: [[0; ROOM]; 81],
            names: [[0; ROOM]; 2],
            len: 0,
        })
    }
}

/// Runs tests, [`MOST`] at most. Appends the names of each two boards that contradict each other.
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
        queue.len = 0;
        for test in tests {
            push::<V, N>(proof, queue, test);
        }
        while queue.len > 0 {
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

/// One wave over the queue.
#[inline(always)]
fn sweep<V: Shorts<N>, const N: usize>(
    proof: V::Proof,
    queue: &mut TestQueue,
    refuted: &mut Vec<[u16; 2]>,
) {
    let mut kept = 0;
    for at in (0..queue.len).step_by(N) {
        let waved = wave::<V, N, ROOM>(proof, &mut queue.cells, at);
        let boards = u32::MAX >> (32 - N.min(queue.len - at));
        let mut dead = waved.dead & boards;
        while dead != 0 {
            let board = at + dead.trailing_zeros() as usize;
            refuted.push([queue.names[0][board], queue.names[1][board]]);
            dead &= dead - 1;
        }
        let left = waved.changed & !waved.dead & boards;
        let count = left.count_ones() as usize;
        if count > 0 && (kept < at || left != boards) {
            for row in queue.cells.iter_mut().chain(&mut queue.names) {
                load::<V, N, ROOM>(proof, row, at).append(left, room(row, kept));
            }
        }
        kept += count;
    }
    queue.len = kept;
}

#[inline(always)]
fn room<const N: usize>(row: &mut [u16; ROOM], at: usize) -> &mut [u16; N] {
    row[at..].first_chunk_mut().expect("room for a vector more")
}
