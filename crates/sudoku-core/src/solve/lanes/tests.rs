//! Compares the lane solver with [`Backtracker`], for every instruction set, on random boards of many kinds.

use super::{LaneSolver, SLOTS, most_alone};
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit, Grid};
use crate::random::Rng;
use crate::solve::Kernel;
use crate::solve::{Backtracker, Limits, Solution, Solver, random_solution, solve_all};
use crate::text::{Given, Puzzle};
use crate::vectors::Vectors;

/// A lane solver for each instruction set of this machine.
fn all_solvers() -> Vec<Box<dyn Solver>> {
    let lanes = |kernel: &Kernel| kernel.name() != "scalar";
    let kernels = Kernel::available().into_iter().filter(lanes);
    kernels.map(Kernel::solver).collect()
}

fn solve(solver: &dyn Solver, boards: &[Candidates], limits: Limits) -> Vec<Solution> {
    let mut solutions = Vec::new();
    solver.solve(boards, limits, &mut solutions);
    solutions
}

fn limits(solutions: u32) -> Limits {
    Limits {
        solutions,
        nodes: u64::MAX,
    }
}

/// Makes a random board of one of many kinds.
pub(super) fn board(rng: &mut Rng) -> Candidates {
    let solution = random_solution(rng);
    let mut cells: Vec<Cell> = Cell::all().collect();
    rng.shuffle(&mut cells);
    // The number of clues ranges from nearly none to nearly all, and is often that of a typical puzzle.
    let clues = [3 + rng.below(78), 16 + rng.below(16), 22 + rng.below(6)][rng.below(3)];
    let mut grid = solution;
    for cell in &cells[clues.min(81)..] {
        grid.set(*cell, None);
    }
    match rng.below(8) {
        // Set one or two cells of the puzzle to random digits, whether they have a clue or not.
        0 | 1 => {
            for _ in 0..=rng.below(2) {
                let digit = Digit::from_value(1 + rng.below(9) as u8);
                grid.set(Cell::new(rng.below(81)), digit);
            }
            Candidates::new(&grid)
        }
        // Use pencil marks that lack some candidates, perhaps also those of the solution.
        2 | 3 => {
            let mut board = Candidates::new(&grid);
            let keeps_solution = rng.below(4) > 0;
            for cell in Cell::all() {
                for digit in Digit::ALL {
                    let is_kept = keeps_solution && solution.get(cell) == Some(digit);
                    if !is_kept && rng.below(8) == 0 {
                        board.eliminate(digit, CellSet::of(cell));
                    }
                }
            }
            board
        }
        // Use pencil marks alone, without clues.
        4 => {
            let mut pencil_marks = CandidateSet::EMPTY;
            for cell in Cell::all() {
                for digit in Digit::ALL {
                    if solution.get(cell) == Some(digit) || rng.below(4) == 0 {
                        pencil_marks.insert(digit, CellSet::of(cell));
                    }
                }
            }
            let mut board = Candidates::FULL;
            board.keep_only(&pencil_marks);
            board
        }
        _ => Candidates::new(&grid),
    }
}

fn assert_agree(
    board: &Candidates,
    limits: Limits,
    found_solution: &Solution,
    expected: &Solution,
    case: &str,
) {
    assert_eq!(found_solution.count, expected.count, "{case}: {board:?}");
    assert_eq!(
        found_solution.gave_up, expected.gave_up,
        "{case}: {board:?}"
    );
    assert_eq!(
        found_solution.first.is_some(),
        found_solution.count > 0,
        "{case}: {board:?}"
    );
    if let Some(first) = found_solution.first {
        let is_candidate = |cell: Cell| {
            let digit = first.get(cell);
            digit.is_some_and(|digit| board.places(digit).contains(cell))
        };
        assert!(
            first.is_solution() && Cell::all().all(is_candidate),
            "{case}: {first}"
        );
        // If there is only one solution, both solvers must find it. If there are several, the first ones may
        // differ.
        if found_solution.count == 1 && limits.solutions > 1 {
            assert_eq!(Some(first), expected.first, "{case}");
        }
    }
}

#[test]
fn random_boards_have_the_solutions_that_the_backtracker_finds() {
    let seed = 61;
    let boards: Vec<_> = (0..1500)
        .map(|n| board(&mut Rng::for_item(seed, n)))
        .collect();
    let mut solution_counts = [0; 3];
    for up_to in [1, 2, 3, 50] {
        let limits = limits(up_to);
        let expected_solutions = solve(&Backtracker, &boards, limits);
        for solver in all_solvers() {
            let solutions = solve(&*solver, &boards, limits);
            assert_eq!(solutions.len(), boards.len());
            for (n, board) in boards.iter().enumerate() {
                let case_text = format!("seed {seed}, item {n}");
                assert_agree(
                    board,
                    limits,
                    &solutions[n],
                    &expected_solutions[n],
                    &case_text,
                );
            }
        }
        for solution in expected_solutions {
            solution_counts[solution.count.min(2) as usize] += 1;
        }
    }
    assert!(
        solution_counts.into_iter().all(|count| count > 100),
        "{solution_counts:?}"
    );
}

