//! A board in words of 32 bits: a digit's places in a band of three rows.
//!
//! ```text
//! bit 10·row + column      row and column within the band. Bits 9, 19 and 29 are 0, so that carries and
//!                          borrows of a row stop there
//! ```

use wide::u8x16;

use crate::board::cell_set::CellSet;
use crate::board::grid::Grid;
use crate::vectors::Words;

/// Words of a board: three bands of nine digits.
pub(crate) const WORDS: usize = 27;

/// The first cell of each row of a band.
pub(crate) const FIRSTS: u32 = 1 | 1 << 10 | 1 << 20;
/// The cells of a row.
pub(crate) const ROW: u32 = 0o777;
/// The cells of a band.
pub(crate) const CELLS: u32 = ROW * FIRSTS;
/// The spare bit behind each row.
pub(crate) const GUARDS: u32 = FIRSTS << 9;

/// The first, and the last, cell of every mini-row.
pub(crate) const MINI_FIRSTS: u32 = 0o111 * FIRSTS;
pub(crate) const MINI_LASTS: u32 = MINI_FIRSTS << 2;
/// The first two cells of every mini-row.
pub(crate) const MINI_TWO: u32 = MINI_FIRSTS * 3;
/// The mini-rows of the last box.
pub(crate) const LAST_BOX: u32 = 0o700 * FIRSTS;

/// All cells of the rows that have any of these.
#[inline(always)]
pub(crate) fn taken_rows<V: Words>(cells: V) -> V {
    // A row with a cell carries into its guard bit.
    let guards = (cells + CELLS) & GUARDS;
    guards - guards.shift_right::<9>()
}

/// All cells of the rows that have none of these.
#[inline(always)]
pub(crate) fn free_rows<V: Words>(cells: V) -> V {
    let guards = (cells + CELLS) & GUARDS ^ GUARDS;
    guards - guards.shift_right::<9>()
}

/// For each mini-row: its last cell is set if any of its cells is.
#[inline(always)]
pub(crate) fn mini_rows<V: Words>(cells: V) -> V {
    ((cells & MINI_TWO) + MINI_TWO).or_within(cells, MINI_LASTS)
}

/// The mini-rows of the three bands in one word: bit 10·row + 3·box + 2 − band.
#[inline(always)]
pub(crate) fn packed_mini_rows<V: Words>(bands: [V; 3]) -> V {
    mini_rows(bands[0])
        | mini_rows(bands[1]).shift_right::<1>()
        | mini_rows(bands[2]).shift_right::<2>()
}

/// The cells of the mini-rows. This is the inverse of [`packed_mini_rows`].
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

/// Moves each row up by one; the first becomes the last. Bits that are no cells may be set.
#[inline(always)]
pub(crate) fn to_next_row<V: Words>(rows: V) -> V {
    rows.shift_right::<10>() | rows.shift_left::<20>()
}

/// Moves each box to the left by one; the first becomes the last. The spare bits of the upper two rows may
/// be set.
#[inline(always)]
pub(crate) fn to_next_box<V: Words>(boxes: V) -> V {
    boxes
        .shift_left::<6>()
        .blend(boxes.shift_right::<3>(), LAST_BOX)
}

/// Moves each column to the left by one within its box; the first becomes the last. The spare bits of the
/// upper two rows may be set.
#[inline(always)]
pub(crate) fn to_next_column<V: Words>(columns: V) -> V {
    columns
        .shift_left::<2>()
        .blend(columns.shift_right::<1>(), MINI_LASTS)
}

/// The mini-columns of three digits in a band, a digit in each row.
#[inline(always)]
pub(crate) fn mini_columns<V: Words>(a: V, b: V, c: V) -> V {
    (a | a.shift_right::<10>() | a.shift_right::<20>()) & ROW
        | (b.shift_left::<10>() | b | b.shift_right::<10>()) & (ROW << 10)
        | (c.shift_left::<20>() | c.shift_left::<10>() | c) & (ROW << 20)
}

/// The cells of the mini-columns of three digits. This is the inverse of [`mini_columns`].
#[inline(always)]
pub(crate) fn cells_of_columns<V: Words>(columns: V) -> [V; 3] {
    [
        (columns & ROW).with_two_copies::<10>(),
        (columns.shift_right::<10>() & ROW).with_two_copies::<10>(),
        (columns.shift_right::<20>() & ROW).with_two_copies::<10>(),
    ]
}

/// The cells of each band, a spare bit behind each row.
pub(crate) fn spread(cells: CellSet) -> [u32; 3] {
    let bits = cells.bits();
    let low = bits as u64;
    [low as u32, (low >> 27) as u32, (bits >> 54) as u32]
        .map(|band| band & ROW | (band & ROW << 9) << 1 | (band & ROW << 18) << 2)
}

/// The set of cells. This is the inverse of [`spread`].
pub(crate) fn cells(bands: [u32; 3]) -> CellSet {
    let [a, b, c] =
        bands.map(|band| u128::from(band & ROW | band >> 1 & ROW << 9 | band >> 2 & ROW << 18));
    CellSet::from_bits(a | b << 27 | c << 54)
}

/// By the cells of a row, a byte for each of its nine columns: 1 where the row has the cell.
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

/// Whether each cell has exactly one digit, digit by digit a word for each band.
#[inline(always)]
pub(crate) fn is_full(words: &[u32; WORDS]) -> bool {
    (0..3).all(|band| {
        let [mut one, mut two] = [0; 2];
        for digit in 0..9 {
            let places = words[3 * digit + band];
            two |= one & places;
            one |= places;
        }
        one == CELLS && two == 0
    })
}

/// The grid of a board in which [`is_full`] holds.
#[inline(always)]
pub(crate) fn grid(words: &[u32; WORDS]) -> Grid {
    // Rows are written whole, sixteen bytes from their first one: the next row writes over the rest.
    let mut text = [0; 81 + 7];
    for band in 0..3 {
        let [one, two, three, four, five, six, seven, eight, nine] =
            std::array::from_fn(|digit| words[3 * digit + band]);
        // The digit of a cell in binary.
        let bits = [
            one | three | five | seven | nine,
            two | three | six | seven,
            four | five | six | seven,
            eight | nine,
        ];
        for row in 0..3 {
            let of_row = |bits: u32| u8x16::new(BYTES[(bits >> (10 * row) & ROW) as usize]);
            let mut digits = of_row(bits[3]);
            for bit in [bits[2], bits[1], bits[0]] {
                digits = digits + digits + of_row(bit);
            }
            let characters = digits + u8x16::splat(b'0');
            text[27 * band + 9 * row..][..16].copy_from_slice(&characters.to_array());
        }
    }
    let (characters, _) = text.split_first_chunk().expect("there are more than 81");
    Grid::from_characters(*characters)
}
