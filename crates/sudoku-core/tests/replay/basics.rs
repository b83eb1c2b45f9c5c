//! Checks steps of singles, locked candidates and subsets.

use sudoku_core::grade::Step;

use crate::board::{
    Board, cells, digits, house, is_box, is_subset, only_digit, placed_candidates,
    removed_candidates, sees, set_difference,
};
use crate::check::{CheckResult, ensure};

pub(crate) fn check_single(id: &str, board: &Board, step: &Step) -> CheckResult {
    let [(digit, cell)] = placed_candidates(&step.effect)[..] else {
        return Err("not one placement".into());
    };
    ensure!(
        removed_candidates(&step.effect).is_empty(),
        "a single removes nothing"
    );
    ensure!(digit == only_digit(step)?, "another digit is shown");
    if id == "naked_single" {
        ensure!(cells(step.pattern.cells) == [cell], "another cell is shown");
        ensure!(
            board.digits(cell) == [digit],
            "the cell has other candidates"
        );
        return Ok(());
    }
    let [shown] = step.pattern.houses[..] else {
        return Err("not one house".into());
    };
    let house_cells = house(shown);
    ensure!(
        house_cells.contains(&cell),
        "the house does not have the cell"
    );
    match id {
        "hidden_single_box" => ensure!(is_box(shown), "the house is no box"),
        "hidden_single_line" => ensure!(!is_box(shown), "the house is no line"),
        _ => {
            let empty_cells = house_cells.iter().filter(|cell| !board.is_solved(**cell));
            ensure!(empty_cells.count() == 1, "the house has other empty cells");
        }
    }
    let cells_of_digit = board.places(digit, &house_cells);
    ensure!(
        cells_of_digit == [cell],
        "the digit has other places: {cells_of_digit:?}"
    );
    Ok(())
}

pub(crate) fn check_locked_candidates(id: &str, board: &Board, step: &Step) -> CheckResult {
    let digit = only_digit(step)?;
    let [from, to] = step.pattern.houses[..] else {
        return Err("not two houses".into());
    };
    let is_pointing = id == "locked_pointing";
    ensure!(
        is_box(from) == is_pointing && is_box(to) != is_pointing,
        "not the kinds of houses"
    );
    let (from, to) = (house(from), house(to));
    let cells_of_digit = board.places(digit, &from);
    ensure!(
        is_subset(&cells_of_digit, &to),
        "the digit has places elsewhere"
    );
    let cells_outside = set_difference(&to, &from);
    for (own, cell) in only_removals(step)? {
        ensure!(
            own == digit && cells_outside.contains(&cell),
            "{own} in {cell} stays"
        );
    }
    Ok(())
}

pub(crate) fn check_naked_subset(n: usize, board: &Board, step: &Step) -> CheckResult {
    let (subset, union) = (cells(step.pattern.cells), digits(step.pattern.digits));
    ensure!(subset.len() == n && union.len() <= n, "not {n} cells");
    let digits_of_cells = board.union(&subset);
    ensure!(
        is_subset(&digits_of_cells, &union),
        "the cells hold {digits_of_cells:?}"
    );
    for shown in &step.pattern.houses {
        ensure!(is_subset(&subset, &house(*shown)), "{shown} lacks a cell");
    }
    for (digit, cell) in only_removals(step)? {
        let is_beside = |shown: &&_| house(**shown).contains(&cell) && !subset.contains(&cell);
        let is_seen = step.pattern.houses.iter().any(|shown| is_beside(&shown));
        ensure!(union.contains(&digit) && is_seen, "{digit} in {cell} stays");
        ensure!(
            subset.iter().all(|own| sees(*own, cell)),
            "{cell} is not seen"
        );
    }
    Ok(())
}

pub(crate) fn check_hidden_subset(n: usize, board: &Board, step: &Step) -> CheckResult {
    let (subset, union) = (cells(step.pattern.cells), digits(step.pattern.digits));
    ensure!(union.len() == n && subset.len() <= n, "not {n} digits");
    let [shown] = step.pattern.houses[..] else {
        return Err("not one house".into());
    };
    for digit in &union {
        let cells_of_digit = board.places(*digit, &house(shown));
        ensure!(
            is_subset(&cells_of_digit, &subset),
            "{digit} has places {cells_of_digit:?}"
        );
    }
    for (digit, cell) in only_removals(step)? {
        let is_removable = subset.contains(&cell) && !union.contains(&digit);
        ensure!(is_removable, "{digit} in {cell} stays");
    }
    Ok(())
}

/// The candidates that a step removes. Fails if the step also places a digit.
pub(crate) fn only_removals(step: &Step) -> Result<Vec<(u8, usize)>, String> {
    ensure!(
        placed_candidates(&step.effect).is_empty(),
        "something is placed"
    );
    Ok(removed_candidates(&step.effect))
}
