//! Checks steps of forcing techniques: follows each case, deduction by deduction, on the board of
//! the checks.

use sudoku_core::grade::{Case, CaseEnding, Step};

use crate::basics::only_removals;
use crate::board::{Board, cells, digits, house, only_digit, removed};
use crate::check::{Checked, check as check_step, ensure};

/// The ids of techniques that cases of every forcing technique may use.
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

pub(crate) fn check(id: &str, board: &Board, step: &Step) -> Checked {
    let goes = only_removals(step)?;
    let cases = &step.pattern.cases;
    if let [case] = &cases[..] {
        let assumed = (case.digit.value(), case.cell.index());
        ensure!(id != "cell_region_forcing", "one case only");
        ensure!(
            case.ending != CaseEnding::Removed,
            "the one case does not fail"
        );
        ensure!(goes == [assumed], "more than the assumption goes");
        return follow(id, board, case, step);
    }
    ensure!(id != "nishio", "several cases");
    ensure!(cases.len() >= 2, "no case");
    let assumed: Vec<_> = cases
        .iter()
        .map(|case| (case.digit.value(), case.cell.index()))
        .collect();
    let all: Vec<_> = if let [shown] = step.pattern.houses[..] {
        let digit = only_digit(step)?;
        let places = board.places(digit, &house(shown));
        places.into_iter().map(|cell| (digit, cell)).collect()
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
    ensure!(assumed == all, "the cases are {assumed:?}, not {all:?}");
    for case in cases {
        follow(id, board, case, step)
            .map_err(|what| format!("where {} is {}: {what}", case.cell, case.digit))?;
    }
    Ok(())
}

/// Follows a case, and checks that it ends as it claims.
fn follow(id: &str, board: &Board, case: &Case, step: &Step) -> Checked {
    let mut own = board.clone();
    own.place((case.digit.value(), case.cell.index()));
    for (n, deduction) in case.trace.iter().enumerate() {
        let found = deduction.rank.id();
        let is_allowed = SINGLES.contains(&found)
            || BASICS.contains(&found) && ["dynamic_forcing", "nested_forcing"].contains(&id)
            || found == "nishio" && id == "nested_forcing";
        ensure!(is_allowed, "{found} in {id}");
        check_step(found, &own, &deduction.step)
            .map_err(|what| format!("deduction {}, {found}: {what}", n + 1))?;
        own.apply(&deduction.step.effect);
    }
    match case.ending {
        CaseEnding::NoCandidate(cell) => {
            let left = own.digits(cell.index());
            ensure!(left.is_empty(), "{cell} has {left:?} left");
        }
        CaseEnding::NoPlace(digit, shown) => {
            let left = own.places(digit.value(), &house(shown));
            ensure!(left.is_empty(), "{shown} has {left:?} left for {digit}");
        }
        CaseEnding::Removed => {
            for candidate in removed(&step.effect) {
                ensure!(!own.has(candidate), "{candidate:?} is still there");
            }
        }
    }
    Ok(())
}
