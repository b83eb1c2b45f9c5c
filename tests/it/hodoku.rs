//! HoDoKu's test cases. They run if `HODOKU_REGLIB=FILE` is set to its regression library, and
//! `HODOKU_EXEMPLARS=FILE` to a list of puzzles that singles and one other technique solve.
//! `HODOKU_VERBOSE=1` prints every case that fails.

use std::collections::BTreeMap;

use sudoku_core::board::{Candidates, Cell, CellSet, Digit, DigitSet, Grid};
use sudoku_core::grade::{Effect, LADDER, Ladder, Position, Steps, Technique, UNIQUENESS};
use sudoku_core::solve::{Backtracker, Limits, Solver};
use sudoku_core::text::LibraryLine;

/// The techniques for a code of HoDoKu. With a variant, those that list the code with this variant; if there are
/// none, those that list the code alone. Without a variant, all techniques with the code.
fn techniques_of(code: &str, variant: Option<&str>) -> Vec<&'static dyn Technique> {
    // A fifth digit marks a siamese fish, which consists of two fish with the same base sets.
    let code = code.get(..4).unwrap_or(code);
    let claiming = |claims: &dyn Fn(&str) -> bool| -> Vec<_> {
        let all_techniques = LADDER.iter().chain(UNIQUENESS).copied();
        all_techniques
            .filter(|technique| technique.info().hodoku_codes.iter().any(|key| claims(key)))
            .collect()
    };
    let Some(variant) = variant else {
        return claiming(&|key| key.split('-').next() == Some(code));
    };
    let with_variant = format!("{code}-{variant}");
    let with_variant_code = claiming(&|key| key == with_variant);
    if with_variant_code.is_empty() {
        claiming(&|key| key == code)
    } else {
        with_variant_code
    }
}

/// For each cell that an effect changes, the candidates that it has afterwards. Placing a digit is the same as
/// eliminating all other candidates.
type Touched = BTreeMap<Cell, DigitSet>;

fn touched_by_candidates(
    board: &Candidates,
    placed: impl IntoIterator<Item = (Digit, Cell)>,
    removed: impl IntoIterator<Item = (Digit, Cell)>,
) -> Touched {
    let mut touched = Touched::new();
    for (digit, cell) in removed {
        if board.open_places(digit).contains(cell) {
            let digits_left = touched.entry(cell).or_insert_with(|| board.digits(cell));
            digits_left.remove(digit);
        }
    }
    for (digit, cell) in placed {
        touched.insert(cell, DigitSet::from_iter([digit]));
    }
    touched
}

fn touched_by(board: &Candidates, effect: &Effect) -> Touched {
    let pairs = |sets: &dyn Fn(Digit) -> CellSet| -> Vec<(Digit, Cell)> {
        let of_digit = |digit| sets(digit).map(move |cell| (digit, cell));
        Digit::ALL.into_iter().flat_map(of_digit).collect()
    };
    touched_by_candidates(
        board,
        pairs(&|digit| effect.placed(digit)),
        pairs(&|digit| effect.removed(digit)),
    )
}

/// Whether the first effect includes all eliminations of the second one.
fn contains(all: &Touched, part: &Touched) -> bool {
    part.iter().all(|(cell, left)| {
        let found_digits = all.get(cell);
        found_digits.is_some_and(|found| found.intersection(left.complement()).is_empty())
    })
}

fn show(touched: &Touched) -> String {
    let cells = touched.iter().map(|(cell, left)| format!("{cell}:{left}"));
    cells.collect::<Vec<_>>().join(" ")
}

/// The result of a test case of the library.
#[derive(Default)]
struct Verdict {
    strict: bool,
    loose: bool,
    /// The effects that were found instead of the expected effect.
    found: String,
}

