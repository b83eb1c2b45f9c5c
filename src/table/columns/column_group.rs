//! The groups of columns of the output table.

use crate::table::column::Column;
use crate::table::outcome::Outcome;

/// A column of the output table, with the commands and options that write it.
pub type OutputColumn = Column<Outcome, ColumnGroup>;

/// A column of the output table, before it is put into a group.
pub(crate) type OutcomeColumn = Column<Outcome>;

/// Selects the columns that a command writes: each group is written by certain commands or options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnGroup {
    /// All commands except `convert` and `generate` write these columns: the origin of the row.
    Origin,
    /// All commands write this column: the puzzle.
    Puzzle,
    /// `convert` writes this column if the input has solutions.
    Given,
    /// `generate` writes this column.
    Generated,
    /// Commands that solve the puzzles write these columns.
    Solution,
    /// Commands that grade the puzzles write these columns.
    Grade,
    /// Commands that grade the puzzles write these columns if `--with` names `waves`.
    Waves,
    /// Commands that grade the puzzles write these columns if `--uniqueness` is set.
    Uniqueness,
    /// `augment` writes these columns: the puzzle that the row is a copy of.
    Copy,
    /// `trace` writes this column: the steps of the solution.
    Trace,
    /// `trace --format chat` writes this column: the steps as chat messages.
    Chat,
    /// `trace --format steps-npy` writes this column: the placements as numbers.
    StepArray,
    /// Columns that are written only if `--with` names them.
    Request,
    /// Columns that are written only if `--with` names them, by commands that grade the puzzles.
    GradeRequest,
    /// Columns with ratings of Sudoku Explainer, which are written only if `--with` names `se`.
    Rating,
    /// Columns with ratings of HoDoKu, which are written only if `--with` names `hodoku`.
    Hodoku,
    /// Columns with the depth of trial and error, which are written only if `--with` names `te`.
    Trial,
    /// `evaluate` writes these columns: the prediction and the verdict.
    Judged,
    /// `evaluate --extract` writes these columns: how the answer was found in a text.
    JudgedAnswer,
    /// `evaluate --steps` writes these columns: the verdicts on the moves of the prediction.
    JudgedSteps,
    /// `evaluate --steps --moves` writes this column: the list of the moves.
    JudgedMoves,
    /// `evaluate --against` writes this column: the verdict on the prediction of the second model.
    JudgedAgainst,
}
