//! The processing steps of a run.

use std::sync::Arc;

use sudoku_core::grade::Ladder;
use sudoku_core::rating;
use sudoku_core::solve::{Limits, Method};

use crate::counts::tables::TablePlan;
use crate::job::evaluate::Judging;
use crate::job::threads::rating::KnownRatings;
use crate::read::SelectedRecords;
use crate::table::class::ClassBy;
use crate::table::copies::Copies;

/// The processing steps for each record. A step that is `None` or false is skipped.
#[derive(Clone, Default)]
pub struct Stages {
    /// Counts the solutions of each puzzle, within these limits.
    pub solve: Option<Limits>,
    /// The solver for puzzles that are not graded. For sizes other than 9 × 9, it is exact cover for
    /// [`Method::Dlx`], and backtracking for all other methods.
    pub method: Method,
    /// Grades puzzles with exactly one solution, with the techniques of this ladder, in its order.
    pub grade: Option<Ladder>,
    /// Also grades puzzles with exactly one solution with this list of techniques, some of which assume that a puzzle
    /// has only one.
    pub with_uniqueness: Option<Ladder>,
    /// The limits of Sudoku Explainer ratings. They are computed if puzzles are solved, and the table has
    /// columns with ratings.
    pub rating: rating::RatingLimits,
    /// Ratings that the input has already computed within the limits of `rating`, such as the ratings of generated
    /// puzzles.
    pub known_ratings: KnownRatings,
    /// The version of HoDoKu whose ratings are computed, if the table has columns with them.
    pub hodoku: rating::hodoku::HodokuVersion,
    /// Whether [`Statistics`](crate::counts::statistics::Statistics) of the rows are collected.
    pub statistics: bool,
    /// Counts the values of the columns of input tables, as this plan describes; `None` to count nothing.
    pub tables: Option<Arc<TablePlan>>,
    /// Reports each record that is not a puzzle with exactly one solution, or whose given solution is wrong.
    pub validate: bool,
    /// Whether wrong given solutions are replaced by the puzzle's only solution.
    pub fix_solutions: bool,
    /// The number of cells of the solution that are added to each puzzle as clues; `None` to add none.
    pub hints: Option<usize>,
    /// The kinds of classes (such as isomorphs) that are determined for every row.
    pub classes: Vec<ClassBy>,
    /// Replaces each row by isomorphs of its puzzle; `None` to keep the rows.
    pub copies: Option<Copies>,
    /// Compares the predictions of a model with the solutions of the rows; `None` if there are no predictions.
    pub judging: Option<Judging>,
    /// The maximum number of rows that are processed at a time. It is set if rows are so large that a whole
    /// batch would exceed its planned memory. `None` for no limit.
    pub most_rows: Option<usize>,
}

impl Stages {
    /// The maximum number of rows of a batch that are processed at a time; `None` for no limit.
    pub(crate) fn rows_at_a_time(&self) -> Option<usize> {
        let rows = [
            self.copies.map(Copies::input_rows_at_a_time),
            self.most_rows,
        ];
        rows.into_iter().flatten().min()
    }

    /// Divides the selected records of a batch into smaller selections, if the rows of the whole batch could be too large
    /// for memory. `rows` is the number of all records of the batch.
    pub(crate) fn divide(&self, selected: SelectedRecords, rows: usize) -> Vec<SelectedRecords> {
        let Some(most) = self.rows_at_a_time() else {
            return vec![selected];
        };
        let indices: Vec<usize> = (0..rows).filter(|row| selected.has(*row)).collect();
        let parts = indices.chunks(most.max(1)).map(|part| {
            let mut part_rows = vec![false; rows];
            part.iter().for_each(|row| part_rows[*row] = true);
            SelectedRecords::Some(part_rows)
        });
        parts.collect()
    }
}
