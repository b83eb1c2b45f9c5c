//! Isomorphs of a row beside it or in its place: for training on more puzzles than there are.

use std::collections::HashSet;

use arrow::array::{ArrayRef, UInt32Array};
use arrow::compute::take;
use sudoku_core::board::{Digit, DigitSet, Grid, Isomorph, Marks, canonical};
use sudoku_core::random::Rng;
use sudoku_core::text::{Given, Puzzle};

use crate::error::Error;
use crate::table::class::isomorph;
use crate::table::class_key::ClassKey;
use crate::table::copy_of::CopyOf;
use crate::table::outcome::{Outcome, Subject};

/// How many isomorphs each row becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copies {
    /// So many, where the puzzle has so many beside itself.
    pub count: u32,
    /// Another seed is other copies.
    pub seed: u64,
}

/// Rows that are made of one batch, about so many: it is divided where there would be more.
pub(crate) const BATCH: usize = 4096;

/// How often a new isomorph is looked for, for each one that is wanted. What a puzzle with clues alone has is
/// known; of pencil marks, symmetry may leave fewer than are wanted.
const ATTEMPTS: u64 = 20;

impl Copies {
    /// How many rows of a batch are worked on at a time.
    pub(crate) fn rows(self) -> usize {
        (BATCH / self.count.max(1) as usize).max(1)
    }

    /// Puts the copies of each row in its place, in order, with its carried columns. Returns how many rows
    /// have fewer copies than wanted.
    pub(crate) fn expand(
        self,
        outcomes: &mut Vec<Outcome>,
        carried: &mut [ArrayRef],
    ) -> Result<u64, Error> {
        let mut from = Vec::new();
        let mut copies = Vec::new();
        let mut short = 0;
        for (row, outcome) in outcomes.iter().enumerate() {
            let before = copies.len();
            if let Some(puzzle) = outcome.nine() {
                self.of(outcome, puzzle, &mut copies);
            }
            let made = copies.len() - before;
            short += u64::from(made < self.count as usize);
            from.extend(std::iter::repeat_n(row as u32, made));
        }
        let from = UInt32Array::from(from);
        for column in carried {
            *column = take(column, &from, None)?;
        }
        *outcomes = copies;
        Ok(short)
    }

    /// Adds the copies of a puzzle: the same for the same puzzle, wherever it stands.
    fn of(self, outcome: &Outcome, puzzle: &Puzzle, copies: &mut Vec<Outcome>) {
        let text = ClassKey::of(outcome.text());
        let group = isomorph(outcome).unwrap_or(text);
        let mut rng = Rng::for_item(self.seed, text.0[0] ^ text.0[1]);
        let wanted = match &puzzle.marks {
            None => u64::from(self.count).min(isomorphs(&puzzle.clues) - 1),
            Some(_) => u64::from(self.count),
        };
        let mut seen = HashSet::new();
        seen.insert(outcome.text().to_vec());
        let mut attempts = match &puzzle.marks {
            None => u64::MAX,
            Some(_) => ATTEMPTS * wanted,
        };
        let mut number = 0;
        while u64::from(number) < wanted && attempts > 0 {
            attempts -= 1;
            let isomorph = Isomorph::random(&mut rng);
            let mut copy = Outcome::new(outcome.row, Subject::Nine(rewritten(puzzle, &isomorph)));
            if !seen.insert(copy.text().to_vec()) {
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

/// The puzzle, and the solution that came with it.
fn rewritten(puzzle: &Puzzle, isomorph: &Isomorph) -> Puzzle {
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

/// How many different isomorphs a grid has, itself among them.
fn isomorphs(clues: &Grid) -> u64 {
    const REARRANGEMENTS: u64 = 2 * 6_u64.pow(8);
    const RELABELLINGS: u64 = 362_880;
    let used: DigitSet = clues.clues().map(|(_, digit)| digit).collect();
    let unused = (Digit::ALL.len() - used.len()) as u64;
    // Digits that are not there can be renamed without any effect.
    let unused_orders: u64 = (1..=unused).product();
    let automorphisms = u64::from(canonical(clues).automorphisms);
    REARRANGEMENTS / automorphisms * (RELABELLINGS / unused_orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_has_as_many_isomorphs_as_its_symmetry_leaves() {
        assert_eq!(isomorphs(&Grid::EMPTY), 1);
        // One clue: any cell, any digit.
        let mut one = Grid::EMPTY;
        one.set(sudoku_core::board::Cell::new(40), Digit::from_value(7));
        assert_eq!(isomorphs(&one), 81 * 9);
        let copies = Copies {
            count: 1000,
            seed: 3,
        };
        let puzzle: Puzzle = one.as_str().parse().unwrap();
        let mut outcomes = vec![Outcome::new(0, Subject::Nine(puzzle))];
        let short = copies.expand(&mut outcomes, &mut []).unwrap();
        assert_eq!((short, outcomes.len()), (1, 81 * 9 - 1));
    }
}
