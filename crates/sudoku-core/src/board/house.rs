//! Houses: the rows, columns and boxes of a 9 × 9 board.

use std::fmt;

use super::cell::Cell;
use super::cell_set::CellSet;

/// A row, a column or a box: nine cells that hold each digit once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House(u8);

/// Whether a house is a row, a column or a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseKind {
    /// A row: nine cells from left to right.
    Row,
    /// A column: nine cells from top to bottom.
    Column,
    /// A box: three by three cells.
    Box,
}

impl House {
    /// All 27 houses: the rows, then the columns, then the boxes.
    pub const ALL: [House; 27] = {
        let mut houses = [House(0); 27];
        let mut i = 0;
        while i < 27 {
            houses[i] = House(i as u8);
            i += 1;
        }
        houses
    };

    /// All nine rows, from top to bottom.
    pub fn rows() -> &'static [House] {
        &Self::ALL[..9]
    }

    /// All nine columns, from left to right.
    pub fn columns() -> &'static [House] {
        &Self::ALL[9..18]
    }

    /// All 18 lines: the rows, then the columns.
    pub fn lines() -> &'static [House] {
        &Self::ALL[..18]
    }

    /// All nine boxes, in reading order.
    pub fn boxes() -> &'static [House] {
        &Self::ALL[18..]
    }

    /// The row with this index, 0–8 from the top. Panics for other indexes.
    pub const fn row(index: usize) -> House {
        assert!(index < 9);
        House(index as u8)
    }

    /// The column with this index, 0–8 from the left. Panics for other indexes.
    pub const fn column(index: usize) -> House {
        assert!(index < 9);
        House(9 + index as u8)
    }

    /// The box with this index, 0–8 in reading order. Panics for other indexes.
    pub const fn box_(index: usize) -> House {
        assert!(index < 9);
        House(18 + index as u8)
    }

    /// The houses whose bits are set in `bits`: bit n stands for the house with the [`House::index`] n.
    pub(crate) fn from_bits(mut bits: u32) -> impl Iterator<Item = House> + Clone {
        std::iter::from_fn(move || {
            let house = House::ALL.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(*house)
        })
    }

    /// The index of the house in [`House::ALL`], 0–26.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the house is a row, a column or a box.
    pub const fn kind(self) -> HouseKind {
        match self.0 {
            0..9 => HouseKind::Row,
            9..18 => HouseKind::Column,
            _ => HouseKind::Box,
        }
    }

    /// The nine cells of the house.
    pub const fn cells(self) -> CellSet {
        HOUSE_CELLS[self.0 as usize]
    }

    /// Which cells of the house are in a set, as nine bits: bit n for the [`House::cell`] n.
    pub fn project(self, cells: CellSet) -> u16 {
        let bits = (cells & self.cells()).bits();
        let i = self.index() % 9;
        match self.kind() {
            HouseKind::Row => (bits >> (9 * i)) as u16,
            HouseKind::Column => {
                let three_cells = |band: usize| {
                    // A multiplication moves the bits 0, 9 and 18, which are the three cells of the column,
                    // next to each other.
                    let column = (bits >> (27 * band + i)) as u64 & 0o001_001_001;
                    (((column * 0x4_0404) >> 18) as u16 & 7) << (3 * band)
                };
                three_cells(0) | three_cells(1) | three_cells(2)
            }
            HouseKind::Box => {
                let corner = bits >> (27 * (i / 3) + 3 * (i % 3));
                (corner & 7 | corner >> 6 & 0o70 | corner >> 12 & 0o700) as u16
            }
        }
    }

    /// [`House::project`] for all 27 houses at once, in the order of [`House::index`].
    pub(crate) fn project_all(cells: CellSet) -> [u16; 27] {
        let mut places_by_house = [0; 27];
        for band in 0..3 {
            let bits = (cells.bits() >> (27 * band)) as u32;
            for i in 0..3 {
                places_by_house[3 * band + i] = (bits >> (9 * i)) as u16 & 0x1ff;
                let corner = bits >> (3 * i);
                places_by_house[18 + 3 * band + i] =
                    (corner & 7 | corner >> 6 & 0o70 | corner >> 12 & 0o700) as u16;
            }
            for column in 0..9 {
                // A multiplication moves the bits 0, 9 and 18, which are the three cells of the column, next
                // to each other.
                let cells = u64::from(bits >> column) & 0o001_001_001;
                places_by_house[9 + column] |=
                    (((cells * 0x4_0404) >> 18) as u16 & 7) << (3 * band);
            }
        }
        places_by_house
    }

    /// The cells of the house whose bits are set in `places`. This is the inverse of [`House::project`].
    pub(crate) fn unproject(self, places: u16) -> CellSet {
        let i = self.index() % 9;
        let third_bits = |n: usize| u128::from(places >> (3 * n) & 7);
        // A multiplication moves three neighbouring bits to the bits 0, 9 and 18.
        let spread_bits = |n: usize| (third_bits(n) * 0x1_0101) & 0o001_001_001;
        CellSet::from_bits(match self.kind() {
            HouseKind::Row => u128::from(places) << (9 * i),
            HouseKind::Column => {
                (spread_bits(0) | spread_bits(1) << 27 | spread_bits(2) << 54) << i
            }
            HouseKind::Box => {
                (third_bits(0) | third_bits(1) << 9 | third_bits(2) << 18)
                    << (27 * (i / 3) + 3 * (i % 3))
            }
        })
    }

    /// The n-th cell of the house in row order; n is 0–8.
    pub const fn cell(self, n: usize) -> Cell {
        CELLS_IN_ORDER[self.0 as usize][n]
    }
}

