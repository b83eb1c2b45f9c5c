//! A wave of rank 5 or 6, locked candidates, in the lanes that have no single.

use super::lane_boards::LaneBoards;
use super::wave::{count, load3};
use crate::board::bands::{
    CELLS, cells_of_columns, cells_of_rows, mini_columns, packed_mini_rows, to_next_box,
    to_next_column, to_next_row,
};
use crate::vectors::{Lanes, Words};

/// Removes what pointing finds in the lanes of these bits; what claiming finds, where `claiming` is on
/// the ladder and pointing finds nothing. All bits in the lanes where that is nothing too.
#[inline(always)]
pub(super) fn locked<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut LaneBoards<N>,
    lanes: V,
    claiming: bool,
) -> V {
    let zero = V::splat(proof, 0);
    let pointed = remove::<V, N, false>(proof, boards, lanes);
    count(proof, &mut boards.waves[2], pointed, zero);
    let left = lanes.without(pointed);
    if !claiming || left.zero_lanes() == zero.zero_lanes() {
        return left;
    }
    let claimed = remove::<V, N, true>(proof, boards, left);
    let first = V::load(proof, &boards.waves[2]).is_zero() & claimed;
    let claimed_first = &mut boards.claimed_first;
    (V::load(proof, claimed_first) | first).store(claimed_first);
    count(proof, &mut boards.waves[2], zero, claimed);
    left.without(claimed)
}

/// Removes what locked candidates of a kind find in the lanes of these bits; all bits in those where
/// that is something.
#[inline(always)]
fn remove<V: Lanes<N>, const N: usize, const CLAIMING: bool>(
    proof: V::Proof,
    boards: &mut LaneBoards<N>,
    lanes: V,
) -> V {
    let unsolved = load3::<V, N>(proof, &boards.unsolved, 0);
    let mut any = V::splat(proof, 0);
    for digit in 0..9 {
        let mut open = load3::<V, N>(proof, &boards.words, 3 * digit);
        for band in 0..3 {
            open[band] = open[band] & unsolved[band];
        }
        let cleared = cleared::<V, CLAIMING>(open);
        for band in 0..3 {
            let removed = open[band] & cleared[band];
            any = any | removed;
            removed.store(&mut boards.found[3 * digit + band]);
        }
    }
    let lanes = lanes.without(any.is_zero());
    for (words, removed) in boards.words.iter_mut().zip(&boards.found) {
        let removed = V::load(proof, removed) & lanes;
        V::load(proof, words).without(removed).store(words);
    }
    lanes
}

/// The cells where a digit cannot stand.
#[inline(always)]
fn cleared<V: Words, const CLAIMING: bool>(places: [V; 3]) -> [V; 3] {
    let [a, b, c] = places;
    let rows = packed_mini_rows([a, b, c]);
    let columns = mini_columns(a, b, c);
    // Pointing: the only mini-row of its box clears the others of its row. Claiming: the only one
    // of its row clears the others of its box. In columns likewise.
    let [rows, columns] = if CLAIMING {
        let rows = other_rows(rows.without(other_boxes(rows)));
        let columns = other_columns(columns.without(other_rows(columns)));
        [rows, columns]
    } else {
        let rows = other_boxes(rows.without(other_rows(rows)));
        let columns = other_rows(columns.without(other_columns(columns)));
        [rows, columns]
    };
    let [x, y, z] = cells_of_rows(rows);
    let [u, v, w] = cells_of_columns(columns);
    [x | u, y | v, z | w]
}

/// In each row, what stands in any other of the three.
#[inline(always)]
fn other_rows<V: Words>(rows: V) -> V {
    let next = to_next_row(rows) & CELLS;
    next | to_next_row(next)
}

/// In each box, what stands in any other of the three.
#[inline(always)]
fn other_boxes<V: Words>(boxes: V) -> V {
    let next = to_next_box(boxes);
    next | to_next_box(next)
}

/// In each column of a box, what stands in any other of the three.
#[inline(always)]
fn other_columns<V: Words>(columns: V) -> V {
    let next = to_next_column(columns);
    next | to_next_column(next)
}
