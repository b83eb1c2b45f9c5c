//! Checks steps of singles, locked candidates and subsets.

use sudoku_core::grade::Step;

use crate::board::{
    Board, cells, digits, house, is_box, is_subset, only_digit, placed, removed, sees, without,
};
use crate::check::{Checked, ensure};

pub(crate) fn single(id: &str, board: &Board, step: &Step) -> Checked {
    let [(digit, cell)] = placed(&step.effect)[..] else {
        return Err("not one placement".into());
    };
    ensure!(removed(&step.effect).is_empty(), "a single removes nothing");
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
    let around = house(shown);
    ensure!(around.contains(&cell), "the house does not have the cell");
    match id {
        "hidden_single_box" => ensure!(is_box(shown), "the house is no box"),
        "hidden_single_line" => ensure!(!is_box(shown), "the house is no line"),
        _ => {
            let open = around.iter().filter(|cell| !board.is_solved(**cell));
            ensure!(open.count() == 1, "the house has other empty cells");
        }
    }
    let places = board.places(digit, &around);
    ensure!(places == [cell], "the digit has other places: {places:?}");
    Ok(())
}

pub(crate) fn locked(id: &str, board: &Board, step: &Step) -> Checked {
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
    let places = board.places(digit, &from);
    ensure!(is_subset(&places, &to), "the digit has places elsewhere");
    let rest = without(&to, &from);
    for (own, cell) in only_removals(step)? {
        ensure!(
            own == digit && rest.contains(&cell),
            "{own} in {cell} stays"
        );
    }
    Ok(())
}

pub(crate) fn naked(n: usize, board: &Board, step: &Step) -> Checked {
    let (subset, union) = (cells(step.pattern.cells), digits(step.pattern.digits));
    ensure!(subset.len() == n && union.len() <= n, "not {n} cells");
    let found = board.union(&subset);
    ensure!(is_subset(&found, &union), "the cells hold {found:?}");
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

pub(crate) fn hidden(n: usize, board: &Board, step: &Step) -> Checked {
    let (subset, union) = (cells(step.pattern.cells), digits(step.pattern.digits));
    ensure!(union.len() == n && subset.len() <= n, "not {n} digits");
    let [shown] = step.pattern.houses[..] else {
        return Err("not one house".into());
    };
    for digit in &union {
        let places = board.places(*digit, &house(shown));
        ensure!(is_subset(&places, &subset), "{digit} has places {places:?}");
    }
    for (digit, cell) in only_removals(step)? {
        let goes = subset.contains(&cell) && !union.contains(&digit);
        ensure!(goes, "{digit} in {cell} stays");
    }
    Ok(())
}

/// The removals of a step. Fails if the step places a digit.
pub(crate) fn only_removals(step: &Step) -> Result<Vec<(u8, usize)>, String> {
    ensure!(placed(&step.effect).is_empty(), "something is placed");
    Ok(removed(&step.effect))
}