fn verdict(line: &LibraryLine, techniques: &[&'static dyn Technique]) -> Verdict {
    let position = &Position::with_clues(line.board.clone(), line.clues);
    let mut found_steps = Steps::listing();
    for technique in techniques {
        technique.find_all(position, &mut found_steps);
    }
    let steps = found_steps.list().iter();
    let steps: Vec<Touched> = steps.map(|s| touched_by(position, &s.effect)).collect();
    let touched_by_all = touched_by(position, found_steps.union());
    let steps_text = || {
        let step_texts: Vec<String> = steps.iter().map(show).collect();
        step_texts.join(" | ")
    };
    if line.variant.as_deref() == Some("x") {
        return Verdict {
            strict: found_steps.is_empty(),
            loose: found_steps.is_empty(),
            found: steps_text(),
        };
    }
    let listed_cells = touched_by_candidates(
        position,
        line.placed.iter().copied(),
        line.removed.iter().copied(),
    );
    let unsound = unsound(line, &touched_by_all);
    Verdict {
        strict: unsound.is_none() && steps.contains(&listed_cells),
        loose: unsound.is_none() && contains(&touched_by_all, &listed_cells),
        found: unsound.unwrap_or_default() + &steps_text(),
    }
}

/// Finds an eliminated candidate that is part of a solution; `None` if there is none.
fn unsound(line: &LibraryLine, together: &Touched) -> Option<String> {
    let position = &Position::with_clues(line.board.clone(), line.clues);
    let solution_of = |grid: &Grid| {
        let mut solutions = Vec::new();
        Backtracker.solve(&[Candidates::new(grid)], Limits::default(), &mut solutions);
        let solution = solutions.remove(0);
        solution.first.filter(|_| solution.count == 1)
    };
    let is_removed = |cell: Cell, digit: Digit| {
        let digits_left = together.get(&cell);
        digits_left.is_some_and(|left| !left.contains(digit))
    };
    if let Some(solution) = solution_of(&position.solved_grid()) {
        let is_reached = |(cell, digit)| position.places(digit).contains(cell);
        if !solution.clues().all(is_reached) {
            // Because of candidates that were eliminated before, there is no solution, so every elimination is
            // valid.
            return None;
        }
        let lost_solution = solution
            .clues()
            .find(|(cell, digit)| is_removed(*cell, *digit));
        return lost_solution.map(|(cell, digit)| format!("unsound, {digit} stands in {cell}: "));
    }
    if line.code.starts_with("06") {
        // The technique assumes a unique solution, but the puzzle does not have exactly one.
        return None;
    }
    let lost_candidate = together.iter().find_map(|(cell, left)| {
        let removed_digits = position.digits(*cell).intersection(left.complement());
        removed_digits
            .into_iter()
            .find(|digit| {
                let mut board = position.board().clone();
                board.place(*cell, *digit);
                has_solution(&board)
            })
            .map(|digit| (*cell, digit))
    });
    lost_candidate.map(|(cell, digit)| format!("unsound, {digit} can stand in {cell}: "))
}

/// Whether there is a solution, by a simple search that only uses the given candidates.
fn has_solution(board: &Candidates) -> bool {
    let cell_with_fewest_candidates = board
        .unsolved()
        .min_by_key(|cell| board.digits(*cell).len());
    let Some(cell) = cell_with_fewest_candidates else {
        return board.solution().is_some();
    };
    board.digits(cell).any(|digit| {
        let mut next_board = board.clone();
        next_board.place(cell, digit);
        has_solution(&next_board)
    })
}

#[derive(Default)]
struct Count {
    total: usize,
    strict: usize,
    loose: usize,
}

#[test]
fn reglib() {
    let Ok(path) = std::env::var("HODOKU_REGLIB") else {
        eprintln!("skipped: HODOKU_REGLIB=FILE is not set");
        return;
    };
    let verbose = std::env::var("HODOKU_VERBOSE").is_ok();
    let text = std::fs::read_to_string(path).unwrap();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut missing_by_code: BTreeMap<String, usize> = BTreeMap::new();
    let mut found_where_none_is = 0;
    for text in text.lines().filter(|line| line.starts_with(':')) {
        let line = LibraryLine::parse(text).unwrap();
        let variant = line.variant.as_deref();
        let count_key = match variant {
            Some(variant) => format!("{}-{variant}", line.code),
            None => line.code.clone(),
        };
        let techniques = techniques_of(&line.code, variant);
        if techniques.is_empty() {
            *missing_by_code.entry(count_key).or_default() += 1;
            continue;
        }
        let verdict = verdict(&line, &techniques);
        let count = counts.entry(count_key).or_default();
        count.total += 1;
        count.strict += usize::from(verdict.strict);
        count.loose += usize::from(verdict.loose);
        found_where_none_is += usize::from(variant == Some("x") && !verdict.loose);
        if verbose && !(verdict.strict && verdict.loose) {
            let missed = if verdict.loose { "strict" } else { "loose" };
            eprintln!("missed {missed}: {text}\n  found {}", verdict.found);
        }
    }
    let mut sum = Count::default();
    for (code, count) in &counts {
        let Count {
            total,
            strict,
            loose,
        } = *count;
        eprintln!("reglib {code} strict {strict}/{total} loose {loose}/{total}");
        sum.total += total;
        sum.strict += strict;
        sum.loose += loose;
    }
    for (code, total) in &missing_by_code {
        eprintln!("reglib {code} no technique of ours, {total} cases");
    }
    let Count {
        total,
        strict,
        loose,
    } = sum;
    let other_count: usize = missing_by_code.values().sum();
    eprintln!(
        "reglib total strict {strict}/{total} loose {loose}/{total}, {other_count} cases of no technique of ours"
    );
    assert_eq!(found_where_none_is, 0, "a technique where there is none");
    assert_eq!(loose, total);
    assert!(strict * 100 >= total * 97, "{strict} of {total}");
}

/// Codes of rectangles with a strong link. Their puzzles stay unsolved after the step, even with all
/// techniques up to jellyfish and all uniqueness techniques. So the test only requires a step that eliminates
/// the listed number of candidates, on the board where singles find nothing more.
const STEP_ONLY: [&str; 3] = ["0603", "0605", "0606"];

/// Tests puzzles that can be solved with singles and one other technique, but not with singles alone.
#[test]
fn exemplars() {
    let Ok(path) = std::env::var("HODOKU_EXEMPLARS") else {
        eprintln!("skipped: HODOKU_EXEMPLARS=FILE is not set");
        return;
    };
    let verbose = std::env::var("HODOKU_VERBOSE").is_ok();
    let text = std::fs::read_to_string(path).unwrap();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut missing_by_code: BTreeMap<String, usize> = BTreeMap::new();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [puzzle, before, code, _, eliminated, after] = fields[..] else {
            panic!("not an exemplar: {row}");
        };
        if before != "s" || after != "s" {
            continue;
        }
        let techniques = techniques_of(code, None);
        if techniques.is_empty() {
            *missing_by_code.entry(code.to_owned()).or_default() += 1;
            continue;
        }
        let puzzle: Grid = puzzle.parse().unwrap();
        let singles = LADDER[..4].iter().copied();
        let solved_by_singles = Ladder::from_techniques(singles.clone()).solve(&puzzle).1;
        let is_passed = solved_by_singles.is_none()
            && if STEP_ONLY.contains(&code) {
                has_step(&puzzle, &techniques, eliminated.parse().unwrap())
            } else {
                let ladder = Ladder::from_techniques(singles.chain(techniques));
                ladder.solve(&puzzle).1.is_some()
            };
        let (count, total) = counts.entry(code.to_owned()).or_default();
        *count += usize::from(is_passed);
        *total += 1;
        if verbose && !is_passed {
            eprintln!("missed: {row}");
        }
    }
    for (code, (passed, total)) in &counts {
        let asked_codes = if STEP_ONLY.contains(&code.as_str()) {
            ", the step only"
        } else {
            ""
        };
        eprintln!("exemplars {code} {passed}/{total}{asked_codes}");
    }
    for (code, total) in &missing_by_code {
        eprintln!("exemplars {code} no technique of ours, {total} rows");
    }
    let missed = counts.values().filter(|(passed, total)| passed < total);
    assert_eq!(missed.count(), 0, "codes with a puzzle that is not solved");
}

/// Whether a technique has a step that eliminates this many candidates, on the board where singles find
/// nothing more.
fn has_step(puzzle: &Grid, techniques: &[&'static dyn Technique], eliminated: usize) -> bool {
    let mut position = Position::new(puzzle);
    let singles = Ladder::from_techniques(LADDER[..4].iter().copied());
    let mut steps = Steps::union_only();
    while singles.wave(&position, &mut steps).is_some() {
        position.apply(steps.union());
    }
    let mut listed_steps = Steps::listing();
    for technique in techniques {
        technique.find_all(&position, &mut listed_steps);
    }
    listed_steps.list().iter().any(|step| {
        let removed_counts = Digit::ALL.map(|digit| step.effect.removed(digit).len());
        removed_counts.iter().sum::<usize>() == eliminated
    })
}
