//! One wave (round) of naked and hidden singles on the board in each vector lane. A wave places the singles that the
//! wave before found, then finds the singles of the easiest technique that has any. The lanes are independent.
//!
//! ```text
//! place    removes placed digits from the peers of their cells, and other digits from the cells
//! find     for each digit: the only places in a box, in a column, in a row; cells with one candidate
//! choose   the lowest technique that has found something
//! ```
//!
//! There are three passes over the digits instead of one. Each pass is short enough for the processor to work on
//! several digits at once.

use super::wave_boards::WaveBoards;
use crate::board::bands::{
    FIRSTS, GUARDS, MINI_FIRSTS, ROW, cells_of_columns, free_rows, mini_columns, mini_rows,
    taken_rows,
};
use crate::vectors::{Lanes, Words};

/// The result of one round of singles (a wave), as masks of lanes.
pub(super) struct WaveResult<V> {
    /// The lanes in which every cell is solved.
    pub(super) solved: V,
    /// The lanes that are not solved and have no singles to place.
    pub(super) without_singles: V,
}

#[inline(always)]
pub(super) fn wave<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut WaveBoards<N>,
) -> WaveResult<V> {
    let unsolved = place(proof, boards);
    let singles = find_singles(proof, boards, unsolved);
    choose_technique(proof, boards, unsolved, &singles)
}

/// Places the singles that the last wave found. Returns the cells that are still unsolved, by band.
#[inline(always)]
fn place<V: Lanes<N>, const N: usize>(proof: V::Proof, boards: &mut WaveBoards<N>) -> [V; 3] {
    let filled_cells = load_bands::<V, N>(proof, &boards.filled_cells, 0);
    for digit in 0..9 {
        let placed = load_bands::<V, N>(proof, &boards.placements, 3 * digit);
        let cleared = peers(placed);
        for band in 0..3 {
            let words = &mut boards.words[3 * digit + band];
            let remaining = V::load(proof, words).without(cleared[band] | filled_cells[band]);
            (remaining | placed[band]).store(words);
        }
    }
    let mut unsolved = load_bands::<V, N>(proof, &boards.unsolved, 0);
    for band in 0..3 {
        unsolved[band] = unsolved[band].without(filled_cells[band]);
        unsolved[band].store(&mut boards.unsolved[band]);
    }
    unsolved
}

/// Returns the cells in `places` and all their peers (the cells that see one of them).
#[inline(always)]
fn peers<V: Words>(places: [V; 3]) -> [V; 3] {
    let [a, b, c] = places;
    // Row n of this word has the columns in which band n has places.
    let columns = mini_columns(a, b, c);
    let minis = mini_rows(columns);
    let boxes = minis.shift_left::<1>() - minis.shift_right::<2>();
    let [x, y, z] = cells_of_columns(boxes | in_each_row(columns));
    [x | taken_rows(a), y | taken_rows(b), z | taken_rows(c)]
}

/// Returns a word in which each of the three rows is the union of the rows of `rows`.
#[inline(always)]
fn in_each_row<V: Words>(rows: V) -> V {
    ((rows | rows.shift_right::<10>() | rows.shift_right::<20>()) & ROW).with_two_copies::<10>()
}

/// The naked and hidden singles on the boards of all lanes.
struct FoundSingles<V> {
    /// For each band, the unsolved cells that have only one candidate.
    naked_singles: [V; 3],
    /// For each lane, a nonzero value if any digit has only one place in a box.
    in_boxes: V,
    /// For each lane, a nonzero value if any digit has only one place in a row or column.
    in_lines: V,
}

