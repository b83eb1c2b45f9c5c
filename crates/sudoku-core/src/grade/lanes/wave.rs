//! One wave of ranks 1–4 in every lane: what the last one found is placed, and the lowest technique
//! that finds something is looked for again, in each lane for itself.
//!
//! ```text
//! place    the digits go out of the cells' peers, and the others out of the cells
//! look     per digit: the only places in a box, in a column, in a row; cells with one candidate
//! choose   the lowest of them that there is
//! ```
//!
//! Three passes over the digits rather than one: each is short enough for the processor to work on
//! several digits at a time.

use super::lane_boards::LaneBoards;
use crate::board::bands::{
    FIRSTS, GUARDS, MINI_FIRSTS, ROW, cells_of_columns, free_rows, mini_columns, mini_rows,
    taken_rows,
};
use crate::vectors::{Lanes, Words};

/// The result of one wave of singles: a mask over the lanes for each answer.
pub(super) struct WaveResult<V> {
    /// All bits in the lanes that have no unsolved cell.
    pub(super) solved: V,
    /// All bits in the other lanes where no single is to be placed.
    pub(super) quiet: V,
}

#[inline(always)]
pub(super) fn wave<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut LaneBoards<N>,
) -> WaveResult<V> {
    let unsolved = place(proof, boards);
    let looked = look(proof, boards, unsolved);
    choose(proof, boards, unsolved, &looked)
}

/// Places what is to be placed; the cells that are still unsolved.
#[inline(always)]
fn place<V: Lanes<N>, const N: usize>(proof: V::Proof, boards: &mut LaneBoards<N>) -> [V; 3] {
    let filled = load3::<V, N>(proof, &boards.filled, 0);
    for digit in 0..9 {
        let placed = load3::<V, N>(proof, &boards.placements, 3 * digit);
        let cleared = peers(placed);
        for band in 0..3 {
            let words = &mut boards.words[3 * digit + band];
            let left = V::load(proof, words).without(cleared[band] | filled[band]);
            (left | placed[band]).store(words);
        }
    }
    let mut unsolved = load3::<V, N>(proof, &boards.unsolved, 0);
    for band in 0..3 {
        unsolved[band] = unsolved[band].without(filled[band]);
        unsolved[band].store(&mut boards.unsolved[band]);
    }
    unsolved
}

/// The cells of a digit's places, and of all that share a house with one of them.
#[inline(always)]
fn peers<V: Words>(places: [V; 3]) -> [V; 3] {
    let [a, b, c] = places;
    // A band in each row.
    let columns = mini_columns(a, b, c);
    let minis = mini_rows(columns);
    let boxes = minis.up::<1>() - minis.down::<2>();
    let [x, y, z] = cells_of_columns(boxes | in_each_row(columns));
    [x | taken_rows(a), y | taken_rows(b), z | taken_rows(c)]
}

/// In each row, what stands in any.
#[inline(always)]
fn in_each_row<V: Words>(rows: V) -> V {
    ((rows | rows.down::<10>() | rows.down::<20>()) & ROW).thrice::<10>()
}

/// The singles that are on the boards.
struct FoundSingles<V> {
    /// Per band, the unsolved cells with one candidate.
    naked: [V; 3],
    /// Not 0: a digit has one place in some box.
    in_boxes: V,
    /// Not 0: a digit has one place in some line.
    in_lines: V,
}

#[inline(always)]
fn look<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut LaneBoards<N>,
    unsolved: [V; 3],
) -> FoundSingles<V> {
    let zero = V::splat(proof, 0);
    let [mut one, mut two] = [[zero; 3]; 2];
    let [mut in_boxes, mut in_lines] = [zero; 2];
    for digit in 0..9 {
        let mut open = load3::<V, N>(proof, &boards.words, 3 * digit);
        for band in 0..3 {
            open[band] = open[band] & unsolved[band];
            two[band] = two[band] | (one[band] & open[band]);
            one[band] = one[band] | open[band];
        }
        let lone = lone(open);
        lone.in_boxes.store(&mut boards.in_boxes[digit]);
        lone.in_columns.store(&mut boards.in_columns[digit]);
        in_boxes = in_boxes | lone.in_boxes;
        in_lines = in_lines | lone.in_columns;
        for band in 0..3 {
            lone.in_rows[band].store(&mut boards.found[3 * digit + band]);
            in_lines = in_lines | lone.in_rows[band];
        }
    }
    FoundSingles {
        naked: [
            one[0].without(two[0]),
            one[1].without(two[1]),
            one[2].without(two[2]),
        ],
        in_boxes,
        in_lines,
    }
}

/// Of a set of cells, those that are alone in a house of a kind.
struct Lone<V> {
    /// The mini-columns of the boxes that have one of the cells, a band in each row.
    in_boxes: V,
    /// The columns that have one of them, in each row.
    in_columns: V,
    /// Per band, the cells that are alone in their rows.
    in_rows: [V; 3],
}

