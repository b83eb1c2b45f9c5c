//! Equivalence classes of puzzles. Puzzles of the same class count as duplicates.

use sudoku_core::board::canonical;
use sudoku_core::sizes::SizedGrid;
use sudoku_core::solve::Status;

use crate::table::class_key::ClassKey;
use crate::table::outcome::{Outcome, Subject};

sudoku_core::enum_with_ids! {
    /// Which puzzles count as the same. `--help` shows the texts of the variants.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
    pub enum ClassBy {
        /// Puzzles with the same cells, in whatever format they were read
        Exact = "exact",
        /// Isomorphs: digits renamed, rows, columns, bands and stacks permuted, or transposed
        #[default]
        Isomorph = "isomorph",
        /// Puzzles with the same solution
        Solution = "solution",
        /// Puzzles whose solutions are isomorphs
        Grid = "grid",
        /// No two rows: the class is the name of the input and the row's number there
        #[value(skip)]
        Row = "row",
    }
}

impl ClassBy {
    /// Whether the class of a puzzle depends on its solution. If so, the puzzle has to be solved to find its class.
    pub const fn needs_solutions(self) -> bool {
        matches!(self, ClassBy::Solution | ClassBy::Grid)
    }

    /// What two rows of one class have in common.
    pub const fn shared_text(self) -> &'static str {
        match self {
            ClassBy::Exact => "the same puzzle",
            ClassBy::Isomorph => "an isomorph of the puzzle",
            ClassBy::Solution => "the same solution",
            ClassBy::Grid => "an isomorph of the solution",
            ClassBy::Row => "the same row",
        }
    }
}

/// For the rows of a batch, their row numbers and the keys of their classes. Both lists have the same order.
#[derive(Clone, Debug, Default)]
pub struct ClassMembers {
    /// The number of each row in its input.
    pub rows: Vec<u64>,
    /// The key of each row's class.
    pub keys: Vec<ClassKey>,
    /// The number of rows whose puzzle has no class of the requested kind, so that their text is used as the class.
    /// Pencil marks and sizes above 9 × 9 have no min-lex form, and a puzzle without exactly one solution has no class
    /// by solution.
    pub by_text: u64,
    /// The number of rows whose puzzle does not have exactly one solution, so that its class is that of its own
    /// isomorphs instead of its solution's isomorphs.
    pub by_isomorph: u64,
}

impl ClassMembers {
    /// Determines the classes of these rows. `source` is the name of their input.
    pub fn from_batch(by: ClassBy, source: &str, outcomes: &[Outcome]) -> ClassMembers {
        let mut class_members = ClassMembers::default();
        for outcome in outcomes {
            let mut class_key = match by {
                ClassBy::Exact => Some(ClassKey::from_text(outcome.text())),
                ClassBy::Isomorph => isomorph(outcome),
                ClassBy::Solution => only_solution(outcome).map(ClassKey::from_text),
                ClassBy::Grid => solution_class(outcome),
                ClassBy::Row => Some(ClassKey::from_text(
                    format!("{}\0{source}", outcome.row).as_bytes(),
                )),
            };
            if by == ClassBy::Grid && class_key.is_none() {
                class_key = isomorph(outcome);
                class_members.by_isomorph += u64::from(class_key.is_some());
            }
            class_members.by_text += u64::from(class_key.is_none());
            // Puzzles above 9 × 9 can have a solution, but they have no min-lex form.
            let text = || match by {
                ClassBy::Grid => only_solution(outcome).unwrap_or(outcome.text()),
                _ => outcome.text(),
            };
            class_members.rows.push(outcome.row);
            class_members
                .keys
                .push(class_key.unwrap_or_else(|| ClassKey::from_text(text())));
        }
        class_members
    }
}

/// The class that a puzzle shares with all its isomorphs; `None` for pencil marks and for sizes above 9 × 9.
pub fn isomorph(outcome: &Outcome) -> Option<ClassKey> {
    match &outcome.puzzle {
        Subject::Nine(puzzle) if puzzle.marks.is_some() => None,
        Subject::Nine(puzzle) => Some(ClassKey::from_text(
            canonical(&puzzle.clues).form.as_bytes(),
        )),
        Subject::Sized(puzzle) => form_class(&puzzle.clues),
    }
}

/// The class that a puzzle shares with all puzzles whose solution is an isomorph of its own solution. `None` for sizes
/// above 9 × 9, and if the puzzle does not have exactly one solution.
fn solution_class(outcome: &Outcome) -> Option<ClassKey> {
    only_solution(outcome)?;
    match &outcome.puzzle {
        Subject::Nine(_) => {
            let solution = outcome.solution.as_ref()?.first.as_ref()?;
            Some(ClassKey::from_text(canonical(solution).form.as_bytes()))
        }
        Subject::Sized(puzzle) => form_class(puzzle.solution.as_ref()?.first.as_ref()?),
    }
}

/// The class of a grid that is not 9 × 9; `None` if the grid has no min-lex form.
fn form_class(grid: &SizedGrid) -> Option<ClassKey> {
    Some(ClassKey::from_text(
        grid.canonical()?.form.as_str().as_bytes(),
    ))
}

/// The text of the puzzle's only solution; `None` if it does not have exactly one.
fn only_solution(outcome: &Outcome) -> Option<&[u8]> {
    let is_unique = outcome.status() == Some(Status::Unique);
    outcome.solution_text().filter(|_| is_unique)
}
