//! HoDoKu's test cases for techniques. They run if `HODOKU_REGLIB=FILE` is set to its regression library, and
//! `HODOKU_EXEMPLARS=FILE` to a list of puzzles that singles and one other technique solve. `HODOKU_VERBOSE=1`
//! prints every case that fails.

use std::collections::BTreeMap;

use sudoku_core::board::{Candidates, Cell, CellSet, Digit, DigitSet, Grid};
use sudoku_core::grade::{Effect, LADDER, Ladder, Position, Steps, Technique, UNIQUENESS};
use sudoku_core::solve::{Backtracker, Limits, Solver};
use sudoku_core::text::LibraryLine;

/// The techniques for a code of HoDoKu's library. With a variant: the techniques that list the code with this variant;
/// if no technique does, those that list the code without a variant. Without a variant: all techniques that list the
/// code.
fn techniques_for_code(code: &str, variant: Option<&str>) -> Vec<&'static dyn Technique> {
    // A fifth digit marks a siamese fish, which consists of two fish with the same base sets.
    let code = code.get(..4).unwrap_or(code);
    let techniques_with_key = |claims: &dyn Fn(&str) -> bool| -> Vec<_> {
        let all_techniques = LADDER.iter().chain(UNIQUENESS).copied();
        all_techniques
            .filter(|technique| technique.info().hodoku_codes.iter().any(|key| claims(key)))
            .collect()
    };
    let Some(variant) = variant else {
        return techniques_with_key(&|key| key.split('-').next() == Some(code));
    };
    let with_variant = format!("{code}-{variant}");
    let with_variant_code = techniques_with_key(&|key| key == with_variant);
    if with_variant_code.is_empty() {
        techniques_with_key(&|key| key == code)
    } else {
        with_variant_code
    }
}

/// The candidates that each changed cell has after an effect. Placing a digit is the same as eliminating all
/// other candidates of its cell.
type ChangedCells = BTreeMap<Cell, DigitSet>;

fn changes_of_candidates(
    board: &Candidates,
    placed: impl IntoIterator<Item = (Digit, Cell)>,
    removed: impl IntoIterator<Item = (Digit, Cell)>,
) -> ChangedCells {
    let mut changed_cells = ChangedCells::new();
    for (digit, cell) in removed {
        if board.open_places(digit).contains(cell) {
            let digits_left = changed_cells
                .entry(cell)
                .or_insert_with(|| board.digits(cell));
            digits_left.remove(digit);
        }
    }
    for (digit, cell) in placed {
        changed_cells.insert(cell, DigitSet::from_iter([digit]));
    }
    changed_cells
}

fn changes_of_effect(board: &Candidates, effect: &Effect) -> ChangedCells {
    let digits_and_cells = |sets: &dyn Fn(Digit) -> CellSet| -> Vec<(Digit, Cell)> {
        let cells_of_digit = |digit| sets(digit).map(move |cell| (digit, cell));
        Digit::ALL.into_iter().flat_map(cells_of_digit).collect()
    };
    changes_of_candidates(
        board,
        digits_and_cells(&|digit| effect.placed(digit)),
        digits_and_cells(&|digit| effect.removed(digit)),
    )
}

/// Whether all eliminations of the effect `part` are in the effect `all`.
fn contains(all: &ChangedCells, part: &ChangedCells) -> bool {
    part.iter().all(|(cell, left)| {
        let found_digits = all.get(cell);
        found_digits.is_some_and(|found| found.intersection(left.complement()).is_empty())
    })
}

fn changes_as_text(changed_cells: &ChangedCells) -> String {
    let cells = changed_cells
        .iter()
        .map(|(cell, left)| format!("{cell}:{left}"));
    cells.collect::<Vec<_>>().join(" ")
}

/// The result of a test case of HoDoKu's library.
#[derive(Default)]
struct Verdict {
    strict: bool,
    loose: bool,
    /// The effects that the techniques found instead of the expected one, as text.
    found: String,
}

