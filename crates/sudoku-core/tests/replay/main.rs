//! Checks that each step of an explanation follows from its pattern. A step is checked on the board before
//! it, using only the data from which its text, its JSON and its drawing are made. The checks follow the
//! definitions of the techniques, have their own board, and share no code with the finders.
//!
//! `REPLAY_PUZZLES=FILE:FILE` names additional files with puzzles; each line begins with one. `REPLAY_EVERY=N`
//! uses every N-th of their lines.

#![expect(
    clippy::print_stdout,
    reason = "tests print their seeds and what they checked"
)]

mod als;
mod basics;
mod board;
mod chains;
mod check;
mod coloring;
mod fish;
mod forcing;
mod sue_de_coq;
mod uniqueness;
mod wings;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Mutex;

use board::Board;
use check::check;
use sudoku_core::board::{Candidates, CellSet, Digit, Grid};
use sudoku_core::explain::{Explanation, TextOptions, Wave, technique_ids, why};
use sudoku_core::generate::{Generator, GradeTarget};
use sudoku_core::grade::{LADDER, Level, Pattern, Position, Rank, Step, Steps, UNIQUENESS};

/// The number of checked steps for each technique. Deductions inside cases count as steps of their own.
type Counts = BTreeMap<String, usize>;

/// Checks every step of a wave: a board, and all steps of one technique that the explanation takes on it
/// together.
fn replay_wave(wave: &Wave, solution: Option<&Grid>, case: &str, counts: &mut Counts) {
    let id = wave.technique.id;
    for step in &wave.steps {
        replay(id, &wave.board, wave.clues, step, case, counts);
        if let Some(solution) = solution {
            check_that_a_wrong_step_is_refused(id, wave, step, solution, case);
        }
    }
}

fn replay(
    id: &str,
    board: &Candidates,
    clues: CellSet,
    step: &Step,
    case: &str,
    counts: &mut Counts,
) {
    if let Err(what) = check(id, &Board::new(board, clues), step) {
        let grid = board.solved_grid();
        panic!("{case}: {id}, {}: {what}\n{grid}\n{step:?}", step.effect);
    }
    let why = why(board, step);
    let is_sentence = why.ends_with('.') && why.starts_with(|c: char| c.is_alphanumeric());
    assert!(is_sentence, "{case}: {id}, {}: {why}", step.effect);
    *counts.entry(id.to_owned()).or_default() += 1;
    for traced in &step.pattern.cases {
        *counts.entry(format!("deductions of {id}")).or_default() += traced.len();
    }
}

/// Checks that a wrong step is refused. The wrong step has the same pattern, but removes a digit of the
/// solution.
fn check_that_a_wrong_step_is_refused(
    id: &str,
    wave: &Wave,
    step: &Step,
    solution: &Grid,
    case: &str,
) {
    let board = Board::new(&wave.board, wave.clues);
    let unsolved_cells = wave.board.unsolved();
    for (cell, digit) in solution
        .clues()
        .filter(|(cell, _)| unsolved_cells.contains(*cell))
    {
        let mut steps = Steps::listing();
        if step.effect.places_something() {
            let other_digit = (wave.board.digits(cell)).find(|other| *other != digit);
            let Some(other) = other_digit else { continue };
            steps.place(cell, other, || step.pattern.clone());
        } else {
            let cell_set = CellSet::of(cell);
            let removals = Digit::ALL.map(|other| {
                let cells = step.effect.removed(other);
                (
                    other,
                    if other == digit {
                        cells | cell_set
                    } else {
                        cells
                    },
                )
            });
            steps.eliminate(&wave.board, removals, || step.pattern.clone());
        }
        let wrong_step = &steps.list()[0];
        let checked = check(id, &board, wrong_step);
        assert!(
            checked.is_err(),
            "{case}: {id} takes {}: {wrong_step:?}",
            wrong_step.effect
        );
    }
}

