//! Checks steps of unique rectangles, avoidable rectangles and BUG+1.

use sudoku_core::grade::Step;

use crate::basics::only_removals;
use crate::board::{
    Board, all_houses, box_of, cells, column, digits, house, is_subset, only_digit,
    placed_candidates, removed_candidates, row, sees_all, set_difference,
};
use crate::check::{CheckResult, ensure};

pub(crate) fn check(id: &str, board: &Board, step: &Step) -> CheckResult {
    match id {
        "bug_plus_1" => check_bug_plus_1(board, step),
        "avoidable_rectangle_1" => check_avoidable_rectangle_1(board, step),
        "avoidable_rectangle_2" => check_avoidable_rectangle_2(board, step),
        _ => check_unique_rectangle(id, board, step),
    }
}

/// The four corners of a rectangle in two rows, two columns and two boxes. Fails if the pattern has no such
/// rectangle, or if one of the corners is a given.
fn rectangle_corners(board: &Board, step: &Step) -> Result<[usize; 4], String> {
    let corners: [usize; 4] = cells(step.pattern.cells)
        .try_into()
        .map_err(|_| "not four cells")?;
    for (kind, name) in [
        (row as fn(usize) -> usize, "rows"),
        (column, "columns"),
        (box_of, "boxes"),
    ] {
        let mut all = corners.map(kind).to_vec();
        all.sort_unstable();
        all.dedup();
        ensure!(all.len() == 2, "not two {name}");
    }
    ensure!(
        !corners.iter().any(|cell| board.is_given(*cell)),
        "a given cell"
    );
    Ok(corners)
}

fn are_in_line(cells: &[usize]) -> bool {
    let share = |kind: fn(usize) -> usize| cells.iter().all(|cell| kind(*cell) == kind(cells[0]));
    share(row) || share(column)
}

fn opposite(four: &[usize], cell: usize) -> usize {
    let is_opposite = |other: &&usize| row(**other) != row(cell) && column(**other) != column(cell);
    *four.iter().find(is_opposite).expect("four corners")
}

fn check_unique_rectangle(id: &str, board: &Board, step: &Step) -> CheckResult {
    let corners = rectangle_corners(board, step)?;
    let pair = digits(step.pattern.digits);
    ensure!(pair.len() == 2, "not two digits");
    ensure!(
        !corners.iter().any(|cell| board.is_solved(*cell)),
        "a solved cell"
    );
    let has_more = |cell: &usize| !is_subset(board.digits(*cell), &pair);
    let corners_with_extras: Vec<usize> = corners.iter().copied().filter(has_more).collect();
    let extra_digits = set_difference(&board.union(&corners), &pair);
    let other_cells = cells(step.pattern.others);
    ensure!(
        other_cells == corners_with_extras
            || id == "unique_rectangle_3" && is_subset(&corners_with_extras, &other_cells),
        "the cells with more are {corners_with_extras:?}"
    );
    let shown = &step.pattern.houses;
    let are_all_within = |digit: u8, all: &[usize]| {
        let mut houses = shown.iter();
        houses.all(|own| is_subset(&board.places(digit, &house(*own)), all))
    };
    let removals = only_removals(step)?;
    let are_removable =
        |fits: &dyn Fn(u8, usize) -> bool| removals.iter().all(|(d, cell)| fits(*d, *cell));
    let is_valid = match id {
        "unique_rectangle_1" => {
            corners_with_extras.len() == 1
                && are_removable(&|d, cell| {
                    pair.contains(&d) && corners_with_extras.contains(&cell)
                })
        }
        "unique_rectangle_2" | "unique_rectangle_5" => {
            let is_second = corners_with_extras.len() == 2 && are_in_line(&corners_with_extras);
            is_second == (id == "unique_rectangle_2")
                && corners_with_extras.len() >= 2
                && are_removable(&|d, cell| {
                    extra_digits == [d] && sees_all(cell, &corners_with_extras)
                })
        }
        "unique_rectangle_3" => {
            let subset_cells = set_difference(&other_cells, &corners_with_extras);
            let mut subset_digits = [board.union(&subset_cells), extra_digits].concat();
            subset_digits.sort_unstable();
            subset_digits.dedup();
            let houses: Vec<_> = shown.iter().map(|own| house(*own)).collect();
            let beside = |cell: usize| houses.iter().any(|own| own.contains(&cell));
            corners_with_extras.len() == 2
                && subset_digits.len() <= subset_cells.len() + 1
                && houses.iter().all(|own| is_subset(&other_cells, own))
                && are_removable(&|d, cell| {
                    subset_digits.contains(&d) && beside(cell) && !other_cells.contains(&cell)
                })
        }
        "unique_rectangle_4" => {
            corners_with_extras.len() == 2
                && shown.len() == 1
                && is_subset(&corners_with_extras, &house(shown[0]))
                && are_removable(&|d, cell| {
                    let other_digits = set_difference(&pair, &[d]);
                    other_digits.len() == 1
                        && are_all_within(other_digits[0], &corners_with_extras)
                        && corners_with_extras.contains(&cell)
                })
        }
        "unique_rectangle_6" => {
            let are_lines = shown.len() == 2
                && corners
                    .iter()
                    .all(|cell| shown.iter().any(|own| house(*own).contains(cell)));
            corners_with_extras.len() == 2
                && !are_in_line(&corners_with_extras)
                && are_lines
                && are_removable(&|d, cell| {
                    pair.contains(&d)
                        && are_all_within(d, &corners)
                        && corners_with_extras.contains(&cell)
                })
        }
        "hidden_rectangle" => are_removable(&|d, cell| {
            let other_digits = set_difference(&pair, &[d]);
            let corner = opposite(&corners, cell);
            other_digits.len() == 1
                && corners.contains(&cell)
                && is_subset(board.digits(corner), &pair)
                && shown.len() == 2
                && shown.iter().all(|own| house(*own).contains(&cell))
                && are_all_within(other_digits[0], &corners)
        }),
        _ => return Err(format!("no check for {id}")),
    };
    ensure!(is_valid, "{id}: {removals:?} stays");
    Ok(())
}

