//! Replaces each row by rows with isomorphs of its puzzle, to make more training data.

use std::collections::HashSet;

use arrow::array::{ArrayRef, UInt32Array};
use arrow::compute::take;
use arrow::error::ArrowError;
use sudoku_core::board::{Digit, DigitSet, Grid, Isomorph, Marks, canonical};
use sudoku_core::random::Rng;
use sudoku_core::sizes::{SizedIsomorph, SizedPuzzle};
use sudoku_core::text::{Given, Puzzle};

use crate::table::class::isomorph;
use crate::table::class_key::ClassKey;
use crate::table::copy_of::{CopyIsomorph, CopyOf};
use crate::table::outcome::{Outcome, Subject};

/// The options for replacing rows by rows with isomorphs of their puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The number of copies of each puzzle. A symmetric puzzle can have fewer copies, because it has fewer different
    /// isomorphs.
    pub count: u32,
    /// The seed of the random numbers that choose the copies.
    pub seed: u64,
    /// Whether the original row is written before its copies.
    pub with_original: bool,
}

/// The numbers of rows that do not have all copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortfall {
    /// The number of rows with fewer copies than requested.
    pub fewer: u64,
    /// The number of these rows that have no copies because isomorphs of their size are not supported.
    pub unsupported: u64,
}

/// The approximate maximum number of rows of a batch after copying. Batches that would become larger are divided
/// before.
pub(crate) const MOST_ROWS_PER_BATCH: usize = 4096;

/// For a puzzle with pencil marks, the number of random isomorphs that are tried per copy. The number of its different
/// isomorphs is not known, and may be less than the number of copies. For other puzzles, it is computed.
const ATTEMPTS_PER_COPY: u64 = 20;

impl Copies {
    /// The number of input rows that are replaced by their copies at a time.
    pub(crate) fn input_rows_at_a_time(self) -> usize {
        let rows = self.count as usize + usize::from(self.with_original);
        (MOST_ROWS_PER_BATCH / rows.max(1)).max(1)
    }

    /// Replaces each row by copies of its puzzle, and repeats its carried columns. A row with a puzzle of a size for which
    /// isomorphs are not supported stays as it is.
    pub(crate) fn replace_by_copies(
        self,
        outcomes: &mut Vec<Outcome>,
        carried_columns: &mut [ArrayRef],
    ) -> Result<Shortfall, ArrowError> {
        let mut source_rows = Vec::new();
        let mut copies = Vec::new();
        let mut shortfall = Shortfall::default();
        for (row, outcome) in outcomes.iter().enumerate() {
            let count_before = copies.len();
            let is_supported = is_size_supported(outcome);
            if self.with_original || !is_supported {
                copies.push(as_copy_zero(outcome));
            }
            let first_copy = copies.len();
            self.push_copies(outcome, &mut copies);
            shortfall.fewer += u64::from(copies.len() - first_copy < self.count as usize);
            shortfall.unsupported += u64::from(!is_supported);
            source_rows.extend(std::iter::repeat_n(row as u32, copies.len() - count_before));
        }
        let source_indices = UInt32Array::from(source_rows);
        for column in carried_columns {
            *column = take(column, &source_indices, None)?;
        }
        *outcomes = copies;
        Ok(shortfall)
    }

    /// Appends the copies of a puzzle. They depend on the puzzle and the seed, but not on the row number.
    fn push_copies(self, outcome: &Outcome, copies: &mut Vec<Outcome>) {
        let text_key = ClassKey::from_text(outcome.text());
        let mut rng = Rng::for_item(self.seed, text_key.0[0] ^ text_key.0[1]);
        let isomorph_count = match &outcome.puzzle {
            Subject::Nine(puzzle) => puzzle
                .marks
                .is_none()
                .then(|| isomorph_count(&puzzle.clues)),
            Subject::Sized(puzzle) => match puzzle.clues.isomorph_count() {
                // This program cannot make isomorphs of this size.
                None => return,
                count => count,
            },
        };
        let count = u64::from(self.count);
        let wanted_copies = isomorph_count.map_or(count, |known| count.min(known - 1));
        let mut attempts = isomorph_count.map_or(ATTEMPTS_PER_COPY * wanted_copies, |_| u64::MAX);
        let group = copies_group(outcome);
        let mut seen_texts = HashSet::new();
        seen_texts.insert(outcome.text().to_vec());
        let mut number = 0;
        while u64::from(number) < wanted_copies && attempts > 0 {
            attempts -= 1;
            let Some((puzzle, isomorph)) = random_isomorph(&outcome.puzzle, &mut rng) else {
                return;
            };
            let mut copy = Outcome::new(outcome.row, puzzle);
            if !seen_texts.insert(copy.text().to_vec()) {
                continue;
            }
            number += 1;
            copy.copy_of = Some(Box::new(CopyOf {
                group,
                number,
                isomorph,
            }));
            copies.push(copy);
        }
    }
}

