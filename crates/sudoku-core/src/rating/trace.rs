//! The steps of a Sudoku Explainer rating, for explanations.

use super::board::Board;
use super::budget::Budget;
use super::chains;
use super::rate::Rater;
use super::values::ChainNode;
use super::values::{Rating, RatingLimits, RatingOutcome};
use crate::board::{CandidateSet, Candidates, Cell, Digit};

/// The rating of a puzzle, with all its steps.
#[derive(Clone, Debug)]
pub struct RatingTrace {
    /// The steps in the order in which they were applied.
    pub steps: Vec<RatingStep>,
    /// The board after the last step. It is solved if and only if the puzzle was rated.
    pub end: Candidates,
    /// The ratings of the puzzle, or the reason why there are none.
    pub outcome: RatingOutcome,
}

/// A step of a rating: the hint that was found and applied to the board.
#[derive(Clone, Debug)]
pub struct RatingStep {
    /// The board before the step.
    pub board: Candidates,
    /// The name of the technique in Sudoku Explainer.
    pub technique: &'static str,
    /// Sudoku Explainer's rating of this step.
    pub rating: Rating,
    /// The digit that the step places, with its cell; `None` if it only removes candidates.
    pub placed: Option<(Cell, Digit)>,
    /// The candidates that the step removes.
    pub removed: CandidateSet,
    /// The number of nodes in the chains of the step, including nested chains; 0 if it has no chains.
    pub length: u32,
    /// The chains of the step, one for each assumption. A chain begins with its assumption, and every node comes after
    /// the nodes that it follows from. Nested chains are left out.
    pub chains: Vec<Vec<ChainNode>>,
}

impl Rater {
    /// Rates a puzzle like [`Rater::rate`], and also returns all steps.
    ///
    /// ```
    /// use sudoku_core::Puzzle;
    /// use sudoku_core::rating::{RatingLimits, Rater};
    ///
    /// let puzzle: Puzzle =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let trace = Rater::new().trace(&puzzle.board(), RatingLimits::default());
    /// assert_eq!(trace.steps.len(), 51);
    /// assert_eq!(trace.steps[0].technique, "Hidden single in a box");
    /// assert_eq!(trace.steps[0].rating.to_string(), "1.2");
    /// assert!(trace.end.is_solved());
    /// # Ok::<(), sudoku_core::text::ParseError>(())
    /// ```
    pub fn trace(&mut self, start: &Candidates, limits: RatingLimits) -> RatingTrace {
        let mut steps = Vec::new();
        let mut last_board = start.clone();
        let mut memory = chains::ChainMemory::default();
        let mut budget = Budget::new(u64::MAX);
        let outcome = self.walk(start, limits, |board, hint| {
            steps.push(RatingStep {
                board: board.clone(),
                technique: hint.technique,
                rating: Rating::rounded(hint.rating),
                placed: hint.placed,
                removed: hint.removed,
                length: hint.length,
                chains: chains::chains_of(&Board::new(board), hint, &mut memory, &mut budget),
            });
            hint.apply(&mut last_board);
        });
        RatingTrace {
            steps,
            end: last_board,
            outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;
    use crate::rating::ChainCause;
    use crate::rating::tests::puzzles_rated;

    /// Steps rated up to 9.0 have no nested chains, so their `length` is exactly the number of nodes in their chains.
    #[test]
    fn chains_are_as_long_as_their_step_says_and_end_with_its_effect() {
        let mut rater = Rater::new();
        for puzzle in puzzles_rated(66) {
            let grid: Grid = puzzle.parse().expect("a puzzle");
            let trace = rater.trace(&Candidates::new(&grid), RatingLimits::default());
            let rated = rater.rate(&Candidates::new(&grid), RatingLimits::default());
            assert_eq!(trace.outcome, rated, "{puzzle}");
            for step in trace.steps.iter().filter(|step| step.length > 0) {
                let nodes: usize = step.chains.iter().map(Vec::len).sum();
                let is_cycle = step.technique == "Forcing cycle";
                let counted = nodes - usize::from(is_cycle);
                assert_eq!(counted, step.length as usize, "{puzzle}: {step:?}");
                for chain in &step.chains {
                    let end = chain[chain.len() - 1];
                    assert_eq!(chain[0].cause, ChainCause::Assumed);
                    let open = chain.iter().all(|node| {
                        let places = step.board.open_places(node.digit);
                        places.contains(node.cell)
                    });
                    assert!(open, "{puzzle}: {step:?}");
                    let placed = step.placed == Some((end.cell, end.digit));
                    let removed = step.removed.cells(end.digit).contains(end.cell);
                    let is_effect = if end.is_on { placed } else { removed };
                    // A contradiction has two chains. Both end at the same candidate, which need not be the removed
                    // one.
                    let contradicts =
                        step.chains.len() == 2 && step.chains[0][0] == step.chains[1][0];
                    assert!(is_effect || is_cycle || contradicts, "{puzzle}: {step:?}");
                }
            }
        }
    }
}