#[test]
fn full_empty_and_impossible_boards_are_boards_too() {
    let mut rng = Rng::new(62);
    let full_grid = random_solution(&mut rng);
    let mut wrong_grid = full_grid;
    let (first, second) = (full_grid.get(Cell::new(0)), full_grid.get(Cell::new(1)));
    wrong_grid.set(Cell::new(0), second);
    wrong_grid.set(Cell::new(1), first);
    let mut no_candidates = Candidates::FULL;
    no_candidates.keep_only(&CandidateSet::EMPTY);
    let mut repeated_digit = Grid::EMPTY;
    repeated_digit.set(Cell::at(0, 0), Digit::from_value(7));
    repeated_digit.set(Cell::at(0, 8), Digit::from_value(7));
    let boards = [
        Candidates::new(&full_grid),
        Candidates::FULL,
        Candidates::new(&wrong_grid),
        no_candidates,
        Candidates::new(&repeated_digit),
    ];
    for solver in all_solvers() {
        let solutions = solve(&*solver, &boards, limits(10));
        let counts: Vec<_> = solutions.iter().map(|solution| solution.count).collect();
        assert_eq!(counts, [1, 10, 0, 0, 0]);
        assert_eq!(solutions[0], Solution::without_search(full_grid));
        assert!(solve(&*solver, &[], limits(10)).is_empty());
    }
}

#[test]
fn neighbours_batches_and_implementations_change_nothing() {
    let seed = 63;
    let boards: Vec<_> = (0..300)
        .map(|n| board(&mut Rng::for_item(seed, n)))
        .collect();
    let limits = Limits {
        solutions: 4,
        nodes: 40,
    };
    let expected = solve(&LaneSolver(Vectors::Portable), &boards, limits);
    assert!(boards.len() > most_alone(SLOTS));
    assert!(expected.iter().any(|solution| solution.gave_up));
    assert!(expected.iter().any(|solution| solution.nodes > 10));
    for solver in all_solvers() {
        for batch in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 300] {
            let solutions = boards
                .chunks(batch)
                .flat_map(|some| solve(&*solver, some, limits));
            assert!(
                solutions.eq(expected.iter().cloned()),
                "seed {seed}, by {batch}"
            );
        }
        let backwards: Vec<_> = boards.iter().rev().cloned().collect();
        let solutions = solve(&*solver, &backwards, limits);
        assert!(
            solutions.iter().rev().eq(&expected),
            "seed {seed}, backwards"
        );
    }
}

#[test]
fn a_search_ends_at_its_node_limit_and_not_before() {
    let seed = 64;
    let boards: Vec<_> = (0..200)
        .map(|n| board(&mut Rng::for_item(seed, n)))
        .collect();
    for solver in all_solvers() {
        let full_searches = solve(&*solver, &boards, limits(2));
        for (board, whole) in boards.iter().zip(&full_searches) {
            let solve = |nodes| {
                let limits = Limits {
                    solutions: 2,
                    nodes,
                };
                solve(&*solver, std::slice::from_ref(board), limits).remove(0)
            };
            assert_eq!(solve(whole.nodes), *whole, "seed {seed}");
            if whole.nodes > 0 {
                let limited_search = solve(whole.nodes - 1);
                assert!(
                    limited_search.gave_up && limited_search.count <= whole.count,
                    "seed {seed}"
                );
                assert_eq!(limited_search.nodes, whole.nodes - 1, "seed {seed}");
            }
        }
    }
}

/// Checks that puzzles that singles and locked candidates solve need no search node.
#[test]
fn singles_and_locked_candidates_need_no_node() {
    let seed = 65;
    let mut unsolved_count = 0;
    for n in 0..600 {
        let board = board(&mut Rng::for_item(seed, n));
        let expected_solution = &solve(&Backtracker, std::slice::from_ref(&board), limits(2))[0];
        if expected_solution.nodes == 0 {
            unsolved_count += 1;
            for solver in all_solvers() {
                let solutions = solve(&*solver, std::slice::from_ref(&board), limits(2));
                assert_eq!(&solutions[0], expected_solution, "seed {seed}, item {n}");
            }
        }
    }
    assert!(unsolved_count > 50, "{unsolved_count}");
}

#[test]
fn puzzles_are_solved_as_their_candidates_are() {
    let seed = 68;
    let puzzles: Vec<Puzzle> = (0..400)
        .map(|n| {
            let rng = &mut Rng::for_item(seed, n);
            let mut clues = random_solution(rng);
            let mut cells: Vec<Cell> = Cell::all().collect();
            rng.shuffle(&mut cells);
            for cell in &cells[22 + rng.below(12)..] {
                clues.set(*cell, None);
            }
            // Add up to two clues that contradict other clues, directly or not.
            for cell in &cells[..rng.below(8) / 6] {
                clues.set(*cell, Digit::from_value(1 + rng.below(9) as u8));
            }
            Puzzle {
                clues,
                marks: None,
                given: Given::Absent,
            }
        })
        .collect();
    let boards: Vec<Candidates> = puzzles.iter().map(Puzzle::board).collect();
    let limits = Limits {
        solutions: 3,
        nodes: 40,
    };
    for kernel in Kernel::available() {
        let expected = solve(&*kernel.solver(), &boards, limits);
        assert!((0..=3).all(|count| expected.iter().any(|found| found.count == count)));
        for batch in [1, 400] {
            let solutions = puzzles
                .chunks(batch)
                .flat_map(|some| solve_all(kernel, some, limits));
            assert!(
                solutions.eq(expected.iter().cloned()),
                "seed {seed}, by {batch}"
            );
        }
    }
}
