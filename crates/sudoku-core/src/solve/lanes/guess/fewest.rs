//! Finds the unsolved cells of a board with the fewest candidates.

use super::super::board::LaneBoard;

/// The smallest number of candidates of an unsolved cell, and for each band the cells with this number.
#[inline(always)]
pub(super) fn cells_with_fewest(board: &LaneBoard) -> (usize, [u32; 3]) {
    let more_than = more_than::<4>(board);
    let few = (2..4).map(|count| (count, with_count(&more_than, count)));
    { few }
        .find(|(_, cells)| *cells != [0; 3])
        .unwrap_or_else(|| fewest_of_many(board))
}

/// Does the same as [`cells_with_fewest`], which is faster if some cell has two or three candidates.
#[cold]
pub(super) fn fewest_of_many(board: &LaneBoard) -> (usize, [u32; 3]) {
    let more_than = more_than::<10>(board);
    let all = (2..10).map(|count| (count, with_count(&more_than, count)));
    { all }
        .find(|(_, cells)| *cells != [0; 3])
        .expect("a stalled board has an unsolved cell")
}

/// For each number below `N`, the cells with more candidates than that, by band.
#[inline(always)]
fn more_than<const N: usize>(board: &LaneBoard) -> [[u32; 3]; N] {
    let mut more_than = [[0; 3]; N];
    for words in board.places().as_chunks::<3>().0 {
        for band in 0..3 {
            for n in (1..N).rev() {
                more_than[n][band] |= more_than[n - 1][band] & words[band];
            }
            more_than[0][band] |= words[band];
        }
    }
    more_than
}

/// The cells with this number of candidates, by band.
#[inline(always)]
fn with_count<const N: usize>(more_than: &[[u32; 3]; N], count: usize) -> [u32; 3] {
    [0, 1, 2].map(|band| more_than[count - 1][band] & !more_than[count][band])
}
