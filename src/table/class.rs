//! The class of a puzzle: what it has in common with those that count as the same.

use sudoku_core::board::canonical;
use sudoku_core::solve::Status;

use crate::table::class_key::ClassKey;
use crate::table::outcome::Outcome;

/// Which puzzles count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ClassBy {
    /// Those with the same cells, however they were written down
    Exact,
    /// Isomorphs: the digits renamed, rows, columns, bands and stacks permuted, transposed
    #[default]
    Isomorph,
    /// Those with the same solution
    Solution,
    /// None: each row by itself, by the name of its input and its number there
    #[value(skip)]
    Row,
}

impl ClassBy {
    /// The name, as the command line takes it.
    pub const fn id(self) -> &'static str {
        match self {
            ClassBy::Exact => "exact",
            ClassBy::Isomorph => "isomorph",
            ClassBy::Solution => "solution",
            ClassBy::Row => "row",
        }
    }
}

/// The rows of a batch and their classes, in order.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// The number of each row in its source.
    pub rows: Vec<u64>,
    /// Their classes.
    pub keys: Vec<ClassKey>,
    /// How many are classed by their text, because there is nothing else to class them by: pencil marks and
    /// other sizes than 9 × 9 have no min-lex form here, and a puzzle without exactly one solution has no
    /// solution to share.
    pub by_text: u64,
}

impl Members {
    /// The classes of these rows of an input.
    pub fn of(by: ClassBy, source: &str, outcomes: &[Outcome]) -> Members {
        let mut members = Members::default();
        for outcome in outcomes {
            let key = match by {
                ClassBy::Exact => Some(ClassKey::of(outcome.text())),
                ClassBy::Isomorph => isomorph(outcome),
                ClassBy::Solution => solution(outcome),
                ClassBy::Row => Some(ClassKey::of(
                    format!("{}\0{source}", outcome.row).as_bytes(),
                )),
            };
            members.by_text += u64::from(key.is_none());
            members.rows.push(outcome.row);
            members
                .keys
                .push(key.unwrap_or_else(|| ClassKey::of(outcome.text())));
        }
        members
    }
}

/// The class of all isomorphs of a puzzle.
pub fn isomorph(outcome: &Outcome) -> Option<ClassKey> {
    let puzzle = outcome.nine().filter(|puzzle| puzzle.marks.is_none())?;
    Some(ClassKey::of(canonical(&puzzle.clues).form.as_bytes()))
}

fn solution(outcome: &Outcome) -> Option<ClassKey> {
    let is_unique = outcome.status() == Some(Status::Unique);
    let text = outcome.solution_text().filter(|_| is_unique)?;
    Some(ClassKey::of(text))
}
