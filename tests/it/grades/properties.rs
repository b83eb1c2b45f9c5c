//! Tests properties that the solver and the graded techniques have for every puzzle, with random puzzles.

use rayon::prelude::*;
use sudoku_core::board::{Candidates, CellSet, Digit, Grid, Isomorph};
use sudoku_core::generate::{Generator, GradeTarget};
use sudoku_core::grade::{LADDER, Ladder, Level, Position, Rank, SEARCH, Steps, UNIQUENESS};
use sudoku_core::random::Rng;
use sudoku_core::solve::{Backtracker, Limits, Solution, Solver};

/// A number from an environment variable. The default is small, so that the tests are fast.
fn number_from_environment(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Random puzzles of all levels, or the puzzles in a file, if the variable `ISOMORPH_PUZZLES=FILE` names one.
fn puzzles(seed: u64, count: usize) -> Vec<Grid> {
    if let Ok(path) = std::env::var("ISOMORPH_PUZZLES") {
        let text = std::fs::read_to_string(path).unwrap();
        let mut all_grids: Vec<Grid> = text
            .lines()
            .filter_map(|line| line.get(..81)?.parse().ok())
            .collect();
        Rng::new(seed).shuffle(&mut all_grids);
        all_grids.truncate(count);
        return all_grids;
    }
    let targets = [
        GradeTarget::Any,
        GradeTarget::Level(Level::Easy),
        GradeTarget::Level(Level::Medium),
        GradeTarget::Any,
        GradeTarget::Level(Level::Hard),
        GradeTarget::Any,
        GradeTarget::Level(Level::Unfair),
        GradeTarget::Level(Level::Extreme),
    ];
    (0..count)
        .into_par_iter()
        .map(|n| {
            let generator = Generator {
                seed,
                target: targets[n % targets.len()],
                clues: None,
                max_attempts: 10_000,
                ..Generator::any(0)
            };
            generator.puzzle(n as u64).unwrap().puzzle
        })
        .collect()
}

#[test]
fn isomorphs_have_the_same_grade() {
    let seed = 1;
    let count = number_from_environment("ISOMORPH_COUNT", 60);
    let isomorphs = number_from_environment("ISOMORPHS", 5);
    let ladder = Ladder::default();
    let with_uniqueness = Ladder::default().with_uniqueness();
    let puzzles = puzzles(seed, count);
    puzzles.par_iter().enumerate().for_each(|(n, puzzle)| {
        let mut rng = Rng::for_item(seed, n as u64);
        let grade = ladder.grade(puzzle);
        let needed_rank = with_uniqueness.needed(puzzle, &grade);
        for _ in 0..isomorphs {
            let isomorph = Isomorph::random(&mut rng);
            let image = isomorph.apply(puzzle);
            assert_eq!(
                ladder.grade(&image),
                grade,
                "seed {seed}: {puzzle} as {image}"
            );
            assert_eq!(
                with_uniqueness.needed(&image, &grade),
                needed_rank,
                "seed {seed}: {puzzle} as {image}"
            );
        }
    });
    eprintln!("{} puzzles, {isomorphs} isomorphs each", puzzles.len());
}

/// Applies eliminations and placements one at a time, in random order, until techniques up to a rank find no more.
/// Returns whether this solves the puzzle.
fn solved_in_random_order(puzzle: &Grid, techniques: usize, rng: &mut Rng) -> bool {
    let mut board = Position::new(puzzle);
    loop {
        let mut removable = Vec::new();
        for technique in &LADDER[..techniques] {
            let mut steps = Steps::union_only();
            technique.find_all(&board, &mut steps);
            for digit in Digit::ALL {
                removable.extend(steps.union().placed(digit).map(|cell| (true, cell, digit)));
                removable.extend(
                    steps
                        .union()
                        .removed(digit)
                        .map(|cell| (false, cell, digit)),
                );
            }
        }
        if removable.is_empty() {
            return board.is_solved();
        }
        let (dir, cell, digit) = removable[rng.below(removable.len())];
        if dir {
            board.place(cell, digit);
        } else {
            board.eliminate(digit, CellSet::of(cell));
        }
    }
}

#[test]
fn elimination_in_any_order_needs_the_same_rank() {
    let seed = 3;
    let ladder = Ladder::default();
    let mut rng = Rng::new(seed);
    for puzzle in puzzles(seed, number_from_environment("ORDER_COUNT", 24)) {
        let rank = ladder.grade(&puzzle).rank;
        let needed_count = if rank == SEARCH {
            LADDER.len() + 1
        } else {
            rank.index() + 1
        };
        let solved_below = solved_in_random_order(&puzzle, needed_count - 1, &mut rng);
        assert!(
            !solved_below,
            "seed {seed}: {puzzle} is solved below {}",
            rank.id()
        );
        if rank != SEARCH {
            let solved_with = solved_in_random_order(&puzzle, needed_count, &mut rng);
            assert!(
                solved_with,
                "seed {seed}: {puzzle} is not solved with {}",
                rank.id()
            );
        }
    }
}

/// Runs every technique on each board on which singles find nothing more, even if `grade` would not try the technique
/// there. Only dynamic and nested forcing chains, which take long, are limited to the boards on which `grade` tries
/// them.
#[test]
fn no_step_removes_a_digit_of_the_solution() {
    let seed = 5;
    let ladder = Ladder::default();
    let singles = Rank::HIDDEN_SINGLE_LINE;
    let puzzles = puzzles(seed, number_from_environment("SOUND_COUNT", 60));
    let boards: usize = puzzles
        .par_iter()
        .map(|puzzle| {
            let solution = solve(puzzle).first.unwrap();
            let mut position = Position::new(puzzle);
            let mut steps = Steps::union_only();
            let mut boards = 0;
            while !position.is_solved() {
                let rank = ladder.wave(&position, &mut steps);
                let mut next_position = position.clone();
                next_position.apply(steps.union());
                assert_holds(
                    &solution,
                    &next_position,
                    puzzle,
                    rank.map_or("search", Rank::id),
                );
                if rank.is_none_or(|rank| rank > singles) {
                    boards += 1;
                    for technique in &LADDER[singles.number().into()..LADDER.len() - 2] {
                        steps.clear();
                        technique.find_all(&position, &mut steps);
                        let mut position_after = position.clone();
                        position_after.apply(steps.union());
                        assert_holds(&solution, &position_after, puzzle, technique.info().id);
                    }
                }
                if rank.is_none() {
                    break;
                }
                position = next_position;
            }
            boards
        })
        .sum();
    eprintln!("{} puzzles, {boards} boards", puzzles.len());
}

/// Asserts that every digit of the solution is still a candidate on the board.
fn assert_holds(solution: &Grid, board: &Candidates, puzzle: &Grid, id: &str) {
    for (cell, digit) in solution.clues() {
        assert!(
            board.places(digit).contains(cell),
            "{puzzle}, {id}: {digit} in {cell}"
        );
    }
}

/// Runs all uniqueness techniques on many boards. From each board, a single random step leads to the next board, so
/// most of the boards do not occur in `grade`, which applies all steps of a technique.
#[test]
fn no_uniqueness_step_removes_a_digit_of_the_only_solution() {
    let seed = 6;
    let ladder = Ladder::default().with_uniqueness();
    let mut rng = Rng::new(seed);
    let mut steps = 0;
    for puzzle in puzzles(seed, number_from_environment("SOUND_COUNT", 60)) {
        let solution = solve(&puzzle).first.unwrap();
        let mut board = Position::new(&puzzle);
        let mut found_steps = Steps::listing();
        while !board.is_solved() {
            for technique in UNIQUENESS {
                found_steps.clear();
                technique.find_all(&board, &mut found_steps);
                steps += found_steps.list().len();
                let mut board_after = board.clone();
                board_after.apply(found_steps.union());
                for (cell, digit) in solution.clues() {
                    let id = technique.info().id;
                    assert!(
                        board_after.places(digit).contains(cell),
                        "seed {seed}: {puzzle}, {id}: {digit} in {cell}"
                    );
                }
            }
            if ladder.wave(&board, &mut found_steps).is_none() {
                break;
            }
            let step_index = rng.below(found_steps.list().len());
            board.apply(&found_steps.list()[step_index].effect);
        }
    }
    assert!(steps > 0);
}

fn solve(puzzle: &Grid) -> Solution {
    let mut solutions = Vec::new();
    Backtracker.solve(
        &[Candidates::new(puzzle)],
        Limits::default(),
        &mut solutions,
    );
    solutions.remove(0)
}

/// Counts solutions with a simple search that tries cells and digits in order.
fn count_by_simple_search(grid: &mut Grid, limit: u32) -> u32 {
    let Some(cell) = sudoku_core::board::Cell::all().find(|cell| grid.get(*cell).is_none()) else {
        return 1;
    };
    let mut count = 0;
    for digit in Digit::ALL {
        if count < limit && cell.peers().all(|peer| grid.get(peer) != Some(digit)) {
            grid.set(cell, Some(digit));
            count += count_by_simple_search(grid, limit - count);
            grid.set(cell, None);
        }
    }
    count
}

#[test]
fn the_solver_counts_as_many_solutions_as_a_simple_search() {
    let seed = 8;
    let mut rng = Rng::new(seed);
    for puzzle in puzzles(seed, 40) {
        let full_grid = solve(&puzzle).first.unwrap();
        // The boards are half filled. In some of them a clue is changed, so that they have several solutions or
        // none.
        let mut board = full_grid;
        let mut cells: Vec<_> = sudoku_core::board::Cell::all().collect();
        rng.shuffle(&mut cells);
        for cell in &cells[..40 + rng.below(15)] {
            board.set(*cell, None);
        }
        if rng.below(2) == 0 {
            board.set(cells[0], Some(Digit::from_index(rng.below(9))));
        }
        if board.conflict().is_some() {
            continue;
        }
        let expected_count = count_by_simple_search(&mut board.clone(), 2);
        assert_eq!(solve(&board).count, expected_count, "seed {seed}: {board}");
    }
}
