//! Judges what a program, such as a language model, returns for a puzzle: predictions, which are grids, and sequences of
//! moves.
//!
//! Grids are texts in normal form: one character for each cell in row order, `.` for an empty cell.

mod answer;
mod steps;

pub use answer::{Answer, FORMS, Form, GridInText, RULES, Rule, find_grids, read_answer};
pub use steps::{
    JudgedMove, JudgedSteps, Move, MoveKind, MoveVerdict, ReadSteps, STEP_FORMS, StepForm,
    StepJudge, read_steps,
};

crate::enum_with_ids! {
    /// The verdict on a prediction, which is a grid that a program returns as the solution of a puzzle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Verdict {
        /// The solution to compare with: the one that the input gives, or the only solution of the puzzle.
        Solution = "solution",
        /// Another solution of a puzzle that has several.
        OtherSolution = "other_solution",
        /// A full grid with all clues that is not a solution.
        Wrong = "wrong",
        /// A grid that has empty cells and all clues.
        Incomplete = "incomplete",
        /// A grid that has another digit in the cell of a clue.
        ClueChanged = "clue_changed",
        /// A text that is not a grid of the puzzle's size.
        Unparsable = "unparsable",
        /// The prediction is missing.
        Missing = "missing",
    }
}

impl Verdict {
    /// Whether the prediction is a solution of the puzzle.
    pub const fn is_exact(self) -> bool {
        matches!(self, Verdict::Solution | Verdict::OtherSolution)
    }
}

/// The verdict on a prediction, and how many of its cells are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict on the prediction.
    pub verdict: Verdict,
    /// The number of empty cells in the puzzle.
    pub blanks: u32,
    /// The number of cells that are empty in the puzzle and have the solution's digit in the prediction.
    /// `None` if the puzzle has no solution to compare with, or the prediction is not a grid.
    pub blanks_right: Option<u32>,
    /// The number of cells, clues included, in which the prediction has the solution's digit. `None` if the
    /// puzzle has no solution to compare with, or the prediction is not a grid.
    pub cells_right: Option<u32>,
    /// The number of filled cells in the prediction whose digit is also in another cell of the same house.
    /// `None` if the prediction is not a grid.
    pub conflicts: Option<u32>,
    /// The index, in row order, of the first cell in which the prediction differs from the solution. `None`
    /// if no cell differs, if the puzzle has no solution to compare with, or if the prediction is not a grid.
    pub first_wrong: Option<usize>,
}

impl Judgement {
    /// The judgement of a prediction that is not a grid: [`Verdict::Unparsable`] or [`Verdict::Missing`].
    pub fn without_grid(verdict: Verdict, clues: &[u8]) -> Judgement {
        Judgement {
            verdict,
            blanks: count_blanks(clues),
            blanks_right: None,
            cells_right: None,
            conflicts: None,
            first_wrong: None,
        }
    }
}

/// Judges a grid that is predicted as the solution of a puzzle. `solution` is the solution to compare with:
/// the one that the input gives, or the only one; `None` if the puzzle has none or several. If the prediction
/// is a different solution, all its cells count as right. `of_box` is the number of rows and of columns of a
/// box. `is_allowed` is false if the grid has a digit that the puzzle's pencil marks exclude. All texts must
/// have the same length.
///
/// ```
/// use sudoku_core::judge::{Verdict, judge};
///
/// let clues = b"1...............";
/// let solution = b"1234341221434321";
/// let judged = judge((2, 2), clues, b"1234341221434312", true, Some(solution));
/// assert_eq!(judged.verdict, Verdict::Wrong);
/// assert_eq!((judged.blanks, judged.blanks_right, judged.conflicts), (15, Some(13), Some(4)));
/// assert_eq!(judged.first_wrong, Some(14));
/// ```
pub fn judge(
    of_box: (usize, usize),
    clues: &[u8],
    prediction: &[u8],
    is_allowed: bool,
    solution: Option<&[u8]>,
) -> Judgement {
    let conflicts = count_conflicts(of_box, prediction);
    let mut clue_and_prediction_pairs = clues.iter().zip(prediction);
    let changes_a_clue =
        clue_and_prediction_pairs.any(|(clue, own)| *clue != b'.' && *own != b'.' && clue != own);
    let verdict = if changes_a_clue {
        Verdict::ClueChanged
    } else if prediction.contains(&b'.') {
        Verdict::Incomplete
    } else if conflicts > 0 || !is_allowed {
        Verdict::Wrong
    } else if solution == Some(prediction) {
        Verdict::Solution
    } else {
        Verdict::OtherSolution
    };
    let right_grid = match verdict {
        Verdict::OtherSolution => Some(prediction),
        _ => solution,
    };
    let count = |is_counted: &dyn Fn(u8) -> bool| {
        let right_grid = right_grid?;
        let cells = clues.iter().zip(prediction).zip(right_grid);
        let cells = cells.filter(|((clue, own), right)| is_counted(**clue) && own == right);
        Some(cells.count() as u32)
    };
    Judgement {
        verdict,
        blanks: count_blanks(clues),
        blanks_right: count(&|clue| clue == b'.'),
        cells_right: count(&|_| true),
        conflicts: Some(conflicts),
        first_wrong: right_grid.and_then(|right_grid| {
            let mut cells = prediction.iter().zip(right_grid);
            cells.position(|(own, right)| own != right)
        }),
    }
}

