//! Checks steps of unique rectangles, avoidable rectangles and BUG+1.

use sudoku_core::grade::Step;

use crate::basics::only_removals;
use crate::board::{
    Board, all_houses, box_of, cells, column, digits, house, is_subset, only_digit, placed,
    removed, row, sees_all, without,
};
use crate::check::{Checked, ensure};

pub(crate) fn check(id: &str, board: &Board, step: &Step) -> Checked {
    match id {
        "bug_plus_1" => bug_plus_1(board, step),
        "avoidable_rectangle_1" => avoidable_1(board, step),
        "avoidable_rectangle_2" => avoidable_2(board, step),
        _ => unique(id, board, step),
    }
}

/// The four cells of a rectangle: two rows, two columns and two boxes. Fails if one of them is
/// given.
fn rectangle(board: &Board, step: &Step) -> Result<[usize; 4], String> {
    let four: [usize; 4] = cells(step.pattern.cells)
        .try_into()
        .map_err(|_| "not four cells")?;
    for (kind, name) in [
        (row as fn(usize) -> usize, "rows"),
        (column, "columns"),
        (box_of, "boxes"),
    ] {
        let mut all = four.map(kind).to_vec();
        all.sort_unstable();
        all.dedup();
        ensure!(all.len() == 2, "not two {name}");
    }
    ensure!(
        !four.iter().any(|cell| board.is_given(*cell)),
        "a given cell"
    );
    Ok(four)
}

fn are_in_line(cells: &[usize]) -> bool {
    let same = |kind: fn(usize) -> usize| cells.iter().all(|cell| kind(*cell) == kind(cells[0]));
    same(row) || same(column)
}

fn opposite(four: &[usize], cell: usize) -> usize {
    let is_opposite = |other: &&usize| row(**other) != row(cell) && column(**other) != column(cell);
    *four.iter().find(is_opposite).expect("four corners")
}

fn unique(id: &str, board: &Board, step: &Step) -> Checked {
    let four = rectangle(board, step)?;
    let pair = digits(step.pattern.digits);
    ensure!(pair.len() == 2, "not two digits");
    ensure!(
        !four.iter().any(|cell| board.is_solved(*cell)),
        "a solved cell"
    );
    let has_more = |cell: &usize| !is_subset(board.digits(*cell), &pair);
    let extra: Vec<usize> = four.iter().copied().filter(has_more).collect();
    let extras = without(&board.union(&four), &pair);
    let others = cells(step.pattern.others);
    ensure!(
        others == extra || id == "unique_rectangle_3" && is_subset(&extra, &others),
        "the cells with more are {extra:?}"
    );
    let shown = &step.pattern.houses;
    let within = |digit: u8, all: &[usize]| {
        let mut houses = shown.iter();
        houses.all(|own| is_subset(&board.places(digit, &house(*own)), all))
    };
    let goes = only_removals(step)?;
    let all_go = |fits: &dyn Fn(u8, usize) -> bool| goes.iter().all(|(d, cell)| fits(*d, *cell));
    let holds = match id {
        "unique_rectangle_1" => {
            extra.len() == 1 && all_go(&|d, cell| pair.contains(&d) && extra.contains(&cell))
        }
        "unique_rectangle_2" | "unique_rectangle_5" => {
            let is_second = extra.len() == 2 && are_in_line(&extra);
            is_second == (id == "unique_rectangle_2")
                && extra.len() >= 2
                && all_go(&|d, cell| extras == [d] && sees_all(cell, &extra))
        }
        "unique_rectangle_3" => {
            let rest = without(&others, &extra);
            let mut all = [board.union(&rest), extras].concat();
            all.sort_unstable();
            all.dedup();
            let houses: Vec<_> = shown.iter().map(|own| house(*own)).collect();
            let beside = |cell: usize| houses.iter().any(|own| own.contains(&cell));
            extra.len() == 2
                && all.len() <= rest.len() + 1
                && houses.iter().all(|own| is_subset(&others, own))
                && all_go(&|d, cell| all.contains(&d) && beside(cell) && !others.contains(&cell))
        }
        "unique_rectangle_4" => {
            extra.len() == 2
                && shown.len() == 1
                && is_subset(&extra, &house(shown[0]))
                && all_go(&|d, cell| {
                    let other = without(&pair, &[d]);
                    other.len() == 1 && within(other[0], &extra) && extra.contains(&cell)
                })
        }
        "unique_rectangle_6" => {
            let are_lines = shown.len() == 2
                && four
                    .iter()
                    .all(|cell| shown.iter().any(|own| house(*own).contains(cell)));
            extra.len() == 2
                && !are_in_line(&extra)
                && are_lines
                && all_go(&|d, cell| pair.contains(&d) && within(d, &four) && extra.contains(&cell))
        }
        "hidden_rectangle" => all_go(&|d, cell| {
            let other = without(&pair, &[d]);
            let corner = opposite(&four, cell);
            other.len() == 1
                && four.contains(&cell)
                && is_subset(board.digits(corner), &pair)
                && shown.len() == 2
                && shown.iter().all(|own| house(*own).contains(&cell))
                && within(other[0], &four)
        }),
        _ => return Err(format!("no check for {id}")),
    };
    ensure!(holds, "{id}: {goes:?} stays");
    Ok(())
}