fn verdict(line: &LibraryLine, techniques: &[&'static dyn Technique]) -> Verdict {
    let position = &Position::with_clues(line.board.clone(), line.clues);
    let mut found_steps = Steps::listing();
    for technique in techniques {
        technique.find_all(position, &mut found_steps);
    }
    let steps = found_steps.list().iter();
    let steps: Vec<ChangedCells> = steps
        .map(|s| changes_of_effect(position, &s.effect))
        .collect();
    let union_of_changes = changes_of_effect(position, found_steps.union());
    let steps_text = || {
        let step_texts: Vec<String> = steps.iter().map(changes_as_text).collect();
        step_texts.join(" | ")
    };
    if line.variant.as_deref() == Some("x") {
        return Verdict {
            strict: found_steps.is_empty(),
            loose: found_steps.is_empty(),
            found: steps_text(),
        };
    }
    let listed_cells = changes_of_candidates(
        position,
        line.placed.iter().copied(),
        line.removed.iter().copied(),
    );
    let unsound_elimination = unsound_elimination(line, &union_of_changes);
    Verdict {
        strict: unsound_elimination.is_none() && steps.contains(&listed_cells),
        loose: unsound_elimination.is_none() && contains(&union_of_changes, &listed_cells),
        found: unsound_elimination.unwrap_or_default() + &steps_text(),
    }
}

/// A candidate that is eliminated although it is part of a solution, as text; `None` if there is none.
fn unsound_elimination(line: &LibraryLine, all_changes: &ChangedCells) -> Option<String> {
    let position = &Position::with_clues(line.board.clone(), line.clues);
    let unique_solution = |grid: &Grid| {
        let mut solutions = Vec::new();
        Backtracker.solve(&[Candidates::new(grid)], Limits::default(), &mut solutions);
        let solution = solutions.remove(0);
        solution.first.filter(|_| solution.count == 1)
    };
    let is_removed = |cell: Cell, digit: Digit| {
        let digits_left = all_changes.get(&cell);
        digits_left.is_some_and(|left| !left.contains(digit))
    };
    if let Some(solution) = unique_solution(&position.solved_grid()) {
        let is_placed = |(cell, digit)| position.places(digit).contains(cell);
        if !solution.clues().all(is_placed) {
            // The candidates that were eliminated earlier leave no solution, so no elimination can remove a digit of a
            // solution.
            return None;
        }
        let lost_solution = solution
            .clues()
            .find(|(cell, digit)| is_removed(*cell, *digit));
        return lost_solution.map(|(cell, digit)| format!("unsound, {digit} stands in {cell}: "));
    }
    if line.code.starts_with("06") {
        // The technique assumes that the puzzle has exactly one solution, and this puzzle does not.
        return None;
    }
    let lost_candidate = all_changes.iter().find_map(|(cell, left)| {
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

/// Whether the board has a solution, by a simple search that only places digits that are candidates.
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
struct CaseCounts {
    total: usize,
    strict: usize,
    loose: usize,
}

#[test]
fn hodokus_regression_library() {
    let Ok(path) = std::env::var("HODOKU_REGLIB") else {
        eprintln!("skipped: HODOKU_REGLIB=FILE is not set");
        return;
    };
    let verbose = std::env::var("HODOKU_VERBOSE").is_ok();
    let text = std::fs::read_to_string(path).unwrap();
    let mut counts: BTreeMap<String, CaseCounts> = BTreeMap::new();
    let mut missing_by_code: BTreeMap<String, usize> = BTreeMap::new();
    let mut steps_in_fail_cases = 0;
    for text in text.lines().filter(|line| line.starts_with(':')) {
        let line = LibraryLine::parse(text).unwrap();
        let variant = line.variant.as_deref();
        let count_key = match variant {
            Some(variant) => format!("{}-{variant}", line.code),
            None => line.code.clone(),
        };
        let techniques = techniques_for_code(&line.code, variant);
        if techniques.is_empty() {
            *missing_by_code.entry(count_key).or_default() += 1;
            continue;
        }
        let verdict = verdict(&line, &techniques);
        let count = counts.entry(count_key).or_default();
        count.total += 1;
        count.strict += usize::from(verdict.strict);
        count.loose += usize::from(verdict.loose);
        steps_in_fail_cases += usize::from(variant == Some("x") && !verdict.loose);
        if verbose && !(verdict.strict && verdict.loose) {
            let missed = if verdict.loose { "strict" } else { "loose" };
            eprintln!("missed {missed}: {text}\n  found {}", verdict.found);
        }
    }
    let mut totals = CaseCounts::default();
    for (code, count) in &counts {
        let CaseCounts {
            total,
            strict,
            loose,
        } = *count;
        eprintln!("reglib {code} strict {strict}/{total} loose {loose}/{total}");
        totals.total += total;
        totals.strict += strict;
        totals.loose += loose;
    }
    for (code, total) in &missing_by_code {
        eprintln!("reglib {code} no technique of ours, {total} cases");
    }
    let CaseCounts {
        total,
        strict,
        loose,
    } = totals;
    let other_count: usize = missing_by_code.values().sum();
    eprintln!(
        "reglib total strict {strict}/{total} loose {loose}/{total}, {other_count} cases of no technique of ours"
    );
    assert_eq!(steps_in_fail_cases, 0, "a technique where there is none");
    assert_eq!(loose, total);
    assert!(strict * 100 >= total * 97, "{strict} of {total}");
}

/// Codes of unique rectangles with a strong link. Even with all techniques up to jellyfish and all uniqueness
/// techniques, their puzzles stay unsolved after the step of the code. So the test only requires a step that eliminates
/// the listed number of candidates, on the board where singles find nothing more.
const STEP_ONLY: [&str; 3] = ["0603", "0605", "0606"];

/// Tests puzzles that can be solved with singles and one other technique, but not with singles alone.
#[test]
fn puzzles_for_singles_and_one_technique() {
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
        let techniques = techniques_for_code(code, None);
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
        let note = if STEP_ONLY.contains(&code.as_str()) {
            ", the step only"
        } else {
            ""
        };
        eprintln!("exemplars {code} {passed}/{total}{note}");
    }
    for (code, total) in &missing_by_code {
        eprintln!("exemplars {code} no technique of ours, {total} rows");
    }
    let failed_codes = counts.values().filter(|(passed, total)| passed < total);
    assert_eq!(
        failed_codes.count(),
        0,
        "codes with a puzzle that is not solved"
    );
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