#[inline(always)]
fn find_singles<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut WaveBoards<N>,
    unsolved: [V; 3],
) -> FoundSingles<V> {
    let zero = V::splat(proof, 0);
    let [mut any, mut several] = [[zero; 3]; 2];
    let [mut in_boxes, mut in_lines] = [zero; 2];
    for digit in 0..9 {
        let mut open_places = load_bands::<V, N>(proof, &boards.words, 3 * digit);
        for band in 0..3 {
            open_places[band] = open_places[band] & unsolved[band];
            several[band] = several[band] | (any[band] & open_places[band]);
            any[band] = any[band] | open_places[band];
        }
        let hidden_singles = lone_cells(open_places);
        hidden_singles.in_boxes.store(&mut boards.in_boxes[digit]);
        hidden_singles
            .in_columns
            .store(&mut boards.in_columns[digit]);
        in_boxes = in_boxes | hidden_singles.in_boxes;
        in_lines = in_lines | hidden_singles.in_columns;
        for band in 0..3 {
            hidden_singles.in_rows[band].store(&mut boards.found_places[3 * digit + band]);
            in_lines = in_lines | hidden_singles.in_rows[band];
        }
    }
    FoundSingles {
        naked_singles: [
            any[0].without(several[0]),
            any[1].without(several[1]),
            any[2].without(several[2]),
        ],
        in_boxes,
        in_lines,
    }
}

/// The cells of a set that are alone in their box, column or row: no other cell of the set is in it.
struct LoneCells<V> {
    /// For each box that contains exactly one cell of the set, the column of that cell. Each row of the word stands for
    /// one band.
    in_boxes: V,
    /// The columns that contain exactly one cell of the set, repeated in each of the three rows of the word.
    in_columns: V,
    /// For each band, the cells that are the only cell of the set in their row.
    in_rows: [V; 3],
}

#[inline(always)]
fn lone_cells<V: Words>(cells: [V; 3]) -> LoneCells<V> {
    let [a, b, c] = cells;
    let (minis_a, minis_b, minis_c) = (
        TwoBitCount::from_rows(a),
        TwoBitCount::from_rows(b),
        TwoBitCount::from_rows(c),
    );
    let columns = minis_a.and(minis_b).and(minis_c).exactly_one() & ROW;
    // Each row of ten bits stands for one of the three bands. The counts of the second and third column of each box are
    // added to the counts of its first column.
    let minis = TwoBitCount {
        any: (minis_a.any & ROW)
            | (minis_b.any & ROW).shift_left::<10>()
            | (minis_c.any & ROW).shift_left::<20>(),
        several: (minis_a.several & ROW)
            | (minis_b.several & ROW).shift_left::<10>()
            | (minis_c.several & ROW).shift_left::<20>(),
    };
    let boxes = minis
        .and(minis.shift_right::<1>())
        .and(minis.shift_right::<2>());
    let boxes = boxes.exactly_one() & MINI_FIRSTS;
    LoneCells {
        in_boxes: boxes.shift_left::<3>() - boxes,
        in_columns: columns.with_two_copies::<10>(),
        in_rows: [lone_in_rows(a), lone_in_rows(b), lone_in_rows(c)],
    }
}

/// For each bit position, a count that stops at two: whether the bit is set at least once, and whether at least twice.
#[derive(Clone, Copy)]
struct TwoBitCount<V> {
    any: V,
    several: V,
}

impl<V: Words> TwoBitCount<V> {
    /// Counts the cells in the three rows of a band, column by column. The counts are in the first row; the other
    /// rows have no meaning.
    #[inline(always)]
    fn from_rows(cells: V) -> TwoBitCount<V> {
        let [second, third] = [cells.shift_right::<10>(), cells.shift_right::<20>()];
        let at_least_two = cells | second;
        TwoBitCount {
            any: at_least_two | third,
            several: (cells & second) | (at_least_two & third),
        }
    }

    #[inline(always)]
    fn and(self, other: TwoBitCount<V>) -> TwoBitCount<V> {
        TwoBitCount {
            any: self.any | other.any,
            several: self.several | other.several | (self.any & other.any),
        }
    }