fn replay_puzzle(text: &str, case: &str, counts: &mut Counts) {
    let explanation =
        Explanation::from_text(text.as_bytes()).unwrap_or_else(|what| panic!("{case}: {what}"));
    let Explanation::Puzzle(walk) = explanation else {
        panic!("{case}: not a puzzle");
    };
    for (n, wave) in walk.waves.iter().enumerate() {
        let case_text = format!("{case}, wave {}: {text}", n + 1);
        replay_wave(wave, Some(&walk.solution), &case_text, counts);
    }
}

#[test]
fn every_explained_step_of_generated_puzzles_follows_from_the_explanation() {
    let mut counts = Counts::new();
    let seed = 20_260;
    println!("seed {seed}");
    let levels = Level::ALL.map(GradeTarget::Level);
    for (target, puzzles) in levels
        .into_iter()
        .chain([GradeTarget::Any])
        .zip([6, 6, 8, 8, 2, 60])
    {
        let generator = Generator {
            seed,
            target,
            clues: None,
            max_attempts: 40,
            ..Generator::any(0)
        };
        for n in 0..puzzles {
            let Some(generated) = generator.puzzle(n) else {
                continue;
            };
            let case_text = format!("seed {seed}, {target:?}, puzzle {n}");
            replay_puzzle(generated.puzzle.as_str(), &case_text, &mut counts);
        }
    }
    println!("{counts:#?}");
}

#[test]
fn every_explained_step_of_puzzles_in_files_follows_from_the_explanation() {
    let files = std::env::var("REPLAY_PUZZLES").unwrap_or_default();
    let every = std::env::var("REPLAY_EVERY").map_or(1, |n| n.parse().expect("a number"));
    for file in files.split(':').filter(|file| !file.is_empty()) {
        let text = std::fs::read_to_string(file).expect(file);
        let puzzles: Vec<_> = text.lines().enumerate().step_by(every).collect();
        let (counts, next) = (Mutex::new(Counts::new()), Mutex::new(puzzles.iter()));
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut thread_counts = Counts::new();
                    loop {
                        let Some((line, text)) = next.lock().unwrap().next() else {
                            break;
                        };
                        let case_text = format!("{file}, line {}", line + 1);
                        replay_puzzle(
                            text.get(..81).unwrap_or(text),
                            &case_text,
                            &mut thread_counts,
                        );
                    }
                    let mut all_counts = counts.lock().unwrap();
                    for (id, count) in thread_counts {
                        *all_counts.entry(id).or_default() += count;
                    }
                });
            }
        });
        let counts = counts.into_inner().unwrap();
        println!("{file}: {} puzzles, steps {counts:#?}", puzzles.len());
    }
}

/// Checks the example in each technique's manual, and all other steps of the technique on the same board.
#[test]
fn every_technique_explains_the_premises_of_its_steps() {
    let mut counts = Counts::new();
    for id in technique_ids().filter(|id| *id != "search") {
        let Some(Explanation::Technique(manual)) = Explanation::of_technique(id) else {
            panic!("{id} has no manual");
        };
        let wave = manual.example.expect("a technique has an example");
        replay_wave(&wave, None, "the example", &mut counts);
        let technique = LADDER.iter().chain(UNIQUENESS);
        let technique = technique.copied().find(|own| own.info().id == id);
        let mut found_steps = Steps::listing();
        let position = Position::with_clues(wave.board.clone(), wave.clues);
        technique.expect(id).find_all(&position, &mut found_steps);
        // The cases of a forcing step have deductions only after the step has been traced, which explanations
        // do too.
        for step in found_steps
            .list()
            .iter()
            .filter(|step| step.pattern.cases.is_empty())
        {
            replay(
                id,
                &wave.board,
                wave.clues,
                step,
                "the example's board",
                &mut counts,
            );
        }
    }
    println!("{counts:#?}");
    let has_steps = |id: &str| counts.get(id).is_some_and(|steps| *steps > 0);
    assert!(technique_ids().all(|id| id == "search" || has_steps(id)));
}

