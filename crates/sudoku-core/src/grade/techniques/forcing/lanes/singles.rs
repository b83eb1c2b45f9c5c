//! One round of singles on the board in each vector lane. It places all naked and hidden singles of the board,
//! and removes these digits from the peers of their cells. Repeated rounds have the same result as
//! [`fill_singles`](crate::board::fill_singles), which is easier to read.
//!
//! A board is 81 words of sixteen bits, one for each cell: bit d for digit d + 1. So a house is nine words,
//! and all of its digits are counted at the same time:
//!
//! ```text
//! of three cells   one = a | b | c          digits with at least one place among them
//!                  two = majority(a, b, c)  digits with at least two places
//! of a house       one = one₁ | one₂ | one₃
//!                  two = two₁ | two₂ | two₃ | majority(one₁, one₂, one₃)
//!                  lone = one without two   digits with exactly one place
//! of a cell        its digit, if it has only one, or else the lone digit of one of its houses: placed
//! ```
//!
//! A digit that is placed in a row is removed from the rows below at once, so one round can follow a chain of
//! singles down the board. Rows and boxes share their groups of three cells; the groups of columns are
//! counted separately.

use super::cells::BLOCK;
use crate::vectors::Shorts;

/// The mask of all nine digits.
const ALL: u16 = 0o777;

/// The results of one round of singles, with one bit for each lane.
#[derive(Clone, Copy)]
pub(super) struct SinglesResult {
    /// The lanes whose board has a contradiction.
    pub(super) dead: u32,
    /// The lanes whose board the round has changed.
    pub(super) changed: u32,
}

/// Counts, for each digit, how many of some cells have it as a candidate. `one` has the digits that at least one cell
/// has, `two` those that at least two cells have.
#[derive(Clone, Copy)]
struct DigitCounts<V> {
    one: V,
    two: V,
}

#[inline(always)]
fn majority<V: Shorts<N>, const N: usize>(a: V, b: V, c: V) -> V {
    a & b | (a | b) & c
}

/// Counts, for each digit, how many of three cells have it as a candidate.
#[inline(always)]
fn count_three<V: Shorts<N>, const N: usize>([a, b, c]: [V; 3]) -> DigitCounts<V> {
    DigitCounts {
        one: a | b | c,
        two: majority(a, b, c),
    }
}

/// Counts the digits of a house by adding the counts of its three groups of three cells.
#[inline(always)]
fn nine<V: Shorts<N>, const N: usize>([a, b, c]: [DigitCounts<V>; 3]) -> DigitCounts<V> {
    DigitCounts {
        one: a.one | b.one | c.one,
        two: a.two | b.two | c.two | majority(a.one, b.one, c.one),
    }
}

