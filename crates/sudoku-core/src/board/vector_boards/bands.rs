//! A board in 27 words of 32 bits: each word has the possible cells of one digit in one band, which is three
//! rows.
//!
//! ```text
//! bit 10·row + column      row and column within the band. Bits 9, 19 and 29 are 0, so that carries and
//!                          borrows of a row stop there
//! ```

use wide::{u8x16, u32x4};

use crate::board::cell_set::CellSet;
use crate::board::grid::Grid;
use crate::vectors::Words;

/// The number of words of a board: one for each of nine digits in each of three bands.
pub(crate) const WORDS: usize = 27;

/// A mask of the first cell of each row of a band.
pub(crate) const FIRSTS: u32 = 1 | 1 << 10 | 1 << 20;
/// A mask of the cells of the first row of a band.
pub(crate) const ROW: u32 = 0o777;
/// A mask of the 27 cells of a band.
pub(crate) const CELLS: u32 = ROW * FIRSTS;
/// A mask of the guard bits: the spare bit after each of the three rows of a band.
pub(crate) const GUARDS: u32 = FIRSTS << 9;

/// A mask of the first cell of every mini-row.
pub(crate) const MINI_FIRSTS: u32 = 0o111 * FIRSTS;
pub(crate) const MINI_LASTS: u32 = MINI_FIRSTS << 2;
/// A mask of the first two cells of every mini-row.
pub(crate) const MINI_TWO: u32 = MINI_FIRSTS * 3;
/// A mask of the three mini-rows in the right box of a band.
pub(crate) const LAST_BOX: u32 = 0o700 * FIRSTS;

/// A mask of all cells in the rows that contain at least one of `cells`.
#[inline(always)]
pub(crate) fn taken_rows<V: Words>(cells: V) -> V {
    // The addition carries into the guard bit of each row that has at least one of the cells.
    let guards = (cells + CELLS) & GUARDS;
    guards - guards.shift_right::<9>()
}

/// A mask of all cells in the rows that contain none of `cells`.
#[inline(always)]
pub(crate) fn free_rows<V: Words>(cells: V) -> V {
    let guards = (cells + CELLS) & GUARDS ^ GUARDS;
    guards - guards.shift_right::<9>()
}

/// A mask of the last cell of each mini-row that contains at least one of `cells`.
#[inline(always)]
pub(crate) fn mini_rows<V: Words>(cells: V) -> V {
    ((cells & MINI_TWO) + MINI_TWO).or_within(cells, MINI_LASTS)
}

/// Which mini-rows contain a cell of the sets `bands`, packed into one word. Bit 10·row + 3·box + 2 − band is
/// set if that mini-row contains one.
#[inline(always)]
pub(crate) fn packed_mini_rows<V: Words>(bands: [V; 3]) -> V {
    mini_rows(bands[0])
        | mini_rows(bands[1]).shift_right::<1>()
        | mini_rows(bands[2]).shift_right::<2>()
}

/// All cells of the mini-rows in `rows`, for each band. This is the inverse of [`packed_mini_rows`].
#[inline(always)]
pub(crate) fn cells_of_rows<V: Words>(rows: V) -> [V; 3] {
    let [a, b, c] = [
        rows & MINI_LASTS,
        rows & (MINI_LASTS >> 1),
        rows & (MINI_LASTS >> 2),
    ];
    [
        a.shift_left::<1>() - a.shift_right::<2>(),
        b.shift_left::<2>() - b.shift_right::<1>(),
        c.shift_left::<3>() - c,
    ]
}

/// Moves each row of a band up by one, and the first row to the end. Guard bits may be set afterwards.
#[inline(always)]
pub(crate) fn to_next_row<V: Words>(rows: V) -> V {
    rows.shift_right::<10>() | rows.shift_left::<20>()
}

/// Moves each box of a band to the left by one, and the first box to the end. The guard bits of the first two
/// rows may be set afterwards.
#[inline(always)]
pub(crate) fn to_next_box<V: Words>(boxes: V) -> V {
    boxes
        .shift_left::<6>()
        .blend(boxes.shift_right::<3>(), LAST_BOX)
}