/// Checks every step that every technique of the ladder finds on boards of a few puzzles.
#[test]
fn every_listed_step_follows_from_its_pattern() {
    let mut counts = Counts::new();
    let seed = 414;
    println!("seed {seed}");
    let generator = Generator {
        seed,
        target: GradeTarget::Any,
        clues: None,
        max_attempts: 1,
        ..Generator::any(0)
    };
    for n in 0..12 {
        let Some(generated) = generator.puzzle(n) else {
            continue;
        };
        let case_text = format!("seed {seed}, puzzle {n}: {}", generated.puzzle);
        let Ok(Explanation::Puzzle(walk)) =
            Explanation::from_text(generated.puzzle.as_str().as_bytes())
        else {
            panic!("{case_text}: no walk");
        };
        for wave in walk
            .waves
            .iter()
            .filter(|wave| wave.rank > Rank::HIDDEN_SINGLE_LINE)
        {
            let position = Position::with_clues(wave.board.clone(), wave.clues);
            for technique in LADDER.iter().chain(UNIQUENESS) {
                let id = technique.info().id;
                let mut found_steps = Steps::listing();
                technique.find_all(&position, &mut found_steps);
                let steps = found_steps.list().iter();
                for step in steps.filter(|step| step.pattern.cases.is_empty()) {
                    replay(id, &wave.board, wave.clues, step, &case_text, &mut counts);
                }
            }
        }
    }
    println!("{counts:#?}");
}

/// A function that removes one part of a pattern.
type RemovePart = fn(&mut Pattern);

/// Checks that a step is refused if its argument needs a part of its pattern (the sets, the chain or the cases)
/// and this part is missing.
#[test]
fn a_step_that_lacks_a_piece_of_its_argument_is_refused() {
    for id in technique_ids().filter(|id| *id != "search") {
        let Some(Explanation::Technique(manual)) = Explanation::of_technique(id) else {
            panic!("{id} has no manual");
        };
        let wave = manual.example.expect("a technique has an example");
        let board = Board::new(&wave.board, wave.clues);
        let step = &wave.steps[0];
        let removable_parts: [(bool, RemovePart); 5] = [
            (!step.pattern.sets.is_empty(), |own| own.sets.clear()),
            (!step.pattern.cases.is_empty(), |own| own.cases.clear()),
            (!step.pattern.houses.is_empty(), |own| own.houses.clear()),
            (
                !step.pattern.chain.is_empty() && id != "simple_coloring" && id != "multi_coloring",
                |own| {
                    own.chain.clear();
                },
            ),
            (
                step.pattern.cases.iter().any(|case| !case.is_empty()),
                |own| {
                    for case in &mut own.cases {
                        case.trace.clear();
                    }
                },
            ),
        ];
        // A pattern's houses are not needed for its argument if the pattern has a chain.
        let must_need_houses = step.pattern.chain.is_empty();
        for (n, (has, take)) in removable_parts.into_iter().enumerate() {
            if has && (n != 2 || must_need_houses) {
                let mut step_without_part = step.clone();
                take(&mut step_without_part.pattern);
                assert!(
                    check(id, &board, &step_without_part).is_err(),
                    "{id}, piece {n}"
                );
            }
        }
    }
}

/// Explains two of the hardest puzzles, in which thousands of deductions follow from each assumption.
#[test]
fn an_explanation_with_nested_assumptions_stays_readable() {
    for puzzle in [
        "98.7..6..76.5.......4.8..7.6...47.9..4....3.....2......7..58.6...64....5.....21..",
        "98.7..6..7.5....9..43.....78..2....6..7.1..2......48..3..9...6.....5.3.......1..9",
    ] {
        let explanation = Explanation::from_text(puzzle.as_bytes()).unwrap();
        let options = TextOptions {
            brief: true,
            ..TextOptions::default()
        };
        let text = explanation.text(options);
        assert!(text.lines().count() < 500, "{}", text.lines().count());
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        assert!(
            text.contains("     - If r"),
            "each case has a line of its own"
        );
        assert!(
            text.contains("        1. "),
            "deductions are numbered below it"
        );
        assert!(text.contains("this case fails.") || text.contains("is gone."));
    }
}
