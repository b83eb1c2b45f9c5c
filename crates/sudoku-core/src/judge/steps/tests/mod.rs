//! Tests of the verdicts on moves.

mod forms;
mod random;
mod twin;

use super::*;
use crate::grade::Rank;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Judges moves that are separated by spaces.
fn judge_moves(puzzle: &str, ladder: &Ladder, moves: &str) -> JudgedSteps {
    let puzzle: Puzzle = puzzle.parse().unwrap();
    let judge = StepJudge::new(&puzzle, ladder, Kernel::fastest()).unwrap();
    judge.judge_all(moves.split(' ').map(|text| text.parse().unwrap()))
}

fn verdicts(judged: &JudgedSteps) -> String {
    let moves = judged.moves.iter().map(|judged| match judged.rank {
        Some(rank) => format!("{}:{}", judged.verdict.id(), rank.id()),
        None => judged.verdict.id().to_owned(),
    });
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_kind_of_move_has_its_verdict() {
    for (moves, expected) in [
        ("r5c5=5", "implied:naked_single"),
        ("r1c3=4", "true"),
        ("r1c3=1", "false"),
        (
            "r1c3=6 r1c1=4 r10c1=4 r1c3=0",
            "illegal illegal illegal illegal",
        ),
        ("r1c1=5", "repeated"),
        ("r5c5<>1 r1c1<>6 r1c1<>5", "repeated repeated illegal"),
        (
            "r5c5=5 r5c5=5 r5c5=2",
            "implied:naked_single repeated illegal",
        ),
        // A placement excludes the digit from the peers.
        (
            "r5c5=5 r5c2=5 r5c2<>5",
            "implied:naked_single illegal repeated",
        ),
        // The elimination follows from the naked single.
        ("r5c2<>5", "implied:naked_single"),
        ("r1c3<>4", "false"),
        ("r3c4<>2 r3c4<>2", "true repeated"),
        // An eliminated digit is placed.
        ("r3c4<>2 r3c4=2", "true false"),
        // A false move changes nothing: the right digit for its cell is a right move.
        (
            "r5c5=5 r1c3=2 r1c3=2 r1c3=4",
            "implied:naked_single false false true",
        ),
    ] {
        let ladder = Ladder::up_to(Rank::HIDDEN_SINGLE_LINE);
        let judged = judge_moves(PUZZLE, &ladder, moves);
        assert_eq!(verdicts(&judged), expected, "{moves}");
    }
}

/// If the placement of the lowest rank is always made next, the highest of these ranks is the grade of the puzzle.
#[test]
fn eliminations_that_are_not_written_give_a_placement_the_rank_that_it_needs() {
    let ladder = Ladder::named("basic").unwrap();
    for (puzzle, id) in [
        (PUZZLE, "naked_single"),
        (
            "...........4.298..6.......79..73.1....2......5...81.7....31.....9..7.3...832....4",
            "locked_pointing",
        ),
        (
            "....6.9.....9....149...5.3.3...8.......51...9..2..9.14.....27.3..56.....6.3.....2",
            "naked_pair",
        ),
    ] {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        let grade = ladder.grade(&puzzle);
        assert_eq!(grade.rank.id(), id, "{puzzle}");
        let mut judge = StepJudge::new(&puzzle, &ladder, Kernel::fastest()).unwrap();
        let solution = ladder.solve(&puzzle).1.unwrap();
        let mut highest = Rank::LOWEST;
        while !judge.board().is_solved() {
            let unsolved = judge.board().unsolved().into_iter();
            let moves = unsolved.filter_map(|cell| Some(Move::place(cell, solution.get(cell)?)));
            let ranked = moves.filter_map(|made| Some((judge.check(made).rank?, made)));
            let (rank, made) = ranked.min_by_key(|(rank, _)| *rank).unwrap();
            highest = highest.max(rank);
            judge.judge(made);
        }
        assert_eq!(highest, grade.rank, "{puzzle}");
    }
}

#[test]
fn puzzles_with_several_solutions_have_possible_moves() {
    // Two solutions: r1c1 and r1c2, r2c1 and r2c2 hold 1 and 2 in one of two ways.
    let mut board = crate::solve::random_solution(&mut crate::random::Rng::new(1));
    let (pair, digits) = exchangeable(&board);
    for cell in pair {
        board.set(cell, None);
    }
    let [first, second] = digits.map(|digit| digit.to_string());
    let [a, b, c, d] = pair.map(|cell| cell.to_string());
    let ladder = Ladder::default();
    let moves = format!(
        "{a}={first} {a}<>{second} {b}={first} {b}={second} {c}={second} {d}<>{second} {d}={first}"
    );
    let judged = judge_moves(board.as_str(), &ladder, &moves);
    assert_eq!(
        verdicts(&judged),
        "possible repeated illegal implied:full_house implied:full_house repeated implied:full_house"
    );
    assert!(judged.is_solved());
    let moves = format!("{a}<>{first} {a}={first} {b}<>{second} {b}={first}");
    let judged = judge_moves(board.as_str(), &ladder, &moves);
    assert_eq!(
        verdicts(&judged),
        "possible false implied:naked_single implied:naked_single"
    );
}

/// Four cells of a full grid in two rows, two columns and two boxes that hold two digits.
fn exchangeable(grid: &Grid) -> ([Cell; 4], [Digit; 2]) {
    for columns in (0..9).flat_map(|a| (a + 1..9).map(move |b| [a, b])) {
        for rows in (0..9).flat_map(|a| (a + 1..9).map(move |b| [a, b])) {
            let cells = [
                Cell::at(rows[0], columns[0]),
                Cell::at(rows[0], columns[1]),
                Cell::at(rows[1], columns[0]),
                Cell::at(rows[1], columns[1]),
            ];
            let [a, b, c, d] = cells.map(|cell| grid.get(cell).unwrap());
            let boxes: std::collections::BTreeSet<_> =
                cells.iter().map(|cell| cell.box_index()).collect();
            if a == d && b == c && boxes.len() == 2 {
                return (cells, [a, b]);
            }
        }
    }
    panic!("the grid has no exchangeable digits");
}

#[test]
fn the_written_board_and_the_reward_follow_from_the_moves() {
    let ladder = Ladder::default();
    let empty = |judged: &JudgedSteps| judged.written.as_str().matches('.').count();
    let judged = judge_moves(PUZZLE, &ladder, "r5c5=5 r1c3=2 r1c1=1 r5c5=5");
    assert_eq!(judged.blanks, 51);
    assert_eq!((empty(&judged), judged.first_wrong()), (49, Some(1)));
    assert!(!judged.is_solvable && !judged.is_solved());
    assert!((judged.reward() - (1.0 - 1.0 - 1.0) / 51.0).abs() < 1e-12);
    let sum: f64 = (judged.moves.iter().map(|own| judged.move_reward(own))).sum();
    assert!((judged.reward() - sum).abs() < 1e-12);
    for (moves, is_solvable) in [
        ("r1c3=2 r1c3=4", true),
        ("r1c3=2 r1c3=1", false),
        ("r1c3=2 r1c3<>2", true),
        ("r1c3<>4", false),
        ("r1c3<>4 r1c3=4", true),
        ("r1c3=6", true),
    ] {
        let judged = judge_moves(PUZZLE, &ladder, moves);
        assert_eq!(judged.is_solvable, is_solvable, "{moves}");
    }
}

#[test]
fn a_puzzle_without_a_solution_is_not_judged() {
    let puzzle: Puzzle =
        "531.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    let judge = StepJudge::new(&puzzle, &Ladder::default(), Kernel::fastest()).map(|_| ());
    assert_eq!(judge, Err(Status::None));
}
