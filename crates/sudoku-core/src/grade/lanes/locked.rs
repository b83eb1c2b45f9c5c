//! Locked candidates (pointing and claiming) with vector instructions, in all lanes that have no singles.

use super::wave::{count, load_bands};
use super::wave_boards::WaveBoards;
use crate::board::bands::{
    CELLS, cells_of_columns, cells_of_rows, mini_columns, packed_mini_rows, to_next_box,
    to_next_column, to_next_row,
};
use crate::vectors::{Lanes, Words};

/// Applies pointing in each lane of the mask `lanes`. If `claiming` is set and pointing finds nothing in a lane,
/// applies claiming there. Returns the mask of the lanes in which nothing was found.
#[inline(always)]
pub(super) fn locked<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut WaveBoards<N>,
    lanes: V,
    claiming: bool,
) -> V {
    let zero = V::splat(proof, 0);
    let pointed = remove_locked::<V, N, false>(proof, boards, lanes);
    count(proof, &mut boards.waves[2], pointed, zero);
    let lanes_left = lanes.without(pointed);
    if !claiming || lanes_left.zero_lanes() == zero.zero_lanes() {
        return lanes_left;
    }
    let claimed = remove_locked::<V, N, true>(proof, boards, lanes_left);
    let first_claimed = V::load(proof, &boards.waves[2]).is_zero() & claimed;
    let claimed_first = &mut boards.claimed_first;
    (V::load(proof, claimed_first) | first_claimed).store(claimed_first);
    count(proof, &mut boards.waves[2], zero, claimed);
    lanes_left.without(claimed)
}

/// Removes the candidates that pointing or claiming excludes, in the lanes of the mask `lanes`. Returns the mask of the
/// lanes in which any candidate was removed.
#[inline(always)]
fn remove_locked<V: Lanes<N>, const N: usize, const CLAIMING: bool>(
    proof: V::Proof,
    boards: &mut WaveBoards<N>,
    lanes: V,
) -> V {
    let unsolved = load_bands::<V, N>(proof, &boards.unsolved, 0);
    let mut removed_in_any = V::splat(proof, 0);
    for digit in 0..9 {
        let mut open_places = load_bands::<V, N>(proof, &boards.words, 3 * digit);
        for band in 0..3 {
            open_places[band] = open_places[band] & unsolved[band];
        }
        let cleared = excluded_cells::<V, CLAIMING>(open_places);
        for band in 0..3 {
            let removed_places = open_places[band] & cleared[band];
            removed_in_any = removed_in_any | removed_places;
            removed_places.store(&mut boards.found_places[3 * digit + band]);
        }
    }
    let lanes = lanes.without(removed_in_any.is_zero());
    for (words, removed) in boards.words.iter_mut().zip(&boards.found_places) {
        let removed_here = V::load(proof, removed) & lanes;
        V::load(proof, words).without(removed_here).store(words);
    }
    lanes
}

/// The cells of each band from which pointing or claiming removes a digit. `places` are the possible cells of the
/// digit.
#[inline(always)]
fn excluded_cells<V: Words, const CLAIMING: bool>(places: [V; 3]) -> [V; 3] {
    let [a, b, c] = places;
    let rows = packed_mini_rows([a, b, c]);
    let columns = mini_columns(a, b, c);
    // Pointing: if all places of the digit in a box are in one row, the digit is removed from that row in the
    // other boxes. Claiming: if all its places in a row are in one box, it is removed from the other rows of that
    // box. The same holds for columns.
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

/// For each of the three rows of a word, the union of the bits of the other two rows.
#[inline(always)]
fn other_rows<V: Words>(rows: V) -> V {
    let next_rows = to_next_row(rows) & CELLS;
    next_rows | to_next_row(next_rows)
}

/// For each box of a band, the union of the bits of the other two boxes.
#[inline(always)]
fn other_boxes<V: Words>(boxes: V) -> V {
    let next_boxes = to_next_box(boxes);
    next_boxes | to_next_box(next_boxes)
}

/// For each column of a box, the union of the bits of the other two columns.
#[inline(always)]
fn other_columns<V: Words>(columns: V) -> V {
    let next_columns = to_next_column(columns);
    next_columns | to_next_column(next_columns)
}
