//! Grids whose cells are one-hot vectors.

use sudoku_core::sizes::{Size, SizedGrid, Symbol};

use crate::read::grids::cells::cell;

/// One-hot vectors: of the items of a cell, the one for the cell's value is 1, and all others are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OneHot {
    /// The number of items of a cell: as many as there are digits, or one more, which stands for an empty cell.
    pub(super) classes: usize,
    pub(super) axis: ClassAxis,
    /// Whether the item for an empty cell is the last one. Otherwise it is the first one.
    pub(super) is_empty_last: bool,
}

/// The axis of a record along which the items of a cell are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassAxis {
    First,
    Last,
}

impl ClassAxis {
    pub(super) const fn name(self) -> &'static str {
        match self {
            ClassAxis::First => "first",
            ClassAxis::Last => "last",
        }
    }
}

impl OneHot {
    /// The grid of a record as text; an error with the position of the first cell whose items are not zeros with at most
    /// one 1. If all are 0, the cell is empty.
    pub(super) fn grid(&self, numbers: &[f64]) -> Result<String, String> {
        let classes = self.classes;
        let cells = numbers.len() / classes;
        let has_empty = classes > cells.isqrt();
        let mut text = String::with_capacity(cells);
        for at in 0..cells {
            let number = |class: usize| match self.axis {
                ClassAxis::Last => numbers[at * classes + class],
                ClassAxis::First => numbers[class * cells + at],
            };
            let one_count = (0..classes).filter(|class| number(*class) == 1.0).count();
            let zeros = (0..classes).filter(|class| number(*class) == 0.0).count();
            if one_count > 1 || one_count + zeros != classes {
                let position = at + 1;
                return Err(format!(
                    "the {classes} numbers at position {position} are not zeros with at most one 1"
                ));
            }
            let class = (0..classes).find(|class| number(*class) == 1.0);
            let digit = match class {
                None => 0,
                Some(class) if self.is_empty_last && class + 1 == classes => 0,
                Some(class) if self.is_empty_last => class + 1,
                Some(class) => class + 1 - usize::from(has_empty),
            };
            text.extend(cell(digit));
        }
        Ok(text)
    }
}

/// Whether no digit is in a house of the grid twice. `text` has `.` for an empty cell.
pub(super) fn is_without_conflict(text: &str) -> bool {
    let digits = text.chars().map(|character| match character {
        '1'..='9' => Some(character as usize - '1' as usize),
        'A'..='P' => Some(character as usize - 'A' as usize + 9),
        _ => None,
    });
    if text.len() == 81 {
        let mut found = [[false; 27]; 9];
        return digits.enumerate().all(|(cell, digit)| {
            let (row, column) = (cell / 9, cell % 9);
            let houses = [row, 9 + column, 18 + row / 3 * 3 + column / 3];
            digit.is_none_or(|digit| {
                let is_new = |house: usize| {
                    found
                        .get_mut(digit)
                        .is_some_and(|found| !std::mem::replace(&mut found[house], true))
                };
                houses.map(is_new) == [true; 3]
            })
        });
    }
    let symbols = digits.map(|digit| digit.map(Symbol::new));
    let grid = Size::from_cells(text.len()).and_then(|size| SizedGrid::new(size, symbols));
    grid.is_some_and(|grid| grid.conflict().is_none())
}
