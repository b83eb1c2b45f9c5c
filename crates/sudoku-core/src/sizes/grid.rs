//! Symbols and grids for sizes other than 9 × 9.

use std::fmt;

use super::shape::Shape;
use crate::board::Size;

/// A symbol of a grid, stored as its index from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u8);

/// The characters that stand for the symbols in the text of a [`SizedGrid`], by index.
const SYMBOLS: &[u8; 25] = b"123456789ABCDEFGHIJKLMNOP";

impl Symbol {
    /// The symbol with this index, 0–24. Panics for other indexes.
    pub const fn new(index: usize) -> Symbol {
        assert!(index < SYMBOLS.len());
        Symbol(index as u8)
    }

    /// The index of the symbol, 0–24.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The character of the symbol in the text of a [`SizedGrid`]: `1`–`9`, then `A`–`P`.
    pub const fn character(self) -> char {
        SYMBOLS[self.index()] as char
    }

    pub(crate) fn from_character(byte: u8) -> Option<Symbol> {
        let symbol_index = SYMBOLS.iter().position(|symbol| *symbol == byte);
        symbol_index.map(Symbol::new)
    }
}

/// A grid of another size than 9 × 9. Its text has one character for each cell, in row order: `.` for an
/// empty cell, and the symbols `1`–`9` and then `A`–`P`.
#[derive(Clone, PartialEq, Eq)]
pub struct SizedGrid {
    size: Size,
    text: Box<str>,
}

impl SizedGrid {
    /// The grid with these cells in row order; `None` if their number is wrong, or if a symbol is too
    /// high for the size.
    pub fn new(size: Size, cells: impl IntoIterator<Item = Option<Symbol>>) -> Option<SizedGrid> {
        let mut text = String::with_capacity(size.cells());
        for symbol in cells {
            if symbol.is_some_and(|symbol| symbol.index() >= size.order()) {
                return None;
            }
            text.push(symbol.map_or('.', Symbol::character));
        }
        let text = text.into_boxed_str();
        (text.len() == size.cells()).then_some(SizedGrid { size, text })
    }

    /// The size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The text of the grid: a character for each cell in row order, `.` for an empty cell.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The symbol of each cell in row order; `None` for an empty cell.
    pub fn cells(&self) -> impl Iterator<Item = Option<Symbol>> + '_ {
        self.text.bytes().map(Symbol::from_character)
    }

    /// The number of filled cells of the grid.
    pub fn clue_count(&self) -> usize {
        self.text.bytes().filter(|byte| *byte != b'.').count()
    }

    /// Whether the grid is full and has no conflict.
    pub fn is_solution(&self) -> bool {
        self.clue_count() == self.size.cells() && self.conflict().is_none()
    }

    /// Whether this grid contains every clue of `puzzle`; false if their sizes differ.
    pub fn extends(&self, puzzle: &SizedGrid) -> bool {
        let pairs = puzzle.text.bytes().zip(self.text.bytes());
        self.size == puzzle.size && { pairs }.all(|(clue, own)| clue == b'.' || clue == own)
    }

    /// A message about the first symbol that a house has twice, such as `A is in r1c1 and in r1c9 (row
    /// 1)`; `None` if there is no conflict.
    pub fn conflict(&self) -> Option<String> {
        let shape = Shape::for_size(self.size);
        let mut first_cells = vec![None; 3 * shape.order * shape.order];
        for (cell, symbol) in self.cells().enumerate() {
            let Some(symbol) = symbol else { continue };
            for house in shape.houses_of(cell) {
                let first_cell = &mut first_cells[house * shape.order + symbol.index()];
                if let Some(other) = first_cell.replace(cell) {
                    return Some(format!(
                        "{} is in {} and in {} ({})",
                        symbol.character(),
                        shape.cell_name(other),
                        shape.cell_name(cell),
                        shape.house_name(house)
                    ));
                }
            }
        }
        None
    }
}

impl fmt::Display for SizedGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SizedGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SizedGrid({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_names_its_cells_and_its_house() {
        let pair_in_conflict = |cells: [usize; 2]| {
            let symbols = (0..36).map(|cell| cells.contains(&cell).then_some(Symbol::new(5)));
            SizedGrid::new(Size::Six, symbols).unwrap().conflict()
        };
        assert_eq!(
            pair_in_conflict([3, 10]).unwrap(),
            "6 is in r1c4 and in r2c5 (box 2)"
        );
        assert_eq!(
            pair_in_conflict([0, 30]).unwrap(),
            "6 is in r1c1 and in r6c1 (column 1)"
        );
        assert_eq!(pair_in_conflict([0, 10]), None);
        let nine = (0..36).map(|_| Some(Symbol::new(8)));
        assert_eq!(SizedGrid::new(Size::Six, nine), None);
    }
}
