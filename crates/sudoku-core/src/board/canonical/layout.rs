//! How the search for the min-lex form stores columns, digits and positions in vectors of sixteen bytes, and
//! the constants that permute positions.
//!
//! ```text
//! a row of the grid        byte c: the digit of column c, 0 if the cell is empty. Bytes 9–15 are not used
//! a row of the form        byte 8 - p: position p. The first position is highest, so that rows compare as
//!                          numbers. Bytes 9–15 are 0
//! names                    byte d: the new name of digit d, shifted up by 4; NEW_NAME if it has none yet.
//!                          Byte 0 is 0: an empty cell stays empty
//! ```

use super::super::grid::Grid;
use crate::vectors::Bytes;

/// The name of every digit that has no name yet. It is greater than all names.
pub(super) const NEW_NAME: u8 = 0xf0;

/// A row, or another vector of the search, as sixteen bytes in memory.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct RowBytes(pub(super) [u8; 16]);

impl RowBytes {
    /// Loads the bytes into a vector of the instruction set in use.
    #[inline(always)]
    pub(super) fn load<B: Bytes>(&self, proof: B::Proof) -> B {
        B::load(proof, &self.0)
    }
}

/// All orders of three items. `ORDERS[1]` exchanges the first two items, `ORDERS[2]` the last two.
pub(super) const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 0, 2],
    [0, 2, 1],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The index of the byte that holds a position of the min-lex form; position 0 is the first of a row.
pub(super) const fn byte_of(position: usize) -> usize {
    8 - position
}

/// The shuffle that moves position `from[p]` to position p.
const fn shuffle(from: [usize; 9]) -> RowBytes {
    let mut bytes = [0x80; 16];
    let mut position = 0;
    while position < 9 {
        bytes[byte_of(position)] = byte_of(from[position]) as u8;
        position += 1;
    }
    RowBytes(bytes)
}

/// A mask of one position in each stack: the left one for `place` 0, the middle one for 1, the right one for
/// 2.
const fn mask_of_place(place: usize) -> RowBytes {
    let mut bytes = [0; 16];
    let mut stack = 0;
    while stack < 3 {
        bytes[byte_of(3 * stack + place)] = 0xff;
        stack += 1;
    }
    RowBytes(bytes)
}

/// Two shuffles: the first exchanges the first two positions of every stack, the second the last two.
pub(super) static SWAPS: [RowBytes; 2] = [
    shuffle([1, 0, 2, 4, 3, 5, 7, 6, 8]),
    shuffle([0, 2, 1, 3, 5, 4, 6, 8, 7]),
];

/// For each shuffle of [`SWAPS`], a mask of the right one of the two positions that it exchanges.
pub(super) static RIGHT_OF_PAIR: [RowBytes; 2] = [mask_of_place(1), mask_of_place(2)];

/// The shuffles that permute the three stacks of a row, one for each order.
pub(super) static STACK_ORDERS: [RowBytes; 6] = {
    let mut orders = [RowBytes([0; 16]); 6];
    let mut i = 0;
    while i < 6 {
        let [a, b, c] = ORDERS[i];
        let (a, b, c) = (3 * a, 3 * b, 3 * c);
        orders[i] = shuffle([a, a + 1, a + 2, b, b + 1, b + 2, c, c + 1, c + 2]);
        i += 1;
    }
    orders
};

/// For each stack, the shuffles that permute its three columns, one for each order.
pub(super) static COLUMN_ORDERS: [[RowBytes; 6]; 3] = {
    let mut orders = [[RowBytes([0; 16]); 6]; 3];
    let mut stack = 0;
    while stack < 3 {
        let mut i = 0;
        while i < 6 {
            let mut from = [0, 1, 2, 3, 4, 5, 6, 7, 8];
            let mut place = 0;
            while place < 3 {
                from[3 * stack + place] = 3 * stack + ORDERS[i][place];
                place += 1;
            }
            orders[stack][i] = shuffle(from);
            i += 1;
        }
        stack += 1;
    }
    orders
};

/// A vector whose byte n has the value n.
pub(super) static IOTA: RowBytes = {
    let mut bytes = [0; 16];
    let mut i = 0;
    while i < 16 {
        bytes[i] = i as u8;
        i += 1;
    }
    RowBytes(bytes)
};

/// A mask of the high four bits of every byte.
pub(super) static HIGH_HALF: RowBytes = RowBytes([0xf0; 16]);
pub(super) static LOW_HALF: RowBytes = RowBytes([0x0f; 16]);

/// A vector with all 128 bits set.
pub(super) static ONES: RowBytes = RowBytes([0xff; 16]);
pub(super) static ZERO: RowBytes = RowBytes([0; 16]);

/// A vector with 0x80 in bytes 9–15, which do not belong to a position of a row.
pub(super) static NO_POSITION: RowBytes = RowBytes([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
]);

