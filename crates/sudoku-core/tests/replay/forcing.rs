//! Checks the steps of forcing techniques: follows each case, deduction by deduction, on the board of the
//! tests.

use sudoku_core::grade::{Case, CaseEnding, Step};

use crate::basics::only_removals;
use crate::board::{Board, cells, digits, house, only_digit, removed_candidates};
use crate::check::{CheckResult, check as check_step, ensure};

/// The ids of the techniques that every forcing technique may use in its cases.
const SINGLES: &[&str] = &["naked_single", "hidden_single_box", "hidden_single_line"];
const BASICS: &[&str] = &[
    "locked_pointing",
    "locked_claiming",
    "naked_pair",
    "hidden_pair",
    "naked_triple",
    "hidden_triple",
    "x_wing",
    "swordfish",
    "naked_quad",
    "hidden_quad",
    "jellyfish",
];

pub(crate) fn check(id: &str, board: &Board, step: &Step) -> CheckResult {
    let removals = only_removals(step)?;
    let cases = &step.pattern.cases;
    if let [case] = &cases[..] {
        let assumed = (case.digit.value(), case.cell.index());
        ensure!(id != "cell_region_forcing", "one case only");
        ensure!(
            case.ending != CaseEnding::Removed,
            "the one case does not fail"
        );
        ensure!(removals == [assumed], "more than the assumption goes");
        return follow_case(id, board, case, step);
    }
    ensure!(id != "nishio", "several cases");
    ensure!(cases.len() >= 2, "no case");
    let assumed: Vec<_> = cases
        .iter()
        .map(|case| (case.digit.value(), case.cell.index()))
        .collect();
    let all_candidates: Vec<_> = if let [shown] = step.pattern.houses[..] {
        let digit = only_digit(step)?;
        let cells_of_digit = board.places(digit, &house(shown));
        cells_of_digit
            .into_iter()
            .map(|cell| (digit, cell))
            .collect()
    } else {
        let [cell] = cells(step.pattern.cells)[..] else {
            return Err("neither a house nor a cell".into());
        };
        ensure!(
            digits(step.pattern.digits) == board.digits(cell),
            "other digits"
        );
        board
            .digits(cell)
            .iter()
            .map(|digit| (*digit, cell))
            .collect()
    };
    ensure!(
        assumed == all_candidates,
        "the cases are {assumed:?}, not {all_candidates:?}"
    );
    for case in cases {
        follow_case(id, board, case, step)
            .map_err(|what| format!("where {} is {}: {what}", case.cell, case.digit))?;
    }
    Ok(())
}

/// Follows the deductions of a case, and checks that they end in the result that the case claims.
fn follow_case(id: &str, board: &Board, case: &Case, step: &Step) -> CheckResult {
    let mut case_board = board.clone();
    case_board.place((case.digit.value(), case.cell.index()));
    for (n, deduction) in case.trace.iter().enumerate() {
        let technique_id = deduction.rank.id();
        let is_allowed = SINGLES.contains(&technique_id)
            || BASICS.contains(&technique_id)
                && ["dynamic_forcing", "nested_forcing"].contains(&id)
            || technique_id == "nishio" && id == "nested_forcing";
        ensure!(is_allowed, "{technique_id} in {id}");
        check_step(technique_id, &case_board, &deduction.step)
            .map_err(|what| format!("deduction {}, {technique_id}: {what}", n + 1))?;
        case_board.apply(&deduction.step.effect);
    }
    match case.ending {
        CaseEnding::NoCandidate(cell) => {
            let digits_left = case_board.digits(cell.index());
            ensure!(digits_left.is_empty(), "{cell} has {digits_left:?} left");
        }
        CaseEnding::NoPlace(digit, shown) => {
            let places_left = case_board.places(digit.value(), &house(shown));
            ensure!(
                places_left.is_empty(),
                "{shown} has {places_left:?} left for {digit}"
            );
        }
        CaseEnding::Removed => {
            for candidate in removed_candidates(&step.effect) {
                ensure!(!case_board.has(candidate), "{candidate:?} is still there");
            }
        }
    }
    Ok(())
}
