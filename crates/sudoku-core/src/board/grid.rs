//! A 9 × 9 grid: its digits and empty cells, and a check for conflicts.

use std::fmt;
use std::ops::BitOr;

use wide::u8x16;

use super::cell::Cell;
use super::cell_set::CellSet;
use super::digit::Digit;
use super::house::House;

/// A 9 × 9 grid in normal form: 81 characters in row order, `.` for an empty cell, `1`–`9`.
///
/// It stores the characters, so that [`Grid::as_str`] needs no conversion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid([u8; 81]);

/// For each character, a word with 1 in the counter of its digit. The nine digits of a house are counted in
/// one word, with four bits each.
static ONE_BY_CHARACTER: [u64; 256] = {
    let mut counters = [0; 256];
    let mut digit = 0;
    while digit < 9 {
        counters[b'1' as usize + digit] = 1 << (4 * digit);
        digit += 1;
    }
    counters
};

/// The initial value of the nine counters of a house: 6 each. The second occurrence of a digit sets the
/// highest bit of its counter, and nine occurrences do not overflow.
const INITIAL_COUNTS: u64 = 0x6_6666_6666;

/// The highest bit of each counter, which is set if the house has the digit at least twice.
const AT_LEAST_TWO: u64 = 0x8_8888_8888;

/// A conflict: two cells of a house have the same digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The digit that is in both cells.
    pub digit: Digit,
    /// The two cells that have the digit, in row order.
    pub cells: [Cell; 2],
    /// The first house, in the order of [`House::ALL`], that contains both cells.
    pub house: House,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.cells;
        write!(f, "{} is in {a} and in {b} ({})", self.digit, self.house)
    }
}

impl Grid {
    /// The grid in which all cells are empty.
    pub const EMPTY: Grid = Grid([b'.'; 81]);

    /// Parses 81 characters in normal form; `None` for any other text.
    pub fn from_normal_form(text: &[u8]) -> Option<Grid> {
        let characters: [u8; 81] = text.try_into().ok()?;
        // Nearly all texts are in normal form. Without an early exit, the compiler vectorises the check.
        let is_normal = |all, byte: &u8| all & matches!(byte, b'.' | b'1'..=b'9');
        let is_normal_form = characters.iter().fold(true, is_normal);
        is_normal_form.then_some(Grid(characters))
    }

    /// The grid with these characters, which must all be `.` or `1`–`9`.
    pub(super) fn from_characters(characters: [u8; 81]) -> Grid {
        debug_assert!(Grid::from_normal_form(&characters).is_some());
        Grid(characters)
    }

    /// The grid that has, for each digit from 1 to 9, this digit in these cells. The sets must not overlap.
    pub fn from_places(places: &[CellSet; 9]) -> Grid {
        let mut grid = Grid::EMPTY;
        for digit in Digit::ALL {
            places[digit.index()].for_each(|cell| grid.set(cell, Some(digit)));
        }
        grid
    }

    /// The cells of each digit, from digit 1 to digit 9. This is the inverse of [`Grid::from_places`].
    pub fn places(&self) -> [CellSet; 9] {
        Digit::ALL.map(|digit| self.cells_with(b'0' + digit.value()))
    }

    /// The cells with this character, which is a digit, or `.` for the empty cells.
    fn cells_with(&self, character: u8) -> CellSet {
        let (sixteens, last) = self.0.as_chunks();
        let mut bits = u128::from(last == [character]) << 80;
        for (sixteen, cells) in sixteens.iter().enumerate() {
            let is_character = u8x16::new(*cells).simd_eq(u8x16::splat(character));
            bits |= u128::from(is_character.to_bitmask()) << (16 * sixteen);
        }
        CellSet::from_bits(bits)
    }

