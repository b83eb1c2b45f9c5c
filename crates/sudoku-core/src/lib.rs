//! Works on Sudoku puzzles in memory, one or a batch at a time: parses, solves, counts solutions, grades
//! by the hardest technique needed, explains and generates them, and computes their min-lex form.
//!
//! Most programs need four types: a [`Puzzle`] is parsed from text, a [`Solution`] has the number of
//! its solutions and the first one, a [`Grade`] names the hardest technique that is needed to solve it
//! by hand, and a [`Ladder`] is the list of techniques from which grades are computed.
//!
//! ```
//! use sudoku_core::{Kernel, Ladder, Limits, Puzzle};
//!
//! let puzzles: Vec<Puzzle> = vec![
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?,
//! ];
//! let graded = Ladder::default().grade_all(Kernel::fastest(), &puzzles, Limits::default());
//! let grade = graded[0].grade.as_ref().expect("one solution");
//! assert_eq!(grade.rank.id(), "naked_single");
//! assert_eq!(grade.level().id(), "easy");
//! # Ok::<(), sudoku_core::ParseError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | parse and check a puzzle | [`str::parse`] to a [`Puzzle`]; the error is a [`ParseError`] |
//! | solve, count solutions | [`solve_all`] |
//! | grade | [`Ladder::grade_all`] |
//! | rate as Sudoku Explainer does | [`rating::Rater`] |
//! | explain a puzzle or a technique, step by step | [`Explanation`] |
//! | generate | [`Generator`] |
//! | tell whether two puzzles are isomorphic | [`canonical`] |
//! | solve a grid of another size than 9 × 9 | [`sizes::solve_sized`] |
//! | judge a grid that is given as a solution | [`judge::judge`] |
//! | judge a sequence of moves | [`judge::StepJudge`], [`judge::read_steps`] |
//! | find the steps on any board | [`grade::Position`], [`grade::Technique::find_all`] |
//!
//! A [`Kernel`] is the instruction set with which batches of puzzles are solved. [`Kernel::fastest`] is
//! the best one of this machine, and results do not depend on it. [`Limits`] end a search. By default it
//! ends at two solutions, which is enough to know whether a puzzle has exactly one.
//!
//! A grade is a property of the puzzle: the same for all isomorphs, for every kernel and for any
//! number of threads. No function prints, reads a file or starts a thread.

// Modules in order of dependency: each uses only the modules listed before it.

mod ids;

mod vectors;

pub mod random;

mod bit_rows;

pub mod board;

pub mod text;

pub mod solve;

pub mod grade;

pub mod rating;

pub mod generate;

pub mod sizes;

pub mod explain;

pub mod judge;

pub use board::{Digit, Grid, canonical};
pub use explain::Explanation;
pub use generate::Generator;
pub use grade::{Grade, Ladder, Level, Rank};
pub use solve::{Kernel, Limits, Solution, Status, solve_all};
pub use text::{ParseError, Puzzle};
