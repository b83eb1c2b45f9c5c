//! Fills a pattern: finds a puzzle with one solution that has clues in given cells.
//!
//! The clues of a random full grid are the start. Then the digits of clues are changed one after the other. A
//! puzzle with fewer solutions is better. If there are too many solutions to count, a puzzle is better if
//! singles leave fewer candidates:
//!
//! ```text
//! random full grid ─▶ clues ─▶ 190 candidates ─▶ 150 ─▶ 100 ─▶ 40 solutions ─▶ 10 ─▶ 3 ─▶ 1
//! ```
//!
//! A search that accepts only better puzzles ends when every change makes the puzzle worse. So a change is
//! also accepted if the puzzle is no worse than the one some changes ago ("late acceptance"). At first this
//! accepts nearly all changes, and fewer as the search stops improving.

use super::generated::Generated;
use super::oracle::Oracle;
use crate::board::{Candidates, Cell, CellSet, Digit, Grid, fill_singles};

/// Solutions are counted up to this number. Four fifths of the puzzles have more. A higher limit costs more
/// time than it saves.
const MOST: u32 = 60;

/// A change is compared with the puzzle this many changes ago.
const MEMORY: usize = 30;

/// An attempt ends after this many changes per clue without a new best puzzle.
const CHANGES_PER_CLUE: usize = 60;

/// Makes one attempt to fill the pattern. Ends early when `is_needless` returns true.
pub(super) async fn fill(
    oracle: &impl Oracle,
    cells: CellSet,
    is_needless: impl Fn() -> bool,
) -> Option<Generated> {
    let full = oracle.full_grid().await;
    let cells: Vec<Cell> = cells.into_iter().collect();
    let mut puzzle = Grid::EMPTY;
    for &cell in &cells {
        puzzle.set(cell, full.get(cell));
    }
    let mut badness = u32::MAX;
    let mut best = u32::MAX;
    let mut earlier = [u32::MAX; MEMORY];
    let mut next = puzzle;
    let (mut changes, mut since_best) = (0, 0);
    while since_best < CHANGES_PER_CLUE * cells.len() && !is_needless() {
        let most = badness.max(earlier[changes % MEMORY]);
        let judged = judge(oracle, &next, most).await;
        if let Some((next_badness, solution)) = judged {
            (puzzle, badness) = (next, next_badness);
            if let (1, Some(solution)) = (badness, solution) {
                return Some(Generated::new(puzzle, solution));
            }
        }
        if badness < best {
            (best, since_best) = (badness, 0);
        }
        earlier[changes % MEMORY] = badness;
        (changes, since_best) = (changes + 1, since_best + 1);
        next = change(oracle, &puzzle, &cells)?;
    }
    None
}

/// The distance of a puzzle from having one solution: the number of its solutions up to [`MOST`]; if it has
/// more, a number above [`MOST`] that grows with the candidates that singles leave. If the number of
/// solutions is one, the solution is returned too. `None` if the puzzle has no solution, or if the distance
/// exceeds `most`.
async fn judge(oracle: &impl Oracle, puzzle: &Grid, most: u32) -> Option<(u32, Option<Grid>)> {
    let mut board = Candidates::new(puzzle);
    fill_singles(&mut board, |_, _| false).ok()?;
    let candidates: usize = board.all_places().iter().map(|places| places.len()).sum();
    let by_candidates = MOST.saturating_add(candidates as u32);
    if by_candidates > most && most >= MOST {
        // A puzzle with this many candidates hardly ever has few solutions.
        return None;
    }
    let (count, solution) = oracle.count(puzzle, MOST.min(most.saturating_add(1))).await;
    match count {
        0 => None,
        MOST => (by_candidates <= most).then_some((by_candidates, None)),
        _ => (count <= most).then_some((count, solution)),
    }
}

/// The puzzle with a different digit in one of its cells, without a conflict; `None` if there is no such
/// digit.
fn change(oracle: &impl Oracle, puzzle: &Grid, cells: &[Cell]) -> Option<Grid> {
    let mut rng = oracle.rng();
    let mut changes = [(cells[0], Digit::ALL[0]); 81 * 8];
    let mut count = 0;
    let mut places = [CellSet::EMPTY; 9];
    for (cell, digit) in puzzle.clues() {
        places[digit.index()].insert(cell);
    }
    for &cell in cells {
        for digit in Digit::ALL {
            let taken = cell.peers() | CellSet::of(cell);
            if (taken & places[digit.index()]).is_empty() {
                changes[count] = (cell, digit);
                count += 1;
            }
        }
    }
    if count == 0 {
        return None;
    }
    let (cell, digit) = changes[rng.below(count)];
    let mut next = *puzzle;
    next.set(cell, Some(digit));
    Some(next)
}

/// Fails if no puzzle with clues in exactly these cells can have one solution, for reasons that are easy to
/// check.
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

    /// The clues are exactly in the cells of the pattern, and the twin finds the same puzzle.
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
        for (
            _,
            Generated {
                puzzle, solution, ..
            },
        ) in &made
        {
            assert!(solution.is_solution() && solution.extends(puzzle));
            let filled: CellSet = puzzle.clues().map(|(cell, _)| cell).collect();
            assert_eq!(filled, cells);
        }
        let (n, first) = made[0];
        assert_eq!(generator.puzzle_from(SeriesItem { n, start }), Some(first));
    }

    /// Patterns that cannot have one solution are refused with the reason.
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