/// A random isomorph of a puzzle and its given solution; `None` for a size for which isomorphs are not
/// supported.
fn random_isomorph(puzzle: &Subject, rng: &mut Rng) -> Option<(Subject, CopyIsomorph)> {
    match puzzle {
        Subject::Nine(puzzle) => {
            let isomorph = Isomorph::random(rng);
            let puzzle = Subject::Nine(apply_isomorph(puzzle, &isomorph));
            Some((puzzle, CopyIsomorph::Nine(isomorph)))
        }
        Subject::Sized(puzzle) => {
            let isomorph = SizedIsomorph::random(puzzle.clues.size(), rng)?;
            let rewritten = SizedPuzzle {
                clues: isomorph.apply(&puzzle.clues)?,
                given: match &puzzle.given {
                    Given::Absent => Given::Absent,
                    // A given solution that is not a grid of the puzzle's size stays as it is.
                    Given::Malformed => Given::Malformed,
                    Given::Grid(grid) => isomorph.apply(grid).map_or(Given::Malformed, Given::Grid),
                },
                solution: None,
            };
            let puzzle = Subject::Sized(Box::new(rewritten));
            Some((puzzle, CopyIsomorph::Sized(isomorph)))
        }
    }
}

/// The key of the class that a puzzle shares with all its copies.
fn copies_group(outcome: &Outcome) -> ClassKey {
    isomorph(outcome).unwrap_or_else(|| ClassKey::from_text(outcome.text()))
}

/// Whether isomorphs of puzzles of this size are supported.
fn is_size_supported(outcome: &Outcome) -> bool {
    match &outcome.puzzle {
        Subject::Nine(_) => true,
        Subject::Sized(puzzle) => SizedIsomorph::identity(puzzle.clues.size()).is_some(),
    }
}

/// The original row, marked as copy number 0. If isomorphs of its size are not supported, the row has no number.
fn as_copy_zero(outcome: &Outcome) -> Outcome {
    let isomorph = match &outcome.puzzle {
        Subject::Nine(_) => Some(CopyIsomorph::Nine(Isomorph::identity())),
        Subject::Sized(puzzle) => {
            SizedIsomorph::identity(puzzle.clues.size()).map(CopyIsomorph::Sized)
        }
    };
    let copy_of = isomorph.map(|isomorph| {
        Box::new(CopyOf {
            group: copies_group(outcome),
            number: 0,
            isomorph,
        })
    });
    Outcome {
        copy_of,
        ..outcome.clone()
    }
}

/// Makes a copy of a puzzle and its given solution by applying an isomorphism.
fn apply_isomorph(puzzle: &Puzzle, isomorph: &Isomorph) -> Puzzle {
    let marks = puzzle.marks.as_deref();
    Puzzle {
        clues: isomorph.apply(&puzzle.clues),
        marks: marks.map(|marks: &Marks| Box::new(isomorph.apply_to_marks(marks))),
        given: match &puzzle.given {
            Given::Absent => Given::Absent,
            Given::Malformed => Given::Malformed,
            Given::Grid(grid) => Given::Grid(isomorph.apply(grid)),
        },
    }
}

/// The number of different isomorphs of a grid, including the grid itself.
fn isomorph_count(clues: &Grid) -> u64 {
    const REARRANGEMENTS: u64 = 2 * 6_u64.pow(8);
    const RELABELLINGS: u64 = 362_880;
    let used_digits: DigitSet = clues.clues().map(|(_, digit)| digit).collect();
    let unused_count = (Digit::ALL.len() - used_digits.len()) as u64;
    // Exchanging two digits that do not occur in the grid has no effect.
    let unused_orders: u64 = (1..=unused_count).product();
    let automorphisms = u64::from(canonical(clues).automorphisms);
    REARRANGEMENTS / automorphisms * (RELABELLINGS / unused_orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_has_as_many_isomorphs_as_its_symmetry_leaves() {
        assert_eq!(isomorph_count(&Grid::EMPTY), 1);
        // A grid with one clue has 81 × 9 isomorphs: any digit in any cell.
        let mut single_clue = Grid::EMPTY;
        single_clue.set(sudoku_core::board::Cell::new(40), Digit::from_value(7));
        assert_eq!(isomorph_count(&single_clue), 81 * 9);
        let copies = Copies {
            count: 1000,
            seed: 3,
            with_original: false,
        };
        let puzzle: Puzzle = single_clue.as_str().parse().unwrap();
        let mut outcomes = vec![Outcome::new(0, Subject::Nine(puzzle))];
        let shortfall = copies.replace_by_copies(&mut outcomes, &mut []).unwrap();
        assert_eq!(
            (shortfall.fewer, shortfall.unsupported, outcomes.len()),
            (1, 0, 81 * 9 - 1)
        );
    }
}