    #[inline(always)]
    fn shift_right<const BY: u32>(self) -> TwoBitCount<V> {
        TwoBitCount {
            any: self.any.shift_right::<BY>(),
            several: self.several.shift_right::<BY>(),
        }
    }

    #[inline(always)]
    fn exactly_one(self) -> V {
        self.any.without(self.several)
    }
}

#[inline(always)]
fn lone_in_rows<V: Words>(cells: V) -> V {
    // Subtracting 1 from each row clears its lowest cell. An empty row borrows from its guard bit instead.
    let without_lowest = (cells | GUARDS) - FIRSTS;
    cells & free_rows(without_lowest & cells)
}

/// For each lane, chooses the easiest technique that found a single, counts a wave for it, and stores its placements.
#[inline(always)]
fn choose_technique<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    boards: &mut WaveBoards<N>,
    unsolved: [V; 3],
    found: &FoundSingles<V>,
) -> WaveResult<V> {
    let [zero, all] = [V::splat(proof, 0), V::splat(proof, !0)];
    let lone_unsolved = lone_cells(unsolved);
    let lone_columns = cells_of_columns(lone_unsolved.in_boxes | lone_unsolved.in_columns);
    let mut cells = found.naked_singles;
    let mut last_cells = [zero; 3];
    for band in 0..3 {
        last_cells[band] = cells[band] & (lone_columns[band] | lone_unsolved.in_rows[band]);
    }
    // The following values are masks of lanes.
    let no_naked = (cells[0] | cells[1] | cells[2]).is_zero();
    let no_full_house = (last_cells[0] | last_cells[1] | last_cells[2]).is_zero();
    let uses_box_singles = no_naked.without(found.in_boxes.is_zero());
    let uses_line_singles = no_naked.without(uses_box_singles | found.in_lines.is_zero());
    count(
        proof,
        &mut boards.waves[0],
        all.without(no_full_house),
        no_full_house.without(no_naked),
    );
    count(
        proof,
        &mut boards.waves[1],
        uses_box_singles,
        uses_line_singles,
    );
    for band in 0..3 {
        cells[band] = last_cells[band] | (cells[band] & no_full_house);
    }
    let mut filled_cells = [zero; 3];
    for digit in 0..9 {
        let columns = V::load(proof, &boards.in_boxes[digit]) & uses_box_singles
            | V::load(proof, &boards.in_columns[digit]) & uses_line_singles;
        let columns = cells_of_columns(columns);
        for band in 0..3 {
            let word_index = 3 * digit + band;
            let places = V::load(proof, &boards.words[word_index]) & unsolved[band];
            let placed = places & (cells[band] | columns[band])
                | V::load(proof, &boards.found_places[word_index]) & uses_line_singles;
            filled_cells[band] = filled_cells[band] | placed;
            placed.store(&mut boards.placements[word_index]);
        }
    }
    for (words, filled) in boards.filled_cells.iter_mut().zip(filled_cells) {
        filled.store(words);
    }
    let solved = (unsolved[0] | unsolved[1] | unsolved[2]).is_zero();
    WaveResult {
        solved,
        without_singles: no_naked.without(uses_box_singles | uses_line_singles | solved),
    }
}

/// Adds 1 to wave counts. Each word has two counts: the lower half is incremented in the lanes of the mask `lower`, the
/// upper half in those of the mask `higher`.
#[inline(always)]
pub(super) fn count<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    waves: &mut [u32; N],
    lower: V,
    higher: V,
) {
    let sum = V::load(proof, waves) + (lower & 1) + (higher & (1 << 16));
    sum.store(waves);
}

#[inline(always)]
pub(super) fn load_bands<V: Lanes<N>, const N: usize>(
    proof: V::Proof,
    words: &[[u32; N]],
    word_index: usize,
) -> [V; 3] {
    [
        V::load(proof, &words[word_index]),
        V::load(proof, &words[word_index + 1]),
        V::load(proof, &words[word_index + 2]),
    ]
}
