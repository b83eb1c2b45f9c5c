//! Finds redundant clues, and tells whether a puzzle is minimal. Each clue is removed in turn, and the puzzle
//! without it is solved. The lanes solve these puzzles in groups; the scalar solver solves them one by one.

use std::borrow::Borrow;

use super::{Kernel, Limits, has_solution};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, Grid, Marks};
use crate::text::Puzzle;

/// The number of puzzles whose removals of clues are solved together, so that few lanes are idle.
const PUZZLES_PER_GROUP: usize = 64;

/// The redundant clues of a puzzle that has exactly one solution. Removing any one of them leaves the
/// solution unique. If the puzzle has pencil marks, removing a clue allows every digit in its cell; the
/// marks of other cells stay as they are.
pub fn redundant_clues(clues: &Grid, marks: Option<&Marks>) -> CellSet {
    let marks = marks.map(Marks::set);
    let redundant_cells = clues
        .clues()
        .filter(|&(cell, digit)| !has_solution(without_clue(clues, marks.as_ref(), cell, digit)));
    redundant_cells.map(|(cell, _)| cell).collect()
}

/// The [`redundant_clues`] of each puzzle. All puzzles must have exactly one solution. This is many times as
/// fast as separate calls, because the lanes solve many puzzles at the same time.
pub fn redundant_clues_all<P: Borrow<Puzzle>>(kernel: Kernel, puzzles: &[P]) -> Vec<CellSet> {
    let puzzles: Vec<&Puzzle> = puzzles.iter().map(Borrow::borrow).collect();
    redundant_clues_batch(kernel, &puzzles)
}

/// This function is not generic, so that it is compiled in this crate, not in each crate that uses it.
fn redundant_clues_batch(kernel: Kernel, puzzles: &[&Puzzle]) -> Vec<CellSet> {
    let solver = kernel.solver();
    let limits = Limits {
        solutions: 1,
        nodes: u64::MAX,
    };
    let mut redundant_sets = Vec::with_capacity(puzzles.len());
    let (mut boards, mut solutions) = (Vec::new(), Vec::new());
    for group in puzzles.chunks(PUZZLES_PER_GROUP) {
        boards.clear();
        solutions.clear();
        for puzzle in group {
            let Puzzle { clues, marks, .. } = puzzle;
            let marks = marks.as_deref().map(Marks::set);
            let removals = clues.clues();
            boards.extend(
                removals.map(|(cell, digit)| without_clue(clues, marks.as_ref(), cell, digit)),
            );
        }
        solver.solve(&boards, limits, &mut solutions);
        let mut solutions = solutions.iter();
        for puzzle in group {
            let clues = puzzle.clues.clues().map(|(cell, _)| cell);
            let redundant = clues
                .zip(solutions.by_ref())
                .filter(|(_, found)| found.count == 0);
            redundant_sets.push(redundant.map(|(cell, _)| cell).collect());
        }
    }
    redundant_sets
}

/// The board without a clue, and with the clue's digit excluded from its cell. If this board has a solution,
/// the puzzle without the clue has a second one.
fn without_clue(
    clues: &Grid,
    marks: Option<&CandidateSet>,
    cell: Cell,
    digit: Digit,
) -> Candidates {
    let mut fewer_clues = *clues;
    fewer_clues.set(cell, None);
    let mut board = Candidates::new(&fewer_clues);
    if let Some(marks) = marks {
        board.keep_only(&with_any_digit(*marks, CellSet::of(cell)));
    }
    board.eliminate(digit, CellSet::of(cell));
    board
}

/// Whether a puzzle that has exactly one solution is minimal: removing any clue creates a second solution.
/// If it has pencil marks, allowing any candidate that only they exclude must do so too.
pub fn is_minimal(clues: &Grid, marks: Option<&Marks>) -> bool {
    redundant_clues(clues, marks).is_empty()
        && marks.is_none_or(|marks| needs_all_exclusions(clues, marks))
}

