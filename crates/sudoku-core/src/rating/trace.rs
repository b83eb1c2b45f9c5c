//! The steps of a rating, for explanations.

use super::rate::Rater;
use super::value::{Limits, Outcome, Value};
use crate::board::{CandidateSet, Candidates, Cell, Digit};

/// The way on which a puzzle was rated.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps, first to last.
    pub steps: Vec<TraceStep>,
    /// The board that they leave: solved where the puzzle was rated.
    pub end: Candidates,
    /// The ratings, or what ended the way early.
    pub outcome: Outcome,
}

/// One step: the first hint of the first technique that finds anything.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The board before.
    pub board: Candidates,
    /// The technique's name.
    pub technique: &'static str,
    /// The rating of the step.
    pub rating: Value,
    /// The digit that it places.
    pub placed: Option<(Cell, Digit)>,
    /// The candidates that it removes.
    pub removed: CandidateSet,
    /// The number of nodes of its chains, nested ones included; 0 where it has none.
    pub length: u32,
}

impl Rater {
    /// Rates a puzzle as [`Rater::rate`] does, and keeps the steps.
    ///
    /// ```
    /// use sudoku_core::Puzzle;
    /// use sudoku_core::rating::{Limits, Rater};
    ///
    /// let puzzle: Puzzle =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let trace = Rater::new().trace(&puzzle.board(), Limits::default());
    /// assert_eq!(trace.steps.len(), 51);
    /// assert_eq!(trace.steps[0].technique, "Hidden single in a box");
    /// assert_eq!(trace.steps[0].rating.to_string(), "1.2");
    /// assert!(trace.end.is_solved());
    /// # Ok::<(), sudoku_core::text::ParseError>(())
    /// ```
    pub fn trace(&mut self, start: &Candidates, limits: Limits) -> Trace {
        let mut steps = Vec::new();
        let mut end = start.clone();
        let outcome = self.walk(start, limits, |board, hint| {
            steps.push(TraceStep {
                board: board.clone(),
                technique: hint.technique,
                rating: Value::of(hint.rating),
                placed: hint.placed,
                removed: hint.removed,
                length: hint.length,
            });
            hint.apply(&mut end);
        });
        Trace {
            steps,
            end,
            outcome,
        }
    }
}