fn check_avoidable_rectangle_1(board: &Board, step: &Step) -> CheckResult {
    let corners = rectangle_corners(board, step)?;
    let [(digit, cell)] = only_removals(step)?[..] else {
        return Err("not one removal".into());
    };
    let other_corners = set_difference(&corners, &[cell]);
    ensure!(other_corners.len() == 3, "{cell} is no corner");
    ensure!(
        other_corners.iter().all(|other| board.is_solved(*other)),
        "an open cell"
    );
    let far_corner = opposite(&corners, cell);
    let near_corners = set_difference(&other_corners, &[far_corner]);
    let have_same_digits = board.digits(near_corners[0]) == board.digits(near_corners[1]);
    ensure!(
        have_same_digits && board.digits(far_corner) == [digit],
        "no rectangle"
    );
    Ok(())
}

fn check_avoidable_rectangle_2(board: &Board, step: &Step) -> CheckResult {
    let corners = rectangle_corners(board, step)?;
    let pair = digits(step.pattern.digits);
    let open_corners = cells(step.pattern.others);
    let solved_corners = set_difference(&corners, &open_corners);
    ensure!(
        open_corners.len() == 2 && solved_corners.len() == 2,
        "not two open cells"
    );
    ensure!(
        solved_corners.iter().all(|cell| board.is_solved(*cell)),
        "open cells"
    );
    for (digit, cell) in only_removals(step)? {
        for own in &open_corners {
            // For this open corner, the digit that would complete the deadly rectangle.
            let far_corner = opposite(&corners, *own);
            let completing_digits = if solved_corners.contains(&far_corner) {
                board.digits(far_corner).to_vec()
            } else {
                ensure!(
                    board.digits(solved_corners[0]) == board.digits(solved_corners[1]),
                    "two digits"
                );
                set_difference(&pair, board.digits(solved_corners[0]))
            };
            let remaining_digits = set_difference(board.digits(*own), &completing_digits);
            ensure!(
                completing_digits.len() == 1 && remaining_digits == [digit],
                "{own} can hold more"
            );
        }
        ensure!(sees_all(cell, &open_corners), "{cell} does not see both");
    }
    Ok(())
}

fn check_bug_plus_1(board: &Board, step: &Step) -> CheckResult {
    let [(digit, cell)] = placed_candidates(&step.effect)[..] else {
        return Err("not one placement".into());
    };
    ensure!(
        removed_candidates(&step.effect).is_empty() && only_digit(step)? == digit,
        "more"
    );
    for own in (0..81).filter(|own| !board.is_solved(*own)) {
        let wanted_count = if own == cell { 3 } else { 2 };
        ensure!(
            board.digits(own).len() == wanted_count,
            "{own} has not {wanted_count}"
        );
    }
    for around in all_houses() {
        for own in 1..=9 {
            let mut cells_of_digit = board.places(own, &around);
            cells_of_digit
                .retain(|place| !board.is_solved(*place) && (own, *place) != (digit, cell));
            ensure!(
                matches!(cells_of_digit.len(), 0 | 2),
                "{own} has {cells_of_digit:?}"
            );
        }
    }
    Ok(())
}
