//! Checks steps of Sue de Coq.

use sudoku_core::grade::Step;

use crate::basics::only_removals;
use crate::board::{Board, cells, house, is_box, is_subset, set_difference};
use crate::check::{CheckResult, ensure};

pub(crate) fn check(board: &Board, step: &Step) -> CheckResult {
    let [line, box_] = step.pattern.houses[..] else {
        return Err("not a line and a box".into());
    };
    ensure!(!is_box(line) && is_box(box_), "not a line and a box");
    let (line, box_) = (house(line), house(box_));
    let sets: Vec<Vec<usize>> = step
        .pattern
        .sets
        .iter()
        .map(|set| cells(set.cells))
        .collect();
    let [centre, in_line, in_box] = &sets[..] else {
        return Err("not three sets".into());
    };
    ensure!(
        is_subset(centre, &line) && is_subset(centre, &box_),
        "the centre lies elsewhere"
    );
    ensure!(
        is_subset(in_line, &set_difference(&line, &box_)),
        "the line's part"
    );
    ensure!(
        is_subset(in_box, &set_difference(&box_, &line)),
        "the box's part"
    );
    let all_cells = [&centre[..], in_line, in_box].concat();
    let (of_line, of_box) = (board.union(in_line), board.union(in_box));
    let is_twice = |digit: &u8| of_line.contains(digit) && of_box.contains(digit);
    let room: usize = board
        .union(&all_cells)
        .iter()
        .map(|digit| if is_twice(digit) { 2 } else { 1 })
        .sum();
    ensure!(
        room <= all_cells.len(),
        "{} cells have room for {room}",
        all_cells.len()
    );
    for (digit, cell) in only_removals(step)? {
        ensure!(
            board.union(&all_cells).contains(&digit),
            "{digit} is not in it"
        );
        let beside_line = line.contains(&cell) && !all_cells.contains(&cell);
        let beside_box = box_.contains(&cell) && !all_cells.contains(&cell);
        // By the sets that have the digit, find the cells that must hold it: those of the line, of the box,
        // or of both.
        let is_removable = match (of_line.contains(&digit), of_box.contains(&digit)) {
            (true, true) => beside_line || beside_box || centre.contains(&cell),
            (true, false) => beside_line,
            (false, true) => beside_box,
            (false, false) => beside_line || beside_box,
        };
        ensure!(is_removable, "{digit} in {cell} stays");
    }
    Ok(())
}
