//! Compares the probes with the enumeration of all solutions, which is their slow twin.

use super::*;
use crate::board::{Cell, Grid};
use crate::random::Rng;
use crate::solve::{DEFAULT_NODE_LIMIT, list_solutions, random_solution, solve_all};

/// The digits of the cells in these grids.
fn enumerated(grids: &[Grid]) -> SolutionDigits {
    let mut masks = vec![0; 81];
    for grid in grids {
        for (mask, byte) in masks.iter_mut().zip(grid.as_bytes()) {
            *mask |= 1 << (byte - b'1');
        }
    }
    SolutionDigits::from_masks(9, masks)
}

/// A puzzle with this many clues of a random grid. One of four has clues of two grids, so that most of these have no
/// solution; one of five has pencil marks.
fn random_puzzle(rng: &mut Rng, clue_count: usize) -> Puzzle {
    let solution = random_solution(rng);
    let other = random_solution(rng);
    let mut cells: Vec<Cell> = Cell::all().collect();
    rng.shuffle(&mut cells);
    let mut clues = Grid::EMPTY;
    for (n, cell) in cells.iter().take(clue_count).enumerate() {
        clues.set(*cell, solution.get(*cell));
        if n == 0 && rng.below(4) == 0 {
            clues.set(*cell, other.get(*cell));
        }
    }
    if rng.below(5) > 0 {
        return match clues.as_str().parse() {
            Ok(puzzle) => puzzle,
            Err(_) => solution.as_str().parse().unwrap(),
        };
    }
    let mut text = String::new();
    for (at, _) in cells.iter().enumerate() {
        let own = solution.as_bytes()[at];
        for digit in b'1'..=b'9' {
            let is_marked = digit == own || rng.below(3) == 0;
            text.push(if is_marked { char::from(digit) } else { '.' });
        }
    }
    text.parse().unwrap()
}

#[test]
fn probes_find_the_digits_of_all_solutions() {
    let seed = 5803;
    let mut rng = Rng::new(seed);
    let limits = Limits {
        solutions: 10_001,
        nodes: u64::MAX,
    };
    let mut puzzles: Vec<Puzzle> = Vec::new();
    let mut expected = Vec::new();
    let mut counts = [0; 5];
    while puzzles.len() < 50 {
        let clue_count = 20 + rng.below(14);
        let puzzle = random_puzzle(&mut rng, clue_count);
        let list = list_solutions(Kernel::fastest(), &[&puzzle], limits).remove(0);
        let count = list.grids.len();
        if count <= 10_000 {
            counts[[0, 1, 2, 100, 1000]
                .iter()
                .filter(|least| count >= **least)
                .count()
                - 1] += 1;
            expected.push(enumerated(&list.grids));
            puzzles.push(puzzle);
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    for kernel in Kernel::available() {
        let found = solution_digits_all(kernel, &puzzles, u64::MAX);
        for ((puzzle, found), expected) in puzzles.iter().zip(&found).zip(&expected) {
            let case_text = format!("{}, seed {seed}: {puzzle}", kernel.name());
            assert_eq!(found.as_ref(), Some(expected), "{case_text}");
            // A single puzzle is searched by other code than a batch.
            let alone = solution_digits_all(kernel, &[puzzle], u64::MAX);
            assert_eq!(&alone[0], found, "{case_text}");
        }
    }
}

#[test]
fn a_limit_of_nodes_gives_no_answer_or_the_right_one() {
    let seed = 5804;
    let mut rng = Rng::new(seed);
    let puzzles: Vec<Puzzle> = (0..40).map(|_| random_puzzle(&mut rng, 24)).collect();
    let exact = solution_digits_all(Kernel::fastest(), &puzzles, u64::MAX);
    let mut unknown = 0;
    for kernel in Kernel::available() {
        for nodes in [0, 1, 5, 20, 100] {
            let limited = solution_digits_all(kernel, &puzzles, nodes);
            for (limited, exact) in limited.iter().zip(&exact) {
                assert!(limited.is_none() || limited == exact, "seed {seed}");
                unknown += usize::from(limited.is_none());
            }
        }
    }
    assert!(unknown > 40, "{unknown}");
}

/// The empty grid has 6.67·10²¹ solutions, and a grid with one clue a ninth of them.
#[test]
fn puzzles_with_billions_of_solutions_have_an_answer() {
    let mut one_clue = ".".repeat(80);
    one_clue.insert(40, '5');
    let puzzles: Vec<Puzzle> = [".".repeat(81), one_clue]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    for kernel in Kernel::available() {
        let found = solution_digits_all(kernel, &puzzles, DEFAULT_NODE_LIMIT);
        let [empty, one_clue] = [0, 1].map(|at| found[at].as_ref().unwrap());
        assert_eq!(empty.ambiguous_cells(), 81);
        assert!(empty.flags().all(|is_in_solution| is_in_solution));
        assert_eq!(one_clue.ambiguous_cells(), 80);
        assert_eq!(one_clue.backbone(), puzzles[1].as_str());
        // Each of its 20 peers lacks a digit, and the cell itself eight.
        assert_eq!(one_clue.flags().filter(|flag| *flag).count(), 729 - 28);
    }
}

#[test]
fn listed_solutions_are_those_that_are_counted() {
    let seed = 5805;
    let mut rng = Rng::new(seed);
    let puzzles: Vec<Puzzle> = (0..60).map(|_| random_puzzle(&mut rng, 25)).collect();
    for kernel in Kernel::available() {
        for (solutions, nodes) in [(2, 1000), (50, u64::MAX), (50, 7)] {
            let limits = Limits { solutions, nodes };
            let lists = list_solutions(kernel, &puzzles, limits);
            let counted = solve_all(kernel, &puzzles, limits);
            for ((list, counted), puzzle) in lists.iter().zip(&counted).zip(&puzzles) {
                let case_text = format!("{}, seed {seed}: {puzzle}", kernel.name());
                assert_eq!(list.grids.len(), counted.count as usize, "{case_text}");
                assert_eq!(list.grids.first(), counted.first.as_ref(), "{case_text}");
                assert_eq!(list.gave_up, counted.gave_up, "{case_text}");
                let is_solution = |grid: &Grid| grid.is_solution() && puzzle.allows(grid);
                assert!(list.grids.iter().all(is_solution), "{case_text}");
                let mut texts: Vec<_> = list.grids.iter().map(Grid::as_str).collect();
                texts.sort_unstable();
                texts.dedup();
                assert_eq!(texts.len(), list.grids.len(), "{case_text}");
            }
        }
    }
}