/// Applies one round of singles to the boards of one vector, whose words start at `at` in every row. Overwrites
/// `placed`.
#[inline(always)]
pub(super) fn place_singles<V: Shorts<N>, const N: usize, const ROOM: usize>(
    proof: V::Proof,
    cells: &mut [[u16; ROOM]; 81],
    at: usize,
    placed: &mut [[u16; BLOCK]; 81],
) -> SinglesResult {
    let zero = V::splat(proof, 0);
    let all_digits = V::splat(proof, ALL);
    // The digits that have a place in every house examined so far.
    let mut alive = all_digits;
    let [mut lone_rows, mut lone_columns, mut lone_boxes] = [[zero; 9]; 3];
    let mut columns = [[DigitCounts {
        one: zero,
        two: zero,
    }; 3]; 9];
    for band in 0..3 {
        let mut threes = [[DigitCounts {
            one: zero,
            two: zero,
        }; 3]; 3];
        for row in 0..3 {
            for (stack, of_row) in threes[row].iter_mut().enumerate() {
                let first = 27 * band + 9 * row + 3 * stack;
                *of_row = count_three([
                    load(proof, &cells[first], at),
                    load(proof, &cells[first + 1], at),
                    load(proof, &cells[first + 2], at),
                ]);
            }
            let whole = nine(threes[row]);
            alive = alive & whole.one;
            lone_rows[3 * band + row] = whole.one.without(whole.two);
        }
        for stack in 0..3 {
            let whole = nine([threes[0][stack], threes[1][stack], threes[2][stack]]);
            alive = alive & whole.one;
            lone_boxes[3 * band + stack] = whole.one.without(whole.two);
        }
        for (column, of_column) in columns.iter_mut().enumerate() {
            let first = 27 * band + column;
            of_column[band] = count_three([
                load(proof, &cells[first], at),
                load(proof, &cells[first + 9], at),
                load(proof, &cells[first + 18], at),
            ]);
        }
    }
    for (lone, of_column) in lone_columns.iter_mut().zip(columns) {
        let whole = nine(of_column);
        alive = alive & whole.one;
        *lone = whole.one.without(whole.two);
    }

    // For each house, the digits that this round of singles places in it.
    let [mut in_rows, mut in_columns, mut in_boxes] = [[zero; 9]; 3];
    // The digits that are placed in a cell together with another digit, which is a contradiction.
    let mut digits_placed_twice = zero;
    for row in 0..9 {
        let mut singles = [zero; 9];
        let mut threes = [zero; 3];
        for (stack, of_stack) in threes.iter_mut().enumerate() {
            let in_box = 3 * (row / 3) + stack;
            let lone = lone_rows[row] | lone_boxes[in_box];
            let mut three = zero;
            for column in 3 * stack..3 * stack + 3 {
                let digits: V = load(proof, &cells[9 * row + column], at);
                let digits = digits.without(in_boxes[in_box] | in_columns[column]);
                let hidden = digits & (lone | lone_columns[column]);
                let single = digits.single_or(hidden);
                digits_placed_twice = digits_placed_twice | single & single.minus_one();
                three = three | single;
                store(single, &mut placed[9 * row + column], 0);
                singles[column] = single;
            }
            in_rows[row] = in_rows[row] | three;
            *of_stack = three;
        }
        // The cells of a row are stored together at the end, so that no load waits for the store of another cell.
        for (stack, three) in threes.into_iter().enumerate() {
            let in_box = 3 * (row / 3) + stack;
            in_boxes[in_box] = in_boxes[in_box] | three;
        }
        for (in_column, single) in in_columns.iter_mut().zip(singles) {
            *in_column = *in_column | single;
        }
    }

    let mut fewest = all_digits;
    let mut changed = zero;
    for row in 0..9 {
        for stack in 0..3 {
            let taken_digits = in_rows[row] | in_boxes[3 * (row / 3) + stack];
            for column in 3 * stack..3 * stack + 3 {
                let words = &mut cells[9 * row + column];
                let digits: V = load(proof, words, at);
                let left = digits.without(taken_digits | in_columns[column]);
                let single: V = load(proof, &placed[9 * row + column], 0);
                let left = single.nonzero_or(left);
                fewest = fewest.min(left);
                changed = changed | left ^ digits;
                store(left, words, at);
            }
        }
    }

    // If a board no longer changes, it is contradictory if a placed digit is also in another cell of its house.
    let mut clash = zero;
    for house in 0..9 {
        clash = clash
            | in_rows[house].without(lone_rows[house])
            | in_columns[house].without(lone_columns[house])
            | in_boxes[house].without(lone_boxes[house]);
    }
    let changed = !changed.zero_lanes();
    let dead = !(alive ^ all_digits).zero_lanes()
        | fewest.zero_lanes()
        | !digits_placed_twice.zero_lanes()
        | !changed & !clash.zero_lanes();
    SinglesResult { dead, changed }
}

/// Loads one vector of a row, starting at word `at`.
#[inline(always)]
pub(super) fn load<V: Shorts<N>, const N: usize, const ROOM: usize>(
    proof: V::Proof,
    row: &[u16; ROOM],
    at: usize,
) -> V {
    V::load(proof, row[at..].first_chunk().expect("room for a vector"))
}

#[inline(always)]
fn store<V: Shorts<N>, const N: usize, const ROOM: usize>(
    words: V,
    row: &mut [u16; ROOM],
    at: usize,
) {
    words.store(row[at..].first_chunk_mut().expect("room for a vector"));
}