#[inline(always)]
fn lone<V: Words>(cells: [V; 3]) -> Lone<V> {
    let [a, b, c] = cells;
    let (minis_a, minis_b, minis_c) = (Count::of_rows(a), Count::of_rows(b), Count::of_rows(c));
    let columns = minis_a.and(minis_b).and(minis_c).exactly_one() & ROW;
    // A band in each row; per column, and then with the two columns that follow it.
    let minis = Count {
        any: (minis_a.any & ROW) | (minis_b.any & ROW).up::<10>() | (minis_c.any & ROW).up::<20>(),
        several: (minis_a.several & ROW)
            | (minis_b.several & ROW).up::<10>()
            | (minis_c.several & ROW).up::<20>(),
    };
    let boxes = minis.and(minis.down::<1>()).and(minis.down::<2>());
    let boxes = boxes.exactly_one() & MINI_FIRSTS;
    Lone {
        in_boxes: boxes.up::<3>() - boxes,
        in_columns: columns.thrice::<10>(),
        in_rows: [lone_in_rows(a), lone_in_rows(b), lone_in_rows(c)],
    }
}

/// Whether there are any cells, and whether there are several.
#[derive(Clone, Copy)]
struct Count<V> {
    any: V,
    several: V,
}

impl<V: Words> Count<V> {
    /// Of the three rows of a band, column by column, in the first row; the others mean nothing.
    #[inline(always)]
    fn of_rows(cells: V) -> Count<V> {
        let [second, third] = [cells.down::<10>(), cells.down::<20>()];
        let two = cells | second;
        Count {
            any: two | third,
            several: (cells & second) | (two & third),
        }
    }

    #[inline(always)]
    fn and(self, other: Count<V>) -> Count<V> {
        Count {
            any: self.any | other.any,
            several: self.several | other.several | (self.any & other.any),
        }
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Count<V> {
        Count {
            any: self.any.down::<BY>(),
            several: self.several.down::<BY>(),
        }
    }

    #[inline(always)]
    fn exactly_one(self) -> V {
        self.any.without(self.several)
    }
}

#[inline(always)]
fn lone_in_rows<V: Words>(cells: V) -> V {
    // The guard of an empty row is borrowed from; in the others the lowest cell goes.
    let less = (cells | GUARDS) - FIRSTS;
    cells & free_rows(less & cells)
}

/// Counts the wave that comes next in each lane, and says what it is to place.
#[inline(always)]
fn choose<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut LaneBoards<N>,
    unsolved: [V; 3],
    looked: &FoundSingles<V>,
) -> WaveResult<V> {
    let [zero, all] = [V::splat(proof, 0), V::splat(proof, !0)];
    let lone = lone(unsolved);
    let lone_columns = cells_of_columns(lone.in_boxes | lone.in_columns);
    let mut cells = looked.naked;
    let mut last = [zero; 3];
    for band in 0..3 {
        last[band] = cells[band] & (lone_columns[band] | lone.in_rows[band]);
    }
    // All bits in the lanes where …
    let no_naked = (cells[0] | cells[1] | cells[2]).is_zero();
    let no_full_house = (last[0] | last[1] | last[2]).is_zero();
    let by_box = no_naked.without(looked.in_boxes.is_zero());
    let by_line = no_naked.without(by_box | looked.in_lines.is_zero());
    count(
        proof,
        &mut boards.waves[0],
        all.without(no_full_house),
        no_full_house.without(no_naked),
    );
    count(proof, &mut boards.waves[1], by_box, by_line);
    for band in 0..3 {
        cells[band] = last[band] | (cells[band] & no_full_house);
    }
    let mut filled = [zero; 3];
    for digit in 0..9 {
        let columns = V::load(proof, &boards.in_boxes[digit]) & by_box
            | V::load(proof, &boards.in_columns[digit]) & by_line;
        let columns = cells_of_columns(columns);
        for band in 0..3 {
            let at = 3 * digit + band;
            let places = V::load(proof, &boards.words[at]) & unsolved[band];
            let placed = places & (cells[band] | columns[band])
                | V::load(proof, &boards.found[at]) & by_line;
            filled[band] = filled[band] | placed;
            placed.store(&mut boards.placements[at]);
        }
    }
    for (words, filled) in boards.filled.iter_mut().zip(filled) {
        filled.store(words);
    }
    let solved = (unsolved[0] | unsolved[1] | unsolved[2]).is_zero();
    WaveResult {
        solved,
        quiet: no_naked.without(by_box | by_line | solved),
    }
}

/// Counts a wave of the lower rung of the two, of the higher one, or of none: all bits, or none.
#[inline(always)]
pub(super) fn count<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    waves: &mut [u32; N],
    lower: V,
    higher: V,
) {
    let counted = V::load(proof, waves) + (lower & 1) + (higher & (1 << 16));
    counted.store(waves);
}

#[inline(always)]
pub(super) fn load3<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    words: &[[u32; N]],
    at: usize,
) -> [V; 3] {
    [
        V::load(proof, &words[at]),
        V::load(proof, &words[at + 1]),
        V::load(proof, &words[at + 2]),
    ]
}