fn count_blanks(clues: &[u8]) -> u32 {
    clues.iter().filter(|cell| **cell == b'.').count() as u32
}

/// The number of filled cells whose digit is also in another cell of the same house.
fn count_conflicts((box_rows, box_columns): (usize, usize), grid: &[u8]) -> u32 {
    let order = box_rows * box_columns;
    let houses = |cell: usize| {
        let (row, column) = (cell / order, cell % order);
        let in_box = row / box_rows * box_rows + column / box_columns;
        [row, order + column, 2 * order + in_box]
    };
    // The count of each character in each house, by its code. A text in normal form is ASCII.
    let mut counts = vec![[0_u8; 128]; 3 * order];
    let filled = || {
        let cells = grid.iter().enumerate();
        cells.filter(|(_, digit)| **digit != b'.')
    };
    for (cell, digit) in filled() {
        for house in houses(cell) {
            counts[house][usize::from(*digit & 127)] += 1;
        }
    }
    let is_twice = |(cell, digit): &(usize, &u8)| {
        let mut houses = houses(*cell).into_iter();
        houses.any(|house| counts[house][usize::from(**digit & 127)] > 1)
    };
    filled().filter(is_twice).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLUES: &[u8] =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &[u8] =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn with_changes(cells: &[(usize, u8)]) -> Vec<u8> {
        let mut grid = SOLUTION.to_vec();
        for (cell, digit) in cells {
            grid[*cell] = *digit;
        }
        grid
    }

    fn judge_with_changes(cells: &[(usize, u8)]) -> Judgement {
        judge((3, 3), CLUES, &with_changes(cells), true, Some(SOLUTION))
    }

    #[test]
    fn each_fault_has_its_verdict() {
        let right = judge_with_changes(&[]);
        assert_eq!(right.verdict, Verdict::Solution);
        assert_eq!((right.blanks, right.blanks_right), (51, Some(51)));
        assert_eq!((right.cells_right, right.conflicts), (Some(81), Some(0)));
        assert_eq!(right.first_wrong, None);

        // The 6 in r1c3 is also in the row, the column and the box of that cell.
        let wrong = judge_with_changes(&[(2, b'6')]);
        assert_eq!(wrong.verdict, Verdict::Wrong);
        assert_eq!(
            (wrong.blanks_right, wrong.cells_right),
            (Some(50), Some(80))
        );
        assert_eq!(wrong.first_wrong, Some(2));
        assert_eq!(wrong.conflicts, Some(4), "r1c3, r1c4, r2c1, r5c3");

        assert_eq!(
            judge_with_changes(&[(2, b'.')]).verdict,
            Verdict::Incomplete
        );
        assert_eq!(
            judge_with_changes(&[(0, b'.')]).verdict,
            Verdict::Incomplete
        );
        assert_eq!(
            judge_with_changes(&[(0, b'4')]).verdict,
            Verdict::ClueChanged
        );
        assert_eq!(
            judge_with_changes(&[(0, b'4'), (2, b'.')]).verdict,
            Verdict::ClueChanged
        );
    }

    #[test]
    fn another_solution_is_right_everywhere() {
        let clues = b"1...............";
        let [one, other] = [b"1234341221434321", b"1243342121344312"];
        let judged = judge((2, 2), clues, other, true, Some(one));
        assert_eq!(judged.verdict, Verdict::OtherSolution);
        assert_eq!(
            (judged.blanks_right, judged.cells_right),
            (Some(15), Some(16))
        );
        assert!(judged.verdict.is_exact());
        let unknown = judge((2, 2), clues, b"1234341221434312", true, None);
        assert_eq!(
            (unknown.verdict, unknown.blanks_right),
            (Verdict::Wrong, None)
        );
    }
}
