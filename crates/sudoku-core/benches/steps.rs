//! Measures how many moves are judged in a second on one thread: `cargo bench --bench steps`. The moves are those of
//! solutions in the order in which singles give them, the same in random order, and single moves on boards of their own.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::time::Instant;

use sudoku_core::board::{Candidates, Cell};
use sudoku_core::generate::GradeTarget;
use sudoku_core::grade::Rank;
use sudoku_core::judge::{Move, MoveVerdict, StepJudge};
use sudoku_core::random::Rng;
use sudoku_core::solve::Limits;
use sudoku_core::{Generator, Grid, Kernel, Ladder, Puzzle, solve_all};

const PUZZLES: u64 = 2000;

/// The placements that solve a puzzle by singles, each of which stands on the board when it is made.
fn moves_by_singles(puzzle: &Puzzle, solution: &Grid, judge: &mut StepJudge<'_>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut left: Vec<Cell> = Candidates::new(&puzzle.clues).unsolved().collect();
    while !left.is_empty() {
        let before = left.len();
        left.retain(|cell| {
            let made = Move::place(*cell, solution.get(*cell).expect("a full grid"));
            let is_implied = judge.check(made).verdict == MoveVerdict::Implied;
            if is_implied {
                judge.judge(made);
                moves.push(made);
            }
            !is_implied
        });
        assert!(left.len() < before, "singles solve the puzzle");
    }
    moves
}

fn main() {
    let kernel = Kernel::fastest();
    let generator = Generator {
        target: GradeTarget::Any,
        ..Generator::any(7)
    };
    let ladder = Ladder::up_to(Rank::HIDDEN_SINGLE_LINE);
    let puzzles = (0..PUZZLES).filter_map(|n| generator.puzzle(n));
    let puzzles = puzzles.filter_map(|made| made.puzzle.as_str().parse::<Puzzle>().ok());
    let puzzles: Vec<Puzzle> = puzzles
        .filter(|puzzle| ladder.solve(puzzle).1.is_some())
        .collect();
    let solved = solve_all(kernel, &puzzles, Limits::default());
    let mut rng = Rng::new(1);
    let mut in_order = Vec::new();
    let mut shuffled = Vec::new();
    for (puzzle, solution) in puzzles.iter().zip(&solved) {
        let mut judge = StepJudge::with_solution(puzzle, solution, &ladder, kernel).expect("one");
        let moves = moves_by_singles(puzzle, &solution.first.expect("one"), &mut judge);
        let mut random = moves.clone();
        for at in (1..random.len()).rev() {
            random.swap(at, rng.below(at + 1));
        }
        in_order.push(moves);
        shuffled.push(random);
    }
    let whole = Ladder::default();
    for (name, ladder, sequences) in [
        ("singles in order", &ladder, &in_order),
        ("random order, ranks 1 to 4", &ladder, &shuffled),
        ("random order, whole ladder", &whole, &shuffled),
    ] {
        let start = Instant::now();
        let solved = solve_all(kernel, &puzzles, Limits::default());
        let (mut moves, mut implied) = (0, 0);
        for ((puzzle, solution), sequence) in puzzles.iter().zip(&solved).zip(sequences) {
            let judge = StepJudge::with_solution(puzzle, solution, ladder, kernel).expect("one");
            let judged = judge.judge_all(sequence.iter().copied());
            assert!(judged.is_solved() && judged.first_wrong().is_none());
            moves += judged.moves.len();
            implied += judged.count(MoveVerdict::Implied);
        }
        let seconds = start.elapsed().as_secs_f64();
        assert!(name != "singles in order" || implied == moves);
        println!(
            "{name}: {moves} moves, {implied} implied, {:.0} moves a second",
            moves as f64 / seconds
        );
    }
}
