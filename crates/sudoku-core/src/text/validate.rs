//! Checks that the clues of a puzzle have no conflict, and parses the solution that is given with the puzzle.

use std::fmt;
use std::str::FromStr;

use crate::board::{Candidates, Grid, Marks};
use crate::text::{Normalised, normalise};
use crate::text::{ParseError, ParseErrorKind};

/// A puzzle whose clues have no conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The grid of the puzzle: its clues, and empty cells.
    pub clues: Grid,
    /// The pencil marks; `None` if the puzzle has none, or if they exclude no more candidates than the clues
    /// do.
    pub marks: Option<Box<Marks>>,
    /// The solution that came with the puzzle's text, for example in another column.
    pub given: Given,
}

/// The solution that the input gives for a puzzle. It is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<G = Grid> {
    /// No solution is given.
    Absent,
    /// A text is given, but it is not a grid.
    Malformed,
    /// The grid that is given as the solution.
    Grid(G),
}

impl<G> Given<G> {
    /// The given grid; `None` if no solution is given or its text is malformed.
    pub fn grid(&self) -> Option<&G> {
        match self {
            Given::Grid(grid) => Some(grid),
            Given::Absent | Given::Malformed => None,
        }
    }

    /// Whether the given solution is a grid for which `is_fit` returns true; `None` if the input gives no
    /// solution.
    pub fn fits(&self, is_fit: impl Fn(&G) -> bool) -> Option<bool> {
        match self {
            Given::Absent => None,
            Given::Malformed => Some(false),
            Given::Grid(grid) => Some(is_fit(grid)),
        }
    }
}

impl Puzzle {
    /// The board before the first step: all candidates that clues and pencil marks allow.
    pub fn board(&self) -> Candidates {
        match &self.marks {
            None => Candidates::new(&self.clues),
            Some(marks) => marks.board(&self.clues),
        }
    }

    /// The puzzle in normal form: 81 characters, or 729 if it has pencil marks.
    pub fn as_str(&self) -> &str {
        match &self.marks {
            None => self.clues.as_str(),
            Some(marks) => marks.as_str(),
        }
    }

    /// The puzzle in normal form, as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.marks {
            None => self.clues.as_bytes(),
            Some(marks) => marks.as_str().as_bytes(),
        }
    }

    /// Whether this grid has all clues of the puzzle and no digit that the pencil marks exclude.
    pub fn allows(&self, grid: &Grid) -> bool {
        let is_marked = |marks: &Marks| marks.allow(grid);
        grid.extends(&self.clues) && self.marks.as_deref().is_none_or(is_marked)
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Parses a puzzle as [`normalise`] does, and checks that its clues have no conflict.
///
/// ```
/// use sudoku_core::Puzzle;
/// use sudoku_core::text::ParseErrorKind;
///
/// let puzzle: Puzzle =
///     "530070000600195000098000060800060003400803001700020006060000280000419005000080079".parse()?;
/// assert_eq!(puzzle.clues.clue_count(), 30);
/// assert!(puzzle.as_str().starts_with("53..7...."));
///
/// let conflict = "55...............................................................................";
/// let reason = conflict.parse::<Puzzle>().unwrap_err();
/// assert_eq!(reason.kind, ParseErrorKind::Conflict);
/// assert_eq!(reason.message, "5 is in r1c1 and in r1c2 (row 1)");
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
impl FromStr for Puzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Puzzle, ParseError> {
        validate(normalise(text.as_bytes())?, None)
    }
}

/// Checks that the clues have no conflict, and parses `given`, the text of the solution in the input.
pub fn validate(start: Normalised, given: Option<&[u8]>) -> Result<Puzzle, ParseError> {
    let (clues, marks) = match start {
        Normalised::Clues(clues) => (clues, None),
        Normalised::Marks(marks) => (marks.clues(), Some(marks)),
    };
    if let Some(conflict) = clues.conflict() {
        return Err(ParseError::new(
            ParseErrorKind::Conflict,
            conflict.to_string(),
        ));
    }
    let given = match given.map(normalise) {
        None => Given::Absent,
        Some(Ok(Normalised::Clues(grid))) => Given::Grid(grid),
        Some(Ok(Normalised::Marks(marks))) => Given::Grid(marks.clues()),
        Some(Err(_)) => Given::Malformed,
    };
    let marks = marks.filter(|marks| marks.board(&clues) != Candidates::new(&clues));
    Ok(Puzzle {
        clues,
        marks,
        given,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_rejected_with_its_cells() {
        let mut text = [b'.'; 81];
        text[0] = b'7';
        text[8] = b'7';
        let grid = Grid::from_normal_form(&text).unwrap();
        let reason = validate(Normalised::Clues(grid), None).unwrap_err();
        assert_eq!(reason.kind, ParseErrorKind::Conflict);
        assert_eq!(reason.message, "7 is in r1c1 and in r1c9 (row 1)");
    }

    #[test]
    fn a_given_solution_that_is_no_grid_is_kept_apart() {
        let given = |text: &[u8]| {
            let puzzle = validate(Normalised::Clues(Grid::EMPTY), Some(text));
            puzzle.unwrap().given
        };
        assert_eq!(given(b"no grid"), Given::Malformed);
        assert_eq!(given(&[b'0'; 81]), Given::Grid(Grid::EMPTY));
    }
}
