//! Finds the unsolved cells of a board with the fewest candidates.

use super::super::board::LaneBoard;

/// The smallest number of candidates of an unsolved cell, and for each band the cells with this number.
#[inline(always)]
pub(super) fn cells_with_fewest(board: &LaneBoard) -> (usize, [u32; 3]) {
    // `more_than[n]` has the cells with more than n candidates.
    let mut more_than = [[0_u32; 3]; 4];
    for words in board.places().as_chunks::<3>().0 {
        for band in 0..3 {
            for n in (1..4).rev() {
                more_than[n][band] |= more_than[n - 1][band] & words[band];
            }
            more_than[0][band] |= words[band];
        }
    }
    for count in 2..4 {
        let cells = [0, 1, 2].map(|band| more_than[count - 1][band] & !more_than[count][band]);
        if cells != [0; 3] {
            return (count, cells);
        }
    }
    fewest_of_many(board)
}

/// Does the same as [`cells_with_fewest`], which is faster if some cell has two or three candidates.
#[cold]
pub(super) fn fewest_of_many(board: &LaneBoard) -> (usize, [u32; 3]) {
    // `more_than[n]` has the cells with more than n candidates.
    let mut more_than = [[0_u32; 3]; 10];
    for words in board.places().as_chunks::<3>().0 {
        for band in 0..3 {
            for n in (1..9).rev() {
                more_than[n][band] |= more_than[n - 1][band] & words[band];
            }
            more_than[0][band] |= words[band];
        }
    }
    let of_count =
        |count: usize| [0, 1, 2].map(|band| more_than[count - 1][band] & !more_than[count][band]);
    let counts = (2..10).map(|count| (count, of_count(count)));
    { counts }
        .find(|(_, cells)| *cells != [0; 3])
        .expect("a stalled board has an unsolved cell")
}
