//! Compares the searches in vector lanes with slower versions that are easier to read, branch by branch.

use super::super::branches::Branches;
use super::super::{find_common_removals, propagate, remove_refuted};
use super::{basics, nested, nested_eliminations};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, Grid};
use crate::grade::{Ladder, Position, Propagation, Rank, Steps};
use crate::random::Rng;
use crate::vectors::Vectors;

/// Puzzles that need nested or dynamic forcing chains.
const PUZZLES: [&str; 5] = [
    "98.7..6..76.5.......4.8..7.6...47.9..4....3.....2......7..58.6...64....5.....21..",
    "98.7..64.7..6.......6.4....6...3..5..9.8..2....8.....427......5..92..4......17.2.",
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
];

/// Boards on which the techniques below nishio find nothing, and the same boards without some candidates, which may
/// have no solution.
fn boards() -> Vec<Candidates> {
    let seed = 41;
    let mut rng = Rng::new(seed);
    let ladder = Ladder::up_to(Rank::from_id("death_blossom").unwrap());
    let mut boards = Vec::new();
    for puzzle in PUZZLES {
        let grid: Grid = puzzle.parse().unwrap();
        let stalled = ladder.stall(&grid).board().clone();
        let mut fewer = stalled.clone();
        for _ in 0..12 {
            let cell = Cell::new(rng.below(81));
            let digits = fewer.digits(cell);
            if digits.len() > 2 && fewer.unsolved().contains(cell) {
                let nth = rng.below(digits.len());
                let digit: Option<Digit> = digits.into_iter().nth(nth);
                fewer.eliminate(digit.unwrap(), CellSet::of(cell));
            }
        }
        boards.extend([stalled, fewer]);
    }
    boards
}

#[test]
fn nested_branches_are_those_of_the_twin() {
    let mut refuted_count = 0;
    for (n, board) in boards().iter().enumerate() {
        let singles = Branches::with_singles(board);
        let plain_branches = singles.extend(propagate::basics);
        let expected_branches = plain_branches.extend(propagate::nested);
        refuted_count += expected_branches
            .cases()
            .iter()
            .filter(|(.., board)| board.is_none())
            .count();
        for (name, vectors) in Vectors::available() {
            let lanes = nested(vectors, board, &singles, &plain_branches);
            for (own, plain_branches) in lanes.cases().iter().zip(expected_branches.cases()) {
                assert_eq!(own, plain_branches, "board {n}, {name}");
            }
        }
    }
    assert!(refuted_count > 500, "{refuted_count}");
}

/// The search that stops as soon as nothing more can be eliminated finds the same eliminations as the search that
/// follows all branches to the end.
#[test]
fn nested_eliminations_are_those_of_all_branches() {
    let [mut all, mut some, mut none] = [0; 3];
    for (n, board) in boards().iter().enumerate() {
        let singles = Branches::with_singles(board);
        let plain_branches = singles.extend(propagate::basics);
        let position = Position::with_clues(board.clone(), CellSet::EMPTY);
        let mut found_steps = Steps::union_only();
        let branches = plain_branches.extend(propagate::nested);
        remove_refuted(&position, &branches.refuted(), &mut found_steps);
        find_common_removals(&position, &branches, Propagation::Nested, &mut found_steps);
        let expected_removed = CandidateSet::new(found_steps.union().removed);
        let mut board_after = board.clone();
        found_steps.union().apply(&mut board_after);
        match () {
            () if expected_removed.is_empty() => none += 1,
            () if board_after.exactly_one() == CellSet::FULL => all += 1,
            () => some += 1,
        }
        for (name, vectors) in Vectors::available() {
            let eliminated = nested_eliminations(vectors, board, &singles, &plain_branches);
            assert_eq!(eliminated, expected_removed, "board {n}, {name}");
        }
    }
    assert!(all > 0 && some > 0, "{all} {some} {none}");
}

#[test]
fn branches_of_ranks_1_to_15_are_those_of_the_twin() {
    let mut refuted_count = 0;
    let mut boards = boards();
    // Add boards on which the techniques of ranks 1–15 find something.
    boards.extend(PUZZLES.map(|puzzle| Candidates::new(&puzzle.parse().unwrap())));
    for (n, board) in boards.iter().enumerate() {
        let singles = Branches::with_singles(board);
        let expected_branches = singles.extend(propagate::basics);
        refuted_count += expected_branches
            .cases()
            .iter()
            .filter(|(.., board)| board.is_none())
            .count();
        for (name, vectors) in Vectors::available() {
            let lanes = basics(vectors, board, &singles);
            for (own, twin) in lanes.cases().iter().zip(expected_branches.cases()) {
                assert_eq!(own, twin, "board {n}, {name}");
            }
        }
    }
    assert!(refuted_count > 100, "{refuted_count}");
}
