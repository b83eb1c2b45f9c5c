//! Fills a pattern: finds a puzzle with one solution whose clues are in given cells.
//!
//! A random full grid gives the cells their first digits. Then one clue after the other gets another digit,
//! as long as the puzzle does not have more solutions than before:
//!
//! ```text
//! random full grid ─▶ clues ─▶ 5,000 solutions ─▶ 700 ─▶ 700 ─▶ 40 ─▶ 3 ─▶ 1
//! ```
//!
//! Each change is judged by the solver, which counts no further than the solutions that the puzzle has
//! already.

use super::generated::Generated;
use super::oracle::Oracle;
use crate::board::{Cell, CellSet, Digit, Grid};

/// Solutions are counted up to this number.
const MOST: u32 = 2000;

/// An attempt ends after so many changes per clue that have not led to fewer solutions.
const CHANGES_PER_CLUE: usize = 20;

/// Tries once to fill the pattern.
pub(super) async fn fill(oracle: &impl Oracle, cells: CellSet) -> Option<Generated> {
    let full = oracle.full_grid().await;
    let cells: Vec<Cell> = cells.into_iter().collect();
    let mut puzzle = Grid::EMPTY;
    for &cell in &cells {
        puzzle.set(cell, full.get(cell));
    }
    let (mut count, mut solution) = oracle.count(&puzzle, MOST).await;
    let mut changes = 0;
    while count != 1 && changes < CHANGES_PER_CLUE * cells.len() {
        changes += 1;
        let Some(next) = change(oracle, &puzzle, &cells) else {
            continue;
        };
        let most = (count + 1).min(MOST);
        let (next_count, next_solution) = oracle.count(&next, most).await;
        if next_count == 0 || next_count > count {
            continue;
        }
        if next_count < count {
            changes = 0;
        }
        (puzzle, count, solution) = (next, next_count, next_solution);
    }
    let solution = solution.filter(|_| count == 1)?;
    Some(Generated { puzzle, solution })
}

/// The puzzle with another digit in one of the cells; `None` if the digit is in a peer of the cell.
fn change(oracle: &impl Oracle, puzzle: &Grid, cells: &[Cell]) -> Option<Grid> {
    let mut rng = oracle.rng();
    let cell = *cells.get(rng.below(cells.len()))?;
    let digit = Digit::from_index(rng.below(9));
    let is_taken = |other: Cell| puzzle.get(other) == Some(digit);
    if is_taken(cell) || cell.peers().any(is_taken) {
        return None;
    }
    let mut next = *puzzle;
    next.set(cell, Some(digit));
    Some(next)
}

/// Why no puzzle with clues in these cells can have exactly one solution, if that is easy to see.
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
            let empty: Vec<usize> = (first..first + 3).filter(is_empty).collect();
            if let [a, b, ..] = empty[..] {
                return Err(PatternError::EmptyLines(kind, a + 1, b + 1));
            }
        }
    }
    Ok(())
}

/// A pattern that no puzzle with one solution has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It has too few cells.
    #[error("{0} clues are not enough: every puzzle with one solution has at least 17")]
    TooFew(usize),
    /// Two lines of the same band or stack are empty.
    #[error(
        "{0} {1} and {2} are both empty, and lie in the same three boxes: exchanging them gives another solution"
    )]
    EmptyLines(&'static str, usize, usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generator, PuzzleStart, SeriesItem};
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

    /// Issue 31: clues stand where they are asked for, and the twin finds the same puzzle.
    #[test]
    fn a_pattern_is_filled() {
        let cells = cells(PATTERN);
        let generator = Generator {
            max_attempts: 100,
            ..Generator::any(8)
        };
        let start = PuzzleStart::Pattern(cells);
        let items = (0..4).map(|n| SeriesItem { n, start });
        let mut made = Vec::new();
        generator.puzzles_until(
            Kernel::fastest(),
            items,
            |n, puzzle| made.push((n, puzzle.unwrap())),
            || false,
        );
        for (_, Generated { puzzle, solution }) in &made {
            assert!(solution.is_solution() && solution.extends(puzzle));
            let filled: CellSet = puzzle.clues().map(|(cell, _)| cell).collect();
            assert_eq!(filled, cells);
        }
        let (n, first) = made[0];
        assert_eq!(generator.puzzle_from(SeriesItem { n, start }), Some(first));
    }

    /// Issue 31: patterns that cannot have one solution are refused with the reason.
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
