//! The explanation of a puzzle, a position, a technique or a rating.

use super::error::ExplainError;
use super::html;
use super::library::LibraryPosition;
use super::manual::Manual;
use super::rated::RatedWalk;
use super::text::{TextOptions, TextWriter};
use super::walk::{SizedWalk, Walk};
use crate::board::Grid;
use crate::rating;
use crate::sizes::{Alphabets, AnyPuzzle, parse_any, solve_sized};
use crate::solve::{Kernel, Limits, Solution, Status, solve_all};
use crate::text::{LibraryLine, Puzzle};

/// The explanation of a puzzle, a position, a technique or a rating.
///
/// ```
/// use sudoku_core::Explanation;
/// use sudoku_core::explain::TextOptions;
///
/// let puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let explanation = Explanation::from_text(puzzle)?;
/// let text = explanation.text(TextOptions { brief: true, ..TextOptions::default() });
/// assert!(text.contains("Naked single"));
/// assert!(explanation.html().contains("<svg"));
///
/// // The fields can be used for other outputs.
/// if let Explanation::Puzzle(walk) = explanation {
///     let first = &walk.waves[0];
///     assert_eq!(first.technique.id, "naked_single");
///     assert_eq!(first.steps[0].effect.to_string(), "r8c8=3");
/// }
///
/// let manual = Explanation::of_technique("x_wing").expect("its id");
/// assert!(manual.text(TextOptions::default()).contains("Why it is sound"));
/// # Ok::<(), sudoku_core::explain::ExplainError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Explanation {
    /// The solution path of a puzzle: a list of waves. A wave is all steps that one technique finds on a board.
    Puzzle(Box<Walk>),
    /// The solution path of a puzzle of a size other than 9 × 9.
    Sized(Box<SizedWalk>),
    /// A position from HoDoKu's library of test cases, and the steps that are found in it.
    Position(Box<LibraryPosition>),
    /// The manual page of a technique.
    Technique(Box<Manual>),
    /// The rating of a puzzle, step by step.
    Rating(Box<RatedWalk>),
}

impl Explanation {
    /// Explains a puzzle of any size and in any [notation](crate::text::notation), or a line of HoDoKu's library.
    ///
    /// # Errors
    /// [`ExplainError`]: the text is none of these, or the puzzle does not have exactly one solution.
    pub fn from_text(text: &[u8]) -> Result<Explanation, ExplainError> {
        if text.trim_ascii_start().starts_with(b":") {
            let line = String::from_utf8_lossy(text.trim_ascii());
            let line = LibraryLine::parse(&line).map_err(ExplainError::NotALibraryLine)?;
            let position = LibraryPosition::new(line)?;
            return Ok(Explanation::Position(Box::new(position)));
        }
        let mut alphabets = Alphabets::default();
        alphabets.learn(text.trim_ascii());
        match parse_any(text, None, &alphabets).map_err(ExplainError::NotAPuzzle)? {
            AnyPuzzle::Sized(puzzle) => {
                let puzzle = puzzle.clues;
                let solution = require_unique_solution(solve_sized(&puzzle, Limits::default()))?;
                let walk = Walk::sized(puzzle, solution);
                Ok(Explanation::Sized(Box::new(walk)))
            }
            AnyPuzzle::Nine(puzzle) => {
                let solution = only_solution(&puzzle)?;
                let walk = Walk::new(puzzle, solution);
                Ok(Explanation::Puzzle(Box::new(walk)))
            }
        }
    }

