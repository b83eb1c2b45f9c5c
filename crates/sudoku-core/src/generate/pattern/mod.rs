//! Makes puzzles on a pattern: with clues in exactly the given cells, and with one solution.
//!
//! ```text
//! fill     the search: changes the digits until the puzzle has one solution
//! change   another digit in one cell, or two clues exchanged
//! ```

mod change;
mod fill;

use crate::board::{Cell, CellSet};

pub(super) use fill::fill;

/// Fails if it is easy to see that no puzzle with clues in exactly these cells can have one solution.
pub fn refuse_pattern(cells: CellSet) -> Result<(), PatternError> {
    let clues = cells.len();
    if clues < 17 {
        return Err(PatternError::TooFew(clues));
    }
    type Line = fn(Cell) -> usize;
    let kinds: [(&'static str, Line); 2] = [("rows", Cell::row), ("columns", Cell::column)];
    for (kind, line) in kinds {
        let is_empty =
            |n: &usize| !Cell::all().any(|cell| line(cell) == *n && cells.contains(cell));
        for first in [0, 3, 6] {
            let empty_lines: Vec<usize> = (first..first + 3).filter(is_empty).collect();
            if let [a, b, ..] = empty_lines[..] {
                return Err(PatternError::EmptyLines(kind, a + 1, b + 1));
            }
        }
    }
    Ok(())
}

/// The reason why no puzzle with this pattern has exactly one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The pattern has too few cells. The value is their number.
    #[error("{0} clues are not enough: every puzzle with one solution has at least 17")]
    TooFew(usize),
    /// Two rows or columns of the same band or stack are empty.
    #[error(
        "{0} {1} and {2} are both empty, and lie in the same three boxes: exchanging them gives another solution"
    )]
    EmptyLines(&'static str, usize, usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generated, Generator, PuzzleStart, SeriesItem};
    use crate::solve::Kernel;

    fn cells(text: &str) -> CellSet {
        let cells = text.bytes().zip(Cell::all());
        cells
            .filter(|(byte, _)| *byte != b'.')
            .map(|(_, cell)| cell)
            .collect()
    }

    const PATTERN: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Checks that a filled pattern has clues exactly in its cells, and that the readable twin finds the same
    /// puzzle.
    #[test]
    fn a_pattern_is_filled() {
        let cells = cells(PATTERN);
        let generator = Generator {
            max_attempts: 100,
            ..Generator::any(8)
        };
        let start = PuzzleStart::Pattern(cells);
        let items = (0..4).map(|n| SeriesItem { n, start });
        let mut puzzles = Vec::new();
        generator.puzzles_until(
            Kernel::fastest(),
            items,
            |n, puzzle| puzzles.push((n, puzzle.unwrap())),
            || false,
        );
        for (
            _,
            Generated {
                puzzle, solution, ..
            },
        ) in &puzzles
        {
            assert!(solution.is_solution() && solution.extends(puzzle));
            let clue_cells: CellSet = puzzle.clues().map(|(cell, _)| cell).collect();
            assert_eq!(clue_cells, cells);
        }
        let (n, first) = puzzles[0];
        assert_eq!(generator.puzzle_from(SeriesItem { n, start }), Some(first));
    }

    /// Checks that patterns that cannot have one solution are refused, with the reason.
    #[test]
    fn impossible_patterns_are_refused() {
        assert_eq!(refuse_pattern(cells(PATTERN)), Ok(()));
        assert_eq!(
            refuse_pattern(cells(&PATTERN.replace(['5', '6', '8', '9', '1'], "."))),
            Err(PatternError::TooFew(10))
        );
        let rows = format!("{}{}", ".".repeat(18), "1".repeat(63));
        let error = refuse_pattern(cells(&rows));
        assert_eq!(error, Err(PatternError::EmptyLines("rows", 1, 2)));
        let columns = "1..111111".repeat(9);
        let error = refuse_pattern(cells(&columns));
        assert_eq!(error, Err(PatternError::EmptyLines("columns", 2, 3)));
    }
}