/// Moves each column to the left by one within its box, and the first column to the end. The guard bits of
/// the first two rows may be set afterwards.
#[inline(always)]
pub(crate) fn to_next_column<V: Words>(columns: V) -> V {
    columns
        .shift_left::<2>()
        .blend(columns.shift_right::<1>(), MINI_LASTS)
}

/// Which mini-columns contain a cell of `a`, `b` or `c`, each a word of one band. The result has a row of nine
/// bits for each of the three words: one bit for each mini-column.
#[inline(always)]
pub(crate) fn mini_columns<V: Words>(a: V, b: V, c: V) -> V {
    (a | a.shift_right::<10>() | a.shift_right::<20>()) & ROW
        | (b.shift_left::<10>() | b | b.shift_right::<10>()) & (ROW << 10)
        | (c.shift_left::<20>() | c.shift_left::<10>() | c) & (ROW << 20)
}

/// All cells of the mini-columns in `columns`, as the three words that [`mini_columns`] takes. This is its
/// inverse.
#[inline(always)]
pub(crate) fn cells_of_columns<V: Words>(columns: V) -> [V; 3] {
    [
        (columns & ROW).with_two_copies::<10>(),
        (columns.shift_right::<10>() & ROW).with_two_copies::<10>(),
        (columns.shift_right::<20>() & ROW).with_two_copies::<10>(),
    ]
}

/// The characters of a grid as sets of cells. Each vector has one word for each band, and a fourth word of 0.
pub(crate) struct Characters {
    /// For each digit, the cells that have it.
    pub(crate) clues: [u32x4; 9],
    /// The cells that have a dot.
    pub(crate) empty_cells: u32x4,
}

impl Characters {
    /// Reads the four low bits of all characters. They are 1 to 9 in the characters of digits, and 14 in a dot.
    #[inline(always)]
    pub(crate) fn of_grid(grid: &Grid) -> Characters {
        let [a, b, c] = [low_bits(grid, 0), low_bits(grid, 1), low_bits(grid, 2)];
        let cells_with = [0, 1, 2, 3].map(|bit| with_guards([a[bit], b[bit], c[bit], 0]));
        let [a, b, c, d] = cells_with;
        let two_or_three = b & !(c | d);
        let four_or_five = c & !b;
        let six_or_seven = b & c & !d;
        let eight_or_nine = d & !c;
        Characters {
            clues: [
                a & !(b | c | d),
                two_or_three & !a,
                two_or_three & a,
                four_or_five & !a,
                four_or_five & a,
                six_or_seven & !a,
                six_or_seven & a,
                eight_or_nine & !a,
                eight_or_nine & a,
            ],
            empty_cells: c & d,
        }
    }
}

/// For each of the four low bits of a band's characters, the cells whose character has this bit, as nine bits
/// for each row.
#[inline(always)]
fn low_bits(grid: &Grid, band: usize) -> [u32; 4] {
    // The 27 characters of the band, in two vectors that overlap.
    let mut low = sixteen_characters(grid, 27 * band);
    let mut high = sixteen_characters(grid, 27 * band + 11);
    // `to_bitmask` collects the highest bit of each byte. Adding a vector to itself moves the next lower bit to
    // that place.
    for _ in 4..8 {
        [low, high] = [low + low, high + high];
    }
    let mut cells_with = [0; 4];
    for cells in cells_with.iter_mut().rev() {
        *cells = low.to_bitmask() | high.to_bitmask() << 11;
        [low, high] = [low + low, high + high];
    }
    cells_with
}

/// Sixteen characters of a grid, from the cell with this index on.
#[inline(always)]
fn sixteen_characters(grid: &Grid, first: usize) -> u8x16 {
    let characters = grid.as_bytes()[first..].first_chunk();
    u8x16::new(*characters.expect("sixteen characters"))
}

/// Adds the spare bit after each row to words with nine bits for each row.
#[inline(always)]
fn with_guards(words: [u32; 4]) -> u32x4 {
    let words = u32x4::new(words);
    let row = |first: u32| words & u32x4::splat(ROW << first);
    row(0) | row(9) << 1 | row(18) << 2
}