    /// The grid as text: 81 characters in normal form.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the characters are ASCII by construction")
    }

    /// The 81 characters in normal form, as bytes.
    pub const fn as_bytes(&self) -> &[u8; 81] {
        &self.0
    }

    /// The digit of a cell; `None` if the cell is empty.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::from_value(self.0[cell.index()].wrapping_sub(b'0'))
    }

    /// Writes a digit into a cell; `None` empties the cell.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        self.0[cell.index()] = digit.map_or(b'.', |digit| b'0' + digit.value());
    }

    /// The cells with a digit, each with its digit, in row order.
    pub fn clues(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        let filled_cells = !self.cells_with(b'.');
        filled_cells.filter_map(|cell| self.get(cell).map(|digit| (cell, digit)))
    }

    /// The number of cells with a digit.
    pub fn clue_count(&self) -> usize {
        // Counts in bytes, because the compiler vectorises a sum of bytes.
        let count: u8 = self.0.iter().map(|byte| u8::from(*byte != b'.')).sum();
        usize::from(count)
    }

    /// Whether every cell has a digit.
    pub fn is_full(&self) -> bool {
        !self.0.contains(&b'.')
    }

    /// The conflict in the first house, in the order of [`House::ALL`], that contains a digit twice; `None`
    /// if no house does.
    pub fn conflict(&self) -> Option<Conflict> {
        // Nearly all grids have no conflict, so a fast check comes before the search for its cells.
        if self.has_conflict() {
            self.find_conflict()
        } else {
            None
        }
    }

    /// Whether some house has a digit twice. Counts the digits of all houses at once, without branches.
    fn has_conflict(&self) -> bool {
        let mut columns = [INITIAL_COUNTS; 9];
        let mut counts = 0;
        let (rows, _) = self.0.as_chunks::<9>();
        for band in rows.as_chunks::<3>().0 {
            let mut boxes = [INITIAL_COUNTS; 3];
            for cells in band {
                let mut row = INITIAL_COUNTS;
                for (column, cell) in cells.iter().enumerate() {
                    let counter = ONE_BY_CHARACTER[usize::from(*cell)];
                    row += counter;
                    columns[column] += counter;
                    boxes[column / 3] += counter;
                }
                counts |= row;
            }
            counts |= boxes.into_iter().fold(0, BitOr::bitor);
        }
        counts |= columns.into_iter().fold(0, BitOr::bitor);
        counts & AT_LEAST_TWO != 0
    }

    fn find_conflict(&self) -> Option<Conflict> {
        House::ALL.into_iter().find_map(|house| {
            let mut first_cell_by_digit: [Option<Cell>; 9] = [None; 9];
            house.cells().find_map(|cell| {
                let digit = self.get(cell)?;
                first_cell_by_digit[digit.index()]
                    .replace(cell)
                    .map(|other| Conflict {
                        digit,
                        cells: [other, cell],
                        house,
                    })
            })
        })
    }

    /// Whether the grid is full and has no conflict.
    pub fn is_solution(&self) -> bool {
        self.is_full() && self.conflict().is_none()
    }

    /// Whether this grid contains every clue of `puzzle`.
    pub fn extends(&self, puzzle: &Grid) -> bool {
        let mut contains_all = true;
        for (clue, own) in puzzle.0.iter().zip(&self.0) {
            contains_all &= (*clue == b'.') | (clue == own);
        }
        contains_all
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
        Grid::from_normal_form(text.as_bytes()).ok_or("a grid is 81 characters, each . or 1-9")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

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
    fn a_conflict_is_seen_wherever_it_is() {
        let seed = 27;
        let mut rng = Rng::new(seed);
        let mut conflicts = 0;
        for case in 0..20_000 {
            let mut grid = match rng.below(2) {
                // Start with a full grid without conflicts. Some digits are removed below.
                0 => Grid(
                    Cell::all()
                        .map(digit_of_full_grid)
                        .collect::<Vec<_>>()
                        .try_into()
                        .unwrap(),
                ),
                _ => Grid::EMPTY,
            };
            for _ in 0..rng.below(81) {
                grid.set(Cell::new(rng.below(81)), None);
            }
            for _ in 0..rng.below(4) {
                let digit = Digit::ALL[rng.below(9)];
                grid.set(Cell::new(rng.below(81)), Some(digit));
            }
            let conflict = grid.conflict();
            conflicts += u32::from(conflict.is_some());
            assert_eq!(
                conflict,
                grid.find_conflict(),
                "seed {seed}, case {case}: {grid}"
            );
        }
        assert!((5000..15_000).contains(&conflicts), "{conflicts}");
    }

    #[test]
    fn two_of_a_digit_are_a_conflict_in_a_house_alone() {
        assert!(Grid([b'9'; 81]).conflict().is_some());
        for first in Cell::all() {
            for second in Cell::all().filter(|second| *second != first) {
                let mut grid = Grid::EMPTY;
                grid.set(first, Digit::from_value(9));
                grid.set(second, Digit::from_value(9));
                let in_a_house = first.peers().contains(second);
                assert_eq!(grid.conflict().is_some(), in_a_house, "{first} {second}");
            }
        }
    }

    /// The digit of this cell in one full grid that is the same in all tests.
    fn digit_of_full_grid(cell: Cell) -> u8 {
        let (row, column) = (cell.row(), cell.column());
        b'1' + ((3 * row + row / 3 + column) % 9) as u8
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