fn avoidable_1(board: &Board, step: &Step) -> Checked {
    let four = rectangle(board, step)?;
    let [(digit, cell)] = only_removals(step)?[..] else {
        return Err("not one removal".into());
    };
    let others = without(&four, &[cell]);
    ensure!(others.len() == 3, "{cell} is no corner");
    ensure!(
        others.iter().all(|other| board.is_solved(*other)),
        "an open cell"
    );
    let far = opposite(&four, cell);
    let beside = without(&others, &[far]);
    let same = board.digits(beside[0]) == board.digits(beside[1]);
    ensure!(same && board.digits(far) == [digit], "no rectangle");
    Ok(())
}

fn avoidable_2(board: &Board, step: &Step) -> Checked {
    let four = rectangle(board, step)?;
    let pair = digits(step.pattern.digits);
    let open = cells(step.pattern.others);
    let solved = without(&four, &open);
    ensure!(open.len() == 2 && solved.len() == 2, "not two open cells");
    ensure!(
        solved.iter().all(|cell| board.is_solved(*cell)),
        "open cells"
    );
    for (digit, cell) in only_removals(step)? {
        for own in &open {
            // The digit that would complete the rectangle in this cell.
            let far = opposite(&four, *own);
            let completing = if solved.contains(&far) {
                board.digits(far).to_vec()
            } else {
                ensure!(
                    board.digits(solved[0]) == board.digits(solved[1]),
                    "two digits"
                );
                without(&pair, board.digits(solved[0]))
            };
            let left = without(board.digits(*own), &completing);
            ensure!(
                completing.len() == 1 && left == [digit],
                "{own} can hold more"
            );
        }
        ensure!(sees_all(cell, &open), "{cell} does not see both");
    }
    Ok(())
}

fn bug_plus_1(board: &Board, step: &Step) -> Checked {
    let [(digit, cell)] = placed(&step.effect)[..] else {
        return Err("not one placement".into());
    };
    ensure!(
        removed(&step.effect).is_empty() && only_digit(step)? == digit,
        "more"
    );
    for own in (0..81).filter(|own| !board.is_solved(*own)) {
        let wanted = if own == cell { 3 } else { 2 };
        ensure!(board.digits(own).len() == wanted, "{own} has not {wanted}");
    }
    for around in all_houses() {
        for own in 1..=9 {
            let mut places = board.places(own, &around);
            places.retain(|place| !board.is_solved(*place) && (own, *place) != (digit, cell));
            ensure!(matches!(places.len(), 0 | 2), "{own} has {places:?}");
        }
    }
    Ok(())
}