/// The shuffle that converts a row of the min-lex form, whose first position is the highest byte, to the
/// order of text.
pub(super) static REVERSE: RowBytes = RowBytes([
    8, 7, 6, 5, 4, 3, 2, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
]);

/// `BYTE_MASKS[n]` is a mask of byte n.
pub(super) static BYTE_MASKS: [RowBytes; 16] = {
    let mut only = [RowBytes([0; 16]); 16];
    let mut i = 0;
    while i < 16 {
        only[i].0[i] = 0xff;
        i += 1;
    }
    only
};

/// `NAME_BITS[name]` has in every byte the bits that an XOR must flip to turn [`NEW_NAME`] into this name.
pub(super) static NAME_BITS: [RowBytes; 10] = {
    let mut naming = [RowBytes([0; 16]); 10];
    let mut name = 0;
    while name < 10 {
        naming[name] = RowBytes([NEW_NAME ^ (name as u8) << 4; 16]);
        name += 1;
    }
    naming
};

/// A mask of the two lower bits of each stack in a mask of nine columns. `x & x >> 1 & NEIGHBOUR_BITS` finds
/// the pairs of neighbours in one stack.
pub(super) const NEIGHBOUR_BITS: u32 = 0b011_011_011;

/// A mask of all nine columns of a row, or all nine rows of a grid.
pub(super) const NINE_BITS: u16 = 0x1ff;

/// The rank of a row: the numbers of clues in its three stacks, in ascending order, two bits each. The index is
/// the mask of the row's filled columns. The first row of the min-lex form has the lowest rank of all rows.
pub(super) static RANKS: [u8; 512] = {
    let mut ranks = [0; 512];
    let mut mask = 0;
    while mask < 512 {
        let [mut a, mut b, mut c] = counts(mask as u16);
        if a > b {
            (a, b) = (b, a);
        }
        if b > c {
            (b, c) = (c, b);
        }
        if a > b {
            (a, b) = (b, a);
        }
        ranks[mask] = a << 4 | b << 2 | c;
        mask += 1;
    }
    ranks
};

/// The number of filled columns in each of the three stacks.
pub(super) const fn counts(mask: u16) -> [u8; 3] {
    [
        (mask & 7).count_ones() as u8,
        (mask >> 3 & 7).count_ones() as u8,
        (mask >> 6 & 7).count_ones() as u8,
    ]
}

/// The rows of a grid and of the transposed grid. The first index of each array is the orientation: 0 for the
/// grid, 1 for the transposed grid.
pub(super) struct OrientedRows {
    /// The digits of each row, by orientation and row; 0 for an empty cell.
    pub(super) digits: [[RowBytes; 9]; 2],
    /// For each orientation and row, a mask of the columns with a clue.
    pub(super) clues: [[u16; 9]; 2],
    /// For each orientation, a mask of the rows without clues.
    pub(super) empty: [u16; 2],
}

impl OrientedRows {
    #[inline(always)]
    pub(super) fn new<B: Bytes>(proof: B::Proof, grid: &Grid) -> OrientedRows {
        let mut cells = [0; 96];
        for (cell, character) in cells.iter_mut().zip(grid.as_bytes()) {
            // `.` comes before `0` in ASCII, so an empty cell becomes 0.
            *cell = character.saturating_sub(b'0');
        }
        let mut rows = OrientedRows {
            digits: [[ZERO; 9]; 2],
            clues: [[0; 9]; 2],
            empty: [0; 2],
        };
        for line in 0..9 {
            let row = &cells[9 * line..][..16];
            rows.digits[0][line].0.copy_from_slice(row);
            let column = &mut rows.digits[1][line].0;
            for (at, cell) in column[..9].iter_mut().enumerate() {
                *cell = cells[9 * at + line];
            }
        }
        let zero = ZERO.load::<B>(proof);
        for orientation in 0..2 {
            for line in 0..9 {
                let digits = rows.digits[orientation][line].load::<B>(proof);
                let clues = !digits.equals(zero).high_bits() as u16 & NINE_BITS;
                rows.clues[orientation][line] = clues;
                rows.empty[orientation] |= u16::from(clues == 0) << line;
            }
        }
        rows
    }

    /// The lowest rank of all rows in both orientations. The min-lex form begins with a row of this rank.
    #[inline(always)]
    pub(super) fn least_rank(&self) -> u8 {
        let ranks = self.clues.as_flattened().iter();
        ranks.fold(u8::MAX, |least, clues| {
            least.min(RANKS[usize::from(*clues)])
        })
    }

    /// A mask of the rows with this rank in one orientation.
    #[inline(always)]
    pub(super) fn lines_of_rank(&self, orientation: usize, rank: u8) -> u16 {
        let clues = self.clues[orientation].iter().enumerate();
        clues.fold(0, |lines, (line, clues)| {
            lines | u16::from(RANKS[usize::from(*clues)] == rank) << line
        })
    }
}
