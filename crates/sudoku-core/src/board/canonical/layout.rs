//! The layout of columns, digits and positions in the vectors of the search, and the constants that permute
//! positions.
//!
//! ```text
//! a row of the grid        byte c: the digit of column c, 0 if the cell is empty. Bytes 9–15 are not used
//! a row of the form        byte 8 - p: position p. The first position is highest, so that rows compare as
//!                          numbers. Bytes 9–15 are 0
//! names                    byte d: the new name of digit d, shifted up by 4; NEW if it has none yet.
//!                          Byte 0 is 0: an empty cell stays empty
//! ```

use super::super::grid::Grid;
use crate::vectors::Bytes;

/// The name of all digits that have no name yet. It is greater than all names.
pub(super) const NEW: u8 = 0xf0;

/// Sixteen bytes in memory.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct RowBytes(pub(super) [u8; 16]);

impl RowBytes {
    /// The bytes as a vector.
    #[inline(always)]
    pub(super) fn load<B: Bytes>(&self, proof: B::Proof) -> B {
        B::load(proof, &self.0)
    }
}

/// The orders of three things. The second exchanges the first two, the third the last two.
pub(super) const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 0, 2],
    [0, 2, 1],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The byte of a position of the form.
pub(super) const fn byte_of(position: usize) -> usize {
    8 - position
}

/// The shuffle that brings position `from[p]` to position p.
const fn shuffle(from: [usize; 9]) -> RowBytes {
    let mut bytes = [0x80; 16];
    let mut position = 0;
    while position < 9 {
        bytes[byte_of(position)] = byte_of(from[position]) as u8;
        position += 1;
    }
    RowBytes(bytes)
}

/// 0xff at this place of every stack.
const fn at_place(place: usize) -> RowBytes {
    let mut bytes = [0; 16];
    let mut stack = 0;
    while stack < 3 {
        bytes[byte_of(3 * stack + place)] = 0xff;
        stack += 1;
    }
    RowBytes(bytes)
}

/// Exchanges the first two positions of every stack, and the last two.
pub(super) static SWAP: [RowBytes; 2] = [
    shuffle([1, 0, 2, 4, 3, 5, 7, 6, 8]),
    shuffle([0, 2, 1, 3, 5, 4, 6, 8, 7]),
];

/// The later position of the two that [`SWAP`] exchanges.
pub(super) static LATER: [RowBytes; 2] = [at_place(1), at_place(2)];

/// Every order of the stacks.
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

/// Every order of the columns of one stack.
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

/// Byte n is n.
pub(super) static IOTA: RowBytes = {
    let mut bytes = [0; 16];
    let mut i = 0;
    while i < 16 {
        bytes[i] = i as u8;
        i += 1;
    }
    RowBytes(bytes)
};

/// The high and the low half of every byte.
pub(super) static HIGH_HALF: RowBytes = RowBytes([0xf0; 16]);
pub(super) static LOW_HALF: RowBytes = RowBytes([0x0f; 16]);

/// All bits, and none.
pub(super) static ONES: RowBytes = RowBytes([0xff; 16]);
pub(super) static ZERO: RowBytes = RowBytes([0; 16]);

/// 0x80 in the bytes that belong to no position.
pub(super) static NO_POSITION: RowBytes = RowBytes([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
]);

/// Shuffles a row of the form, whose first position is highest, to text order, whose first byte is lowest.
pub(super) static REVERSE: RowBytes = RowBytes([
    8, 7, 6, 5, 4, 3, 2, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
]);

/// All bits of byte n alone.
pub(super) static ONLY: [RowBytes; 16] = {
    let mut only = [RowBytes([0; 16]); 16];
    let mut i = 0;
    while i < 16 {
        only[i].0[i] = 0xff;
        i += 1;
    }
    only
};

/// By name: the bits that turn [`NEW`] into it, in every byte.
pub(super) static NAMING: [RowBytes; 10] = {
    let mut naming = [RowBytes([0; 16]); 10];
    let mut name = 0;
    while name < 10 {
        naming[name] = RowBytes([NEW ^ (name as u8) << 4; 16]);
        name += 1;
    }
    naming
};

/// The lower two of the three bits of every stack: `x & x >> 1 & NEIGHBOURS` finds neighbours in one stack.
pub(super) const NEIGHBOURS: u32 = 0b011_011_011;

/// All nine columns or rows.
pub(super) const NINE: u16 = 0x1ff;

/// By the mask of a row's filled columns: the sorted numbers of clues in its stacks, two bits each. The row
/// with the lowest rank can be made the smallest.
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

/// The filled columns of each stack.
pub(super) const fn counts(mask: u16) -> [u8; 3] {
    [
        (mask & 7).count_ones() as u8,
        (mask >> 3 & 7).count_ones() as u8,
        (mask >> 6 & 7).count_ones() as u8,
    ]
}

/// A grid and its transposition, row by row.
pub(super) struct OrientedRows {
    /// By orientation and row: the digits.
    pub(super) digits: [[RowBytes; 9]; 2],
    /// The filled columns.
    pub(super) clues: [[u16; 9]; 2],
    /// The rows without a clue.
    pub(super) empty: [u16; 2],
}

impl OrientedRows {
    #[inline(always)]
    pub(super) fn new<B: Bytes>(proof: B::Proof, grid: &Grid) -> OrientedRows {
        let mut cells = [0; 96];
        for (cell, character) in cells.iter_mut().zip(grid.as_bytes()) {
            // `.` is before `0`.
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
                let clues = !digits.equals(zero).high_bits() as u16 & NINE;
                rows.clues[orientation][line] = clues;
                rows.empty[orientation] |= u16::from(clues == 0) << line;
            }
        }
        rows
    }

    /// The least rank of all rows of both orientations: the form begins with such a row.
    #[inline(always)]
    pub(super) fn least_rank(&self) -> u8 {
        let ranks = self.clues.as_flattened().iter();
        ranks.fold(u8::MAX, |least, clues| {
            least.min(RANKS[usize::from(*clues)])
        })
    }

    /// The rows of this rank.
    #[inline(always)]
    pub(super) fn lines_of_rank(&self, orientation: usize, rank: u8) -> u16 {
        let clues = self.clues[orientation].iter().enumerate();
        clues.fold(0, |lines, (line, clues)| {
            lines | u16::from(RANKS[usize::from(*clues)] == rank) << line
        })
    }
}
