//! The settings for generating a series of puzzles.

use super::symmetry::Symmetry;
use super::target::GradeTarget;

/// A series of random puzzles. By default each has exactly one solution.
///
/// ```
/// use sudoku_core::generate::GradeTarget;
/// use sudoku_core::{Generator, Ladder, Level};
///
/// let generator = Generator {
///     seed: 1,
///     target: GradeTarget::Level(Level::Easy),
///     clues: None,
///     max_attempts: 100,
///     ..Generator::any(1)
/// };
/// let generated = generator.puzzle(0).expect("an easy puzzle in 100 attempts");
/// assert!(generated.solution.extends(&generated.puzzle));
/// assert_eq!(Ladder::default().grade(&generated.puzzle).level(), Level::Easy);
/// // The same seed gives the same series.
/// assert_eq!(generator.puzzle(0), Some(generated));
/// ```
#[derive(Clone)]
pub struct Generator {
    /// The seed of the random numbers: the same seed gives the same series.
    pub seed: u64,
    /// The grade or rating that puzzles must have.
    pub target: GradeTarget,
    /// The number of clues that puzzles must have; `None` removes every redundant clue.
    pub clues: Option<usize>,
    /// The symmetry of the clues. Clues in symmetric cells are removed together.
    pub symmetry: Symmetry,
    /// Whether puzzles must be minimal: removing any clue creates a second solution. If `clues` is `None`
    /// and there is neither a target nor a symmetry, all puzzles are minimal anyway.
    pub minimal: bool,
    /// The number of solutions that puzzles must have. Only puzzles with one solution have a grade.
    pub solutions: u32,
    /// The most attempts for each puzzle. An attempt starts from a full grid, or tries to fill a pattern.
    pub max_attempts: u32,
}

impl Generator {
    /// A series of minimal puzzles of any grade.
    pub const fn any(seed: u64) -> Generator {
        Generator {
            seed,
            target: GradeTarget::Any,
            clues: None,
            symmetry: Symmetry::None,
            minimal: false,
            solutions: 1,
            max_attempts: 1,
        }
    }
}
