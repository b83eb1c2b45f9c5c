use std::fmt;

use wide::u8x16;

use super::cell::{Cell, CellSet};
use super::digit::Digit;
use super::house::House;

/// A 9 × 9 grid in canonical form: 81 characters in row order, `.` for an empty cell, `1`–`9`.
///
/// The characters are what is stored, so that [`Grid::as_str`] costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid([u8; 81]);

/// The same digit twice in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The digit.
    pub digit: Digit,
    /// The two cells, in row order.
    pub cells: [Cell; 2],
    /// The house that both are in.
    pub house: House,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.cells;
        write!(f, "{} is in {a} and in {b} ({})", self.digit, self.house)
    }
}

impl Grid {
    /// No clue at all.
    pub const EMPTY: Grid = Grid([b'.'; 81]);

    /// The grid with these 81 characters, if they are in canonical form.
    pub fn from_canonical(text: &[u8]) -> Option<Grid> {
        let characters: [u8; 81] = text.try_into().ok()?;
        // Mostly they are: all of them at once are quicker to see than one by one.
        let is_canonical = |all, byte: &u8| all & matches!(byte, b'.' | b'1'..=b'9');
        let all = characters.iter().fold(true, is_canonical);
        all.then_some(Grid(characters))
    }

    /// The grid with these digits: per digit, the cells that hold it. The sets must not overlap.
    pub fn from_places(places: &[CellSet; 9]) -> Grid {
        let mut grid = Grid::EMPTY;
        for digit in Digit::ALL {
            places[digit.index()].for_each(|cell| grid.set(cell, Some(digit)));
        }
        grid
    }

    /// Per digit, the cells that hold it: undoes [`Grid::from_places`].
    pub fn places(&self) -> [CellSet; 9] {
        let (blocks, last) = self.0.as_chunks();
        Digit::ALL.map(|digit| {
            let character = b'0' + digit.value();
            let mut bits = u128::from(last == [character]) << 80;
            for (block, cells) in blocks.iter().enumerate() {
                let same = u8x16::new(*cells).simd_eq(u8x16::splat(character));
                bits |= u128::from(same.to_bitmask()) << (16 * block);
            }
            CellSet::from_bits(bits)
        })
    }

    /// The 81 characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the characters are ASCII by construction")
    }

    /// The 81 characters.
    pub const fn as_bytes(&self) -> &[u8; 81] {
        &self.0
    }

    /// The digit of a cell, if it has one.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::from_value(self.0[cell.index()].wrapping_sub(b'0'))
    }

    /// Writes a digit into a cell, or empties it.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        self.0[cell.index()] = digit.map_or(b'.', |digit| b'0' + digit.value());
    }

    /// The cells that have a digit, with it, in row order.
    pub fn clues(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        Cell::all().filter_map(|cell| self.get(cell).map(|digit| (cell, digit)))
    }

    /// How many cells have a digit.
    pub fn clue_count(&self) -> usize {
        self.0.iter().filter(|&&byte| byte != b'.').count()
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        !self.0.contains(&b'.')
    }

    /// The first house, in the order of [`House::ALL`], that holds a digit twice.
    pub fn conflict(&self) -> Option<Conflict> {
        // Nearly every grid is clean, and that is quick to see.
        let mut seen = [[0u16; 9]; 3];
        let mut twice = 0;
        for (cell, &byte) in Cell::all().zip(&self.0) {
            if byte != b'.' {
                let digit = 1 << (byte - b'1');
                for (seen, at) in seen
                    .iter_mut()
                    .zip([cell.row(), cell.column(), cell.box_index()])
                {
                    twice |= seen[at] & digit;
                    seen[at] |= digit;
                }
            }
        }
        if twice == 0 {
            None
        } else {
            self.find_conflict()
        }
    }

    fn find_conflict(&self) -> Option<Conflict> {
        House::ALL.into_iter().find_map(|house| {
            let mut first: [Option<Cell>; 9] = [None; 9];
            house.cells().find_map(|cell| {
                let digit = self.get(cell)?;
                first[digit.index()].replace(cell).map(|other| Conflict {
                    digit,
                    cells: [other, cell],
                    house,
                })
            })
        })
    }

    /// Whether the grid is full and holds every digit once in every house.
    pub fn is_solution(&self) -> bool {
        self.is_full() && self.conflict().is_none()
    }

    /// Whether every clue of `puzzle` stands in this grid too.
    pub fn extends(&self, puzzle: &Grid) -> bool {
        puzzle
            .0
            .iter()
            .zip(&self.0)
            .all(|(clue, own)| *clue == b'.' || clue == own)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

impl std::str::FromStr for Grid {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Grid, Self::Err> {
        Grid::from_canonical(text.as_bytes()).ok_or("a grid is 81 characters, each . or 1-9")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_names_its_two_cells() {
        let mut grid = Grid::EMPTY;
        assert_eq!(grid.conflict(), None);
        grid.set(Cell::at(0, 0), Digit::from_value(5));
        grid.set(Cell::at(1, 1), Digit::from_value(5));
        let text = grid.conflict().map(|conflict| conflict.to_string());
        assert_eq!(text.as_deref(), Some("5 is in r1c1 and in r2c2 (box 1)"));
    }

    #[test]
    fn canonical_text_round_trips() {
        let text =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
        let grid: Grid = text.parse().unwrap();
        assert_eq!(grid.to_string(), text);
        assert_eq!(grid.clue_count(), 18);
        assert_eq!(Grid::from_places(&grid.places()), grid);
        assert_eq!(grid.places()[3].len(), 2);
        assert!("4.0".parse::<Grid>().is_err());
    }
}
