//! Sets of cells of a 9 × 9 board, stored as 128 bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use super::cell::Cell;

/// A set of cells.
///
/// ```text
/// bit 9·row + column of a u128; bits 81–127 are 0
///      80 … 72 | … | 17 … 9 | 8 … 0
///      row 9         row 2    row 1
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct CellSet(u128);

/// A mask with the bit of each cell. Reading a mask from this table is faster than shifting 128 bits.
static BITS: [u128; 81] = {
    let mut bits = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        bits[cell] = 1 << cell;
        cell += 1;
    }
    bits
};

impl CellSet {
    /// The set without cells.
    pub const EMPTY: CellSet = CellSet(0);
    /// The set of all 81 cells.
    pub const FULL: CellSet = CellSet((1 << 81) - 1);

    /// The set that contains only this cell.
    pub const fn of(cell: Cell) -> CellSet {
        CellSet(BITS[cell.0 as usize])
    }

    /// The set with the 81 low bits of `bits`.
    pub const fn from_bits(bits: u128) -> CellSet {
        CellSet(bits & Self::FULL.0)
    }

    /// The set as bits: bit `9·row + column` for each cell.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Adds a cell to the set.
    pub fn insert(&mut self, cell: Cell) {
        self.0 |= BITS[cell.0 as usize];
    }

    /// Removes a cell from the set.
    pub fn remove(&mut self, cell: Cell) {
        self.0 &= !BITS[cell.0 as usize];
    }

    /// Whether the cell is in the set.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 & BITS[cell.0 as usize] != 0
    }

    /// The number of cells in the set, 0–81.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no cell.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cell of a set with exactly one cell; `None` for all other sets.
    pub fn single(self) -> Option<Cell> {
        (self.0 != 0 && self.0 & (self.0 - 1) == 0).then(|| Cell(self.0.trailing_zeros() as u8))
    }

    /// The first cell in row order; `None` if the set is empty.
    pub fn first(self) -> Option<Cell> {
        (self.0 != 0).then(|| Cell(self.0.trailing_zeros() as u8))
    }

    /// The difference of the sets: the cells that `other` does not contain.
    #[must_use]
    pub const fn without(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }

    /// Whether `other` contains every cell of this set.
    pub const fn is_subset(self, other: CellSet) -> bool {
        self.0 & !other.0 == 0
    }
}

impl BitOr for CellSet {
    type Output = CellSet;
    fn bitor(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;
    fn bitand(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }
}

/// The symmetric difference: the cells that are in exactly one of the sets.
impl BitXor for CellSet {
    type Output = CellSet;
    fn bitxor(self, other: CellSet) -> CellSet {
        CellSet(self.0 ^ other.0)
    }
}

/// The complement: the cells that are not in the set.
impl Not for CellSet {
    type Output = CellSet;
    fn not(self) -> CellSet {
        CellSet(!self.0 & Self::FULL.0)
    }
}

impl BitOrAssign for CellSet {
    fn bitor_assign(&mut self, other: CellSet) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for CellSet {
    fn bitand_assign(&mut self, other: CellSet) {
        self.0 &= other.0;
    }
}

impl Iterator for CellSet {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.first()?;
        self.0 &= self.0 - 1;
        Some(cell)
    }

    /// Iterates over the low 64 bits, then over the high 64 bits. This is faster than iterating over 128
    /// bits.
    #[inline]
    fn fold<B, F: FnMut(B, Cell) -> B>(self, init: B, mut f: F) -> B {
        let mut accumulator = init;
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        while low != 0 {
            accumulator = f(accumulator, Cell(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            accumulator = f(accumulator, Cell(64 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
        accumulator
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> CellSet {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.map(|cell| cell.to_string()))
            .finish()
    }
}
