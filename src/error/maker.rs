//! Errors about the options of `generate`.

use sudoku_core::grade::Rank;

use crate::nearest::did_you_mean;
use crate::options::{
    CLUES, HODOKU_LEVEL, HODOKU_SCORE, LEVEL, MIX, OptionName, SE, SKIP, TECHNIQUE, listed,
};

/// The id that is none, and a question that names the techniques whose ids are similar.
fn with_similar(id: &str) -> String {
    id.to_owned() + &did_you_mean(id, Rank::all().map(Rank::id))
}

/// No puzzle can be generated with these options.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakerError {
    /// The option names a technique that does not exist.
    #[error("there is no technique {}", with_similar(.0))]
    UnknownTechnique(String),
    /// The program does not support grids with this number of rows.
    #[error("a grid has 4, 6, 9, 12, 16 or 25 rows, not {0}")]
    UnknownSize(usize),
    /// Some options contradict another option.
    #[error("{reason}: leave {}", left_out(options, *other))]
    NotTogether {
        /// The reason why the options contradict each other.
        reason: &'static str,
        /// The options that contradict `other`. Each of them alone is a contradiction.
        options: &'static [OptionName],
        /// The option that `options` contradict.
        other: OptionName,
    },
    /// More than one option sets the wanted grade or rating of the puzzles.
    #[error(
        "{TECHNIQUE}, {LEVEL}, {SE}, {HODOKU_LEVEL} with {HODOKU_SCORE}, and {MIX} say what puzzles are wanted: \
         give one of them"
    )]
    SeveralTargets,
    /// No 9 × 9 puzzle with one solution has this number of clues.
    #[error("a 9 × 9 puzzle with one solution has 17 to 81 clues")]
    ClueCount,
    /// The requested number of clues is larger than the number of cells.
    #[error("the grid has fewer cells than {CLUES}")]
    MoreCluesThanCells,
    /// The grader does not use this technique for puzzles of this size.
    #[error(
        "other sizes than 9 × 9 are graded up to jellyfish: no puzzle of this size needs the technique"
    )]
    NotOfThisSize,
    /// The requested puzzles are beyond the end of the series that a seed generates.
    #[error(
        "{} and {count} puzzles are more than a seed has, which is {}",
        SKIP.set_to(skip),
        u64::MAX
    )]
    SeriesTooLong {
        /// The number of puzzles to skip at the start of the series.
        skip: u64,
        /// The number of puzzles to make.
        count: u64,
    },
}

/// The end of the message "leave …", which says which options to leave out: `a or b out`, or `a, b and c out, or d`.
fn left_out(options: &[OptionName], other: OptionName) -> String {
    match options {
        [option] => format!("{option} or {other} out"),
        options => format!("{} out, or {other}", listed(options, "and")),
    }
}
