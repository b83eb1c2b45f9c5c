//! Random sequences of moves, judged by the judge and by its slow twin.

use std::collections::BTreeMap;

use super::twin::Twin;
use crate::board::{Cell, Digit, Grid};
use crate::generate::{Generator, GradeTarget};
use crate::grade::{Ladder, Rank};
use crate::judge::{Move, MoveKind, MoveVerdict, StepJudge};
use crate::random::Rng;
use crate::solve::{Kernel, Limits, find_solutions};
use crate::text::{Normalised, Puzzle, validate};

/// A puzzle with up to 300 solutions, and its solutions.
fn puzzle(generator: &Generator, n: u64, rng: &mut Rng) -> (Puzzle, Vec<Grid>) {
    let mut clues = generator.puzzle(n).unwrap().puzzle;
    let limits = Limits {
        solutions: 300,
        nodes: u64::MAX,
    };
    let mut solutions = find_solutions(&crate::board::Candidates::new(&clues), limits).0;
    if n % 2 == 1 {
        for _ in 0..6 {
            let filled: Vec<Cell> = clues.clues().map(|(cell, _)| cell).collect();
            let mut fewer = clues;
            fewer.set(filled[rng.below(filled.len())], None);
            let found = find_solutions(&crate::board::Candidates::new(&fewer), limits).0;
            if found.len() < 300 {
                (clues, solutions) = (fewer, found);
            }
        }
    }
    (validate(Normalised::Clues(clues), None).unwrap(), solutions)
}

/// A move that is right, or any move.
fn random_move(rng: &mut Rng, solution: &Grid) -> Move {
    let cell = Cell::new(rng.below(81));
    let digit = Digit::from_index(rng.below(9));
    let right = solution.get(cell).unwrap();
    match rng.below(20) {
        0..11 => Move::place(cell, right),
        11..13 => Move::place(cell, digit),
        13 => Move::eliminate(cell, digit),
        14..19 if digit != right => Move::eliminate(cell, digit),
        14..19 => Move::place(cell, right),
        _ => Move {
            kind: MoveKind::Place,
            row: rng.below(11) as u16,
            column: rng.below(11) as u16,
            digit: rng.below(11) as u16,
        },
    }
}

#[test]
fn random_sequences_have_the_verdicts_of_the_slow_twin() {
    let seed = 58;
    let generator = Generator {
        seed,
        target: GradeTarget::Any,
        max_attempts: 1,
        ..Generator::any(seed)
    };
    let ladders = [
        Ladder::up_to(Rank::HIDDEN_SINGLE_LINE),
        Ladder::named("basic").unwrap(),
        Ladder::named("naked_single,locked_pointing,x_wing").unwrap(),
    ];
    let mut rng = Rng::new(seed);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for n in 0..48 {
        let (puzzle, solutions) = puzzle(&generator, n, &mut rng);
        let ladder = &ladders[n as usize / 2 % 3];
        let mut judge = StepJudge::new(&puzzle, ladder, Kernel::fastest()).unwrap();
        let mut twin = Twin {
            ladder,
            clues: puzzle.clues,
            solutions: solutions.clone(),
            made: Vec::new(),
        };
        let solution = &solutions[rng.below(solutions.len())];
        let mut text = String::new();
        for _ in 0..60 {
            let made = random_move(&mut rng, solution);
            text += &format!("{made} ");
            let judged = judge.judge(made);
            let expected = twin.judge(made);
            assert_eq!(
                (judged.verdict, judged.rank),
                expected,
                "seed {seed}, ladder {}, {puzzle}: {text}",
                ladder.name()
            );
            let rank = judged.rank.map_or("", Rank::id);
            *counts.entry(judged.verdict.id()).or_default() += 1;
            *counts.entry(rank).or_default() += 1;
        }
    }
    for verdict in MoveVerdict::ALL {
        assert!(counts.get(verdict.id()) > Some(&20), "{counts:?}");
    }
    assert!(counts.get("locked_pointing") > Some(&3), "{counts:?}");
}
