//! Checks steps of fish, finned fish and empty rectangles.

use sudoku_core::board::House;
use sudoku_core::grade::Step;

use crate::basics::only_removals;
use crate::board::{
    Board, box_of, cells, column, house, houses, is_box, is_row, is_subset, only_digit, row,
    sees_all, set_difference,
};
use crate::check::{CheckResult, ensure};

pub(crate) fn fish(n: usize, board: &Board, step: &Step) -> CheckResult {
    let [digit, bases, covers] = &lines(n, step)?;
    let digit = digit[0] as u8;
    let cells_of_digit = board.places(digit, bases);
    ensure!(
        is_subset(&cells_of_digit, covers),
        "the digit has other places"
    );
    let cover_cells = set_difference(covers, bases);
    for (own, cell) in only_removals(step)? {
        ensure!(
            own == digit && cover_cells.contains(&cell),
            "{own} in {cell} stays"
        );
    }
    Ok(())
}

pub(crate) fn check_finned_fish(n: usize, board: &Board, step: &Step) -> CheckResult {
    let [digit, bases, covers] = &lines(n, step)?;
    let digit = digit[0] as u8;
    let fins = set_difference(&board.places(digit, bases), covers);
    ensure!(!fins.is_empty(), "there is no fin");
    ensure!(fins == cells(step.pattern.others), "the fins are {fins:?}");
    let fins_are_in_one_box = fins.iter().all(|fin| box_of(*fin) == box_of(fins[0]));
    ensure!(fins_are_in_one_box, "the fins are in several boxes");
    let cover_cells = set_difference(covers, bases);
    for (own, cell) in only_removals(step)? {
        ensure!(
            own == digit && cover_cells.contains(&cell),
            "{own} in {cell} stays"
        );
        ensure!(sees_all(cell, &fins), "{cell} does not see the fins");
    }
    Ok(())
}

/// The digit of a fish, the cells of its base lines, and the cells of its cover lines. Fails unless there are
/// `n` lines of each.
fn lines(n: usize, step: &Step) -> Result<[Vec<usize>; 3], String> {
    let digit = only_digit(step)?;
    let lines = &step.pattern.houses;
    ensure!(lines.len() == 2 * n, "{} lines", lines.len());
    let (bases, covers) = lines.split_at(n);
    let is_orthogonal = |one: &House, other: &House| {
        !is_box(*one) && !is_box(*other) && is_row(*one) != is_row(*other)
    };
    for base in bases {
        let crosses_all = covers.iter().all(|cover| is_orthogonal(base, cover));
        ensure!(crosses_all, "{base} does not cross the cover lines");
    }
    let (bases, covers) = (houses(bases), houses(covers));
    ensure!(
        bases.len() == 9 * n && covers.len() == 9 * n,
        "a line twice"
    );
    Ok([vec![usize::from(digit)], bases, covers])
}

/// A function that returns the index of a cell's row, or of its column.
type LineIndex = fn(usize) -> usize;

pub(crate) fn empty_rectangle(board: &Board, step: &Step) -> CheckResult {
    let digit = only_digit(step)?;
    let [box_, pair] = step.pattern.houses[..] else {
        return Err("not a box and a line".into());
    };
    ensure!(is_box(box_) && !is_box(pair), "not a box and a line");
    let pair_cells = board.places(digit, &house(pair));
    ensure!(
        pair_cells == cells(step.pattern.cells) && pair_cells.len() == 2,
        "no pair"
    );
    let in_box = board.places(digit, &house(box_));
    ensure!(!in_box.is_empty(), "the box has no place");
    ensure!(
        in_box == cells(step.pattern.others),
        "the box has {in_box:?}"
    );
    // For a cell, `along` gives its line that is parallel to the pair, and `across` its other line.
    let (along, across): (LineIndex, LineIndex) = if is_row(pair) {
        (row, column)
    } else {
        (column, row)
    };
    let cells_beside = house(box_)
        .iter()
        .all(|cell| along(*cell) != along(pair_cells[0]));
    ensure!(cells_beside, "the pair's line runs through the box");
    for (own, cell) in only_removals(step)? {
        let sees_both = [[0, 1], [1, 0]].iter().any(|[near, far]| {
            let (near, far) = (pair_cells[*near], pair_cells[*far]);
            let is_covered =
                |place: &usize| across(*place) == across(near) || along(*place) == along(cell);
            let is_in_box = box_of(cell) == box_of(in_box[0]);
            across(cell) == across(far) && !is_in_box && in_box.iter().all(is_covered)
        });
        ensure!(own == digit && sees_both, "{own} in {cell} stays");
    }
    Ok(())
}
