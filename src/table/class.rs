//! Equivalence classes of puzzles: puzzles of one class count as the same puzzle.

use sudoku_core::board::canonical;
use sudoku_core::solve::Status;

use crate::table::class_key::ClassKey;
use crate::table::outcome::Outcome;

/// Which puzzles count as the same. The texts of the variants are shown by `--help`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ClassBy {
    /// Puzzles with the same cells, in whatever format they were read
    Exact,
    /// Isomorphs: digits renamed, rows, columns, bands and stacks permuted, or transposed
    #[default]
    Isomorph,
    /// Puzzles with the same solution
    Solution,
    /// No two rows: the class is the name of the input and the row's number there
    #[value(skip)]
    Row,
}

impl ClassBy {
    /// The name on the command line.
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
pub struct ClassMembers {
    /// The number of each row in its source.
    pub rows: Vec<u64>,
    /// The class of each row.
    pub keys: Vec<ClassKey>,
    /// How many rows have the class of their text, because they have no other one. Pencil marks and sizes
    /// other than 9 × 9 have no min-lex form. A puzzle without exactly one solution has no class by
    /// solution.
    pub by_text: u64,
}

impl ClassMembers {
    /// The classes of these rows of an input.
    pub fn of(by: ClassBy, source: &str, outcomes: &[Outcome]) -> ClassMembers {
        let mut members = ClassMembers::default();
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

/// The class that all isomorphs of the puzzle have; `None` for pencil marks and sizes other than 9 × 9.
pub fn isomorph(outcome: &Outcome) -> Option<ClassKey> {
    let puzzle = outcome.nine().filter(|puzzle| puzzle.marks.is_none())?;
    Some(ClassKey::of(canonical(&puzzle.clues).form.as_bytes()))
}

fn solution(outcome: &Outcome) -> Option<ClassKey> {
    let is_unique = outcome.status() == Some(Status::Unique);
    let text = outcome.solution_text().filter(|_| is_unique)?;
    Some(ClassKey::of(text))
}
