//! Stage 3 of 7: grid → puzzle: no conflict among the clues; what the input says is the solution.

use crate::board::Grid;
use crate::normalise::normalise;
use crate::reject::{RejectKind, RejectReason};

/// A puzzle without conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its clues.
    pub clues: Grid,
    /// The solution that came with it.
    pub given: Given,
}

/// A solution as the input has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// None.
    Absent,
    /// Something that is no grid.
    Malformed,
    /// A grid, unchecked.
    Grid(Grid),
}

/// Checks the clues of a grid; takes the text of the given solution with it.
pub fn validate(clues: Grid, given: Option<&[u8]>) -> Result<Puzzle, RejectReason> {
    if let Some(conflict) = clues.conflict() {
        return Err(RejectReason::new(
            RejectKind::Conflict,
            conflict.to_string(),
        ));
    }
    let given = match given.map(normalise) {
        None => Given::Absent,
        Some(Ok(grid)) => Given::Grid(grid),
        Some(Err(_)) => Given::Malformed,
    };
    Ok(Puzzle { clues, given })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_rejected_with_its_cells() {
        let mut text = [b'.'; 81];
        text[0] = b'7';
        text[8] = b'7';
        let grid = Grid::from_canonical(&text).unwrap();
        let reason = validate(grid, None).unwrap_err();
        assert_eq!(reason.kind, RejectKind::Conflict);
        assert_eq!(reason.message, "7 is in r1c1 and in r1c9 (row 1)");
    }

    #[test]
    fn a_given_solution_that_is_no_grid_is_kept_apart() {
        let given = |text: &[u8]| validate(Grid::EMPTY, Some(text)).unwrap().given;
        assert_eq!(given(b"no grid"), Given::Malformed);
        assert_eq!(given(&[b'0'; 81]), Given::Grid(Grid::EMPTY));
    }
}