/// Says for each puzzle whether it is minimal, as fast as [`redundant_clues_all`]. All puzzles must have
/// exactly one solution.
pub fn is_minimal_all<P: Borrow<Puzzle>>(kernel: Kernel, puzzles: &[P]) -> Vec<bool> {
    let redundant_sets = redundant_clues_all(kernel, puzzles);
    let minimal = puzzles
        .iter()
        .zip(redundant_sets)
        .map(|(puzzle, redundant_sets)| {
            let Puzzle { clues, marks, .. } = puzzle.borrow();
            redundant_sets.is_empty()
                && marks
                    .as_ref()
                    .is_none_or(|marks| needs_all_exclusions(clues, marks))
        });
    minimal.collect()
}

/// Whether each candidate that only the pencil marks exclude would, if allowed, create a second solution.
fn needs_all_exclusions(clues: &Grid, marks: &Marks) -> bool {
    let unmarked_board = Candidates::new(clues);
    let board = marks.board(clues);
    Digit::ALL.into_iter().all(|digit| {
        let missing_cells = unmarked_board.places(digit).without(board.places(digit));
        missing_cells.into_iter().all(|cell| {
            let mut board_with_digit = board.clone();
            board_with_digit.place(cell, digit);
            has_solution(board_with_digit)
        })
    })
}

fn with_any_digit(mut marks: CandidateSet, cell: CellSet) -> CandidateSet {
    for digit in Digit::ALL {
        marks.insert(digit, cell);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::solve::random_solution;
    use crate::text::{normalise, validate};

    /// Makes puzzles with one solution, of which some have redundant clues, and some have pencil marks.
    fn puzzles(seed: u64) -> Vec<Puzzle> {
        let mut rng = Rng::new(seed);
        let mut puzzles = Vec::new();
        while puzzles.len() < 150 {
            let solution = random_solution(&mut rng);
            let mut clues = solution;
            let mut cells: Vec<_> = Cell::all().collect();
            rng.shuffle(&mut cells);
            let removals = match puzzles.len() % 2 {
                0 => 81,
                _ => 45 + rng.below(12),
            };
            for cell in cells.into_iter().take(removals) {
                let mut fewer_clues = clues;
                fewer_clues.set(cell, None);
                let digit = clues.get(cell).unwrap();
                if !has_solution(without_clue(&clues, None, cell, digit)) {
                    clues = fewer_clues;
                }
            }
            let mut puzzle: Puzzle = clues.as_str().parse().unwrap();
            if puzzles.len().is_multiple_of(3) {
                let mut text = Vec::new();
                for cell in Cell::all() {
                    let digits = Candidates::new(&clues).digits(cell);
                    let digit_of_solution = solution.get(cell).unwrap();
                    for digit in Digit::ALL {
                        let is_kept = digits.contains(digit)
                            && (digit == digit_of_solution || rng.below(4) > 0);
                        text.push(if is_kept { b'0' + digit.value() } else { b'.' });
                    }
                }
                let grid = normalise(&text).unwrap();
                puzzle = validate(grid, None).unwrap();
            }
            puzzles.push(puzzle);
        }
        puzzles
    }

    #[test]
    fn the_lanes_and_the_scalar_solver_agree() {
        let seed = 51;
        let puzzles = puzzles(seed);
        let mut counts = [0, 0];
        for kernel in Kernel::available() {
            let redundant_sets = redundant_clues_all(kernel, &puzzles);
            let minimal = is_minimal_all(kernel, &puzzles);
            for (puzzle, found) in puzzles.iter().zip(redundant_sets.iter().zip(minimal)) {
                let marks = puzzle.marks.as_deref();
                let expected = (
                    &redundant_clues(&puzzle.clues, marks),
                    is_minimal(&puzzle.clues, marks),
                );
                let name = kernel.name();
                assert_eq!(found, expected, "{name}, seed {seed}: {}", puzzle.clues);
                counts[usize::from(found.1)] += 1;
            }
        }
        assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
    }
}