/// Converts a set of cells to one word for each band, in the layout of this module.
pub(crate) fn spread(cells: CellSet) -> [u32; 3] {
    let bits = cells.bits();
    let low_bits = bits as u64;
    [
        low_bits as u32,
        (low_bits >> 27) as u32,
        (bits >> 54) as u32,
    ]
    .map(|band| band & ROW | (band & ROW << 9) << 1 | (band & ROW << 18) << 2)
}

/// Converts one word for each band to a set of cells. This is the inverse of [`spread`].
pub(crate) fn cells(bands: [u32; 3]) -> CellSet {
    let [a, b, c] =
        bands.map(|band| u128::from(band & ROW | band >> 1 & ROW << 9 | band >> 2 & ROW << 18));
    CellSet::from_bits(a | b << 27 | c << 54)
}

/// For each mask of nine cells, a byte for each cell: 1 if its bit is set, otherwise 0.
static BYTES: [[u8; 16]; 512] = {
    let mut bytes = [[0; 16]; 512];
    let mut row = 0;
    while row < 512 {
        let mut column = 0;
        while column < 9 {
            bytes[row][column] = (row >> column & 1) as u8;
            column += 1;
        }
        row += 1;
    }
    bytes
};

/// Whether each cell of a board has exactly one digit. The words are ordered by digit, then by band.
#[inline(always)]
pub(crate) fn is_full(words: &[u32; WORDS]) -> bool {
    (0..3).all(|band| {
        let [mut one, mut two] = [0; 2];
        for digit in 0..9 {
            let digit_places = words[3 * digit + band];
            two |= one & digit_places;
            one |= digit_places;
        }
        one == CELLS && two == 0
    })
}

/// The grid with the digits of a board for which [`is_full`] is true.
#[inline(always)]
pub(crate) fn grid(words: &[u32; WORDS]) -> Grid {
    // This writes sixteen bytes for each row of nine cells; the next row overwrites the last seven.
    let mut text = [0; 81 + 7];
    for band in 0..3 {
        let [one, two, three, four, five, six, seven, eight, nine] =
            std::array::from_fn(|digit| words[3 * digit + band]);
        // The digit of each cell as a binary number. Each word has one bit of the numbers of all cells.
        let bits = [
            one | three | five | seven | nine,
            two | three | six | seven,
            four | five | six | seven,
            eight | nine,
        ];
        for row in 0..3 {
            let bytes_of_row = |bits: u32| u8x16::new(BYTES[(bits >> (10 * row) & ROW) as usize]);
            let mut digits = bytes_of_row(bits[3]);
            for bit in [bits[2], bits[1], bits[0]] {
                digits = digits + digits + bytes_of_row(bit);
            }
            let characters = digits + u8x16::splat(b'0');
            text[27 * band + 9 * row..][..16].copy_from_slice(&characters.to_array());
        }
    }
    let (characters, _) = text.split_first_chunk().expect("there are more than 81");
    Grid::from_characters(*characters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Digit};
    use crate::random::Rng;

    #[test]
    fn the_words_of_characters_are_the_cells_of_each_digit() {
        let seed = 32;
        for item in 0..200 {
            let rng = &mut Rng::for_item(seed, item);
            let mut grid = Grid::EMPTY;
            for cell in Cell::all() {
                grid.set(cell, Digit::from_value(rng.below(10) as u8));
            }
            let places = grid.places();
            let filled_cells = places
                .into_iter()
                .fold(CellSet::EMPTY, |all, cells| all | cells);
            let words = |cells: CellSet| {
                let [a, b, c] = spread(cells);
                u32x4::new([a, b, c, 0])
            };
            let Characters { clues, empty_cells } = Characters::of_grid(&grid);
            assert_eq!(
                clues,
                places.map(words),
                "seed {seed}, item {item}: {grid:?}"
            );
            assert_eq!(
                empty_cells,
                words(!filled_cells),
                "seed {seed}, item {item}: {grid:?}"
            );
        }
    }
}