/// Writes `row 4`, `column 7` or `box 9`, counted from 1.
impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind() {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
        };
        write!(f, "{kind} {}", self.0 % 9 + 1)
    }
}

static CELLS_IN_ORDER: [[Cell; 9]; 27] = {
    let mut cells = [[Cell::new(0); 9]; 27];
    let mut h = 0;
    while h < 27 {
        let mut n = 0;
        while n < 9 {
            let i = h % 9;
            cells[h][n] = match h / 9 {
                0 => Cell::at(i, n),
                1 => Cell::at(n, i),
                _ => Cell::at(i / 3 * 3 + n / 3, i % 3 * 3 + n % 3),
            };
            n += 1;
        }
        h += 1;
    }
    cells
};

static HOUSE_CELLS: [CellSet; 27] = {
    let mut cells = [CellSet::EMPTY; 27];
    let mut h = 0;
    while h < 27 {
        let mut bits = 0;
        let mut n = 0;
        while n < 9 {
            bits |= 1 << CELLS_IN_ORDER[h][n].index();
            n += 1;
        }
        cells[h] = CellSet::from_bits(bits);
        h += 1;
    }
    cells
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_agree_with_the_cells_own_view() {
        for house in House::ALL {
            assert_eq!(house.cells().len(), 9);
            assert_eq!(house.project(CellSet::FULL), 0x1ff);
            for other in House::ALL {
                let places = House::project_all(other.cells())[house.index()];
                assert_eq!(places, house.project(other.cells()));
            }
            for n in 0..9 {
                assert!(house.cells().contains(house.cell(n)));
                assert!(house.cell(n).houses().contains(&house));
                assert_eq!(house.project(CellSet::of(house.cell(n))), 1 << n);
            }
            for places in 0..512 {
                let cells = (0..9).filter(|n| places >> n & 1 == 1);
                let cells: CellSet = cells.map(|n| house.cell(n)).collect();
                assert_eq!(house.unproject(places), cells);
                assert_eq!(house.project(cells), places);
            }
        }
        for cell in Cell::all() {
            assert_eq!(cell.peers().len(), 20);
            assert!(!cell.peers().contains(cell));
        }
    }
}