    /// Explains Sudoku Explainer's rating of a puzzle. The rating ends early if it reaches one of the limits.
    ///
    /// ```
    /// use sudoku_core::Explanation;
    /// use sudoku_core::explain::TextOptions;
    /// use sudoku_core::rating::RatingLimits;
    ///
    /// let puzzle = b"4.258...38.19....57.....6..3..1......2.....5......2..6..8.....92....45.85...193.4";
    /// let explanation = Explanation::from_rating(puzzle, RatingLimits::default())?;
    /// let text = explanation.text(TextOptions { brief: true, ..TextOptions::default() });
    /// assert!(text.contains("ER 7.2"));
    /// # Ok::<(), sudoku_core::explain::ExplainError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExplainError`]: the text is not a puzzle, has pencil marks, or does not have exactly one
    /// solution.
    pub fn from_rating(
        text: &[u8],
        limits: rating::RatingLimits,
    ) -> Result<Explanation, ExplainError> {
        let (puzzle, solution) = parse_rated_puzzle(text)?;
        let walk = RatedWalk::new(puzzle, solution, limits);
        Ok(Explanation::Rating(Box::new(walk)))
    }

    /// Explains HoDoKu's level and score of a puzzle.
    ///
    /// # Errors
    /// [`ExplainError`]: the text is not a puzzle, has pencil marks, or does not have exactly one
    /// solution.
    pub fn from_hodoku(
        text: &[u8],
        version: rating::hodoku::HodokuVersion,
    ) -> Result<Explanation, ExplainError> {
        let (puzzle, solution) = parse_rated_puzzle(text)?;
        let walk = RatedWalk::hodoku(puzzle, solution, version);
        Ok(Explanation::Rating(Box::new(walk)))
    }

    /// The manual page of a technique, by its id; `None` unless [`technique_ids`](super::technique_ids)
    /// has the id.
    pub fn of_technique(id: &str) -> Option<Explanation> {
        Manual::new(id).map(|manual| Explanation::Technique(Box::new(manual)))
    }

    /// The explanation as text for a terminal.
    pub fn text(&self, options: TextOptions) -> String {
        let writer = TextWriter::new(options);
        match self {
            Explanation::Puzzle(walk) => writer.puzzle_text(walk),
            Explanation::Sized(walk) => writer.puzzle_text(walk),
            Explanation::Position(position) => writer.library_text(position),
            Explanation::Technique(manual) => writer.manual_text(manual),
            Explanation::Rating(walk) => writer.rated_text(walk),
        }
    }

    /// The explanation as a self-contained HTML page.
    pub fn html(&self) -> String {
        match self {
            Explanation::Puzzle(walk) => html::puzzle_page(walk),
            Explanation::Sized(walk) => html::puzzle_page(walk),
            Explanation::Position(position) => html::library_page(position),
            Explanation::Technique(manual) => html::manual_page(manual),
            Explanation::Rating(walk) => html::rated_page(walk),
        }
    }
}

/// Parses a puzzle that is to be rated, and finds its only solution.
fn parse_rated_puzzle(text: &[u8]) -> Result<(Puzzle, Grid), ExplainError> {
    let puzzle = parse_any(text, None, &Alphabets::default());
    let AnyPuzzle::Nine(puzzle) = puzzle.map_err(ExplainError::NotAPuzzle)? else {
        return Err(ExplainError::NoRating);
    };
    if puzzle.marks.is_some() {
        return Err(ExplainError::NoRating);
    }
    let solution = only_solution(&puzzle)?;
    Ok((puzzle, solution))
}

fn only_solution(puzzle: &Puzzle) -> Result<Grid, ExplainError> {
    let solution = solve_all(Kernel::fastest(), &[puzzle], Limits::default()).pop();
    solution.map_or(Err(ExplainError::NoSolution), require_unique_solution)
}

/// Returns the solution if there is exactly one, and otherwise an error.
fn require_unique_solution<G>(found: Solution<G>) -> Result<G, ExplainError> {
    match (Status::from_solution(&found), found.first) {
        (Status::Unique, Some(solution)) => Ok(solution),
        (Status::Multiple, _) => Err(ExplainError::SeveralSolutions),
        (Status::GaveUp, _) => Err(ExplainError::GaveUp { nodes: found.nodes }),
        _ => Err(ExplainError::NoSolution),
    }
}
