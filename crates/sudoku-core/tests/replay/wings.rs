//! Checks steps of XY-wings, XYZ-wings, W-wings and remote pairs.

use sudoku_core::grade::Step;

use crate::basics::only_removals;
use crate::board::{Board, cells, digits, sees, set_difference};
use crate::chains;
use crate::check::{CheckResult, ensure};

pub(crate) fn wing(size: usize, board: &Board, step: &Step) -> CheckResult {
    let ([pivot], [one, two]) = (
        &cells(step.pattern.cells)[..],
        &cells(step.pattern.others)[..],
    ) else {
        return Err("not a pivot and two pincers".into());
    };
    ensure!(board.digits(*pivot).len() == size, "the pivot's candidates");
    for pincer in [one, two] {
        ensure!(sees(*pivot, *pincer), "{pincer} does not see the pivot");
        ensure!(board.digits(*pincer).len() == 2, "{pincer}'s candidates");
    }
    let mut union_of_cells = board.union(&[*pivot, *one, *two]);
    union_of_cells.sort_unstable();
    ensure!(
        union_of_cells == digits(step.pattern.digits),
        "the digits are {union_of_cells:?}"
    );
    for (z, cell) in only_removals(step)? {
        // If the pivot has the digit `digit`, a cell of the wing must hold z, and the removed candidate must
        // see that cell.
        for digit in board.digits(*pivot) {
            let holders = [one, two].into_iter().filter(|pincer| {
                *digit != z && set_difference(board.digits(**pincer), &[*digit]) == [z]
            });
            let mut holders: Vec<usize> = holders.copied().collect();
            if *digit == z {
                holders.push(*pivot);
            }
            let is_seen = holders.iter().any(|holder| sees(cell, *holder));
            ensure!(is_seen, "{z} in {cell} stays where the pivot is {digit}");
        }
    }
    Ok(())
}

pub(crate) fn w_wing(board: &Board, step: &Step) -> CheckResult {
    let [one, two] = cells(step.pattern.cells)[..] else {
        return Err("not two cells".into());
    };
    let pair = digits(step.pattern.digits);
    ensure!(
        pair.len() == 2 && board.digits(one) == pair && board.digits(two) == pair,
        "the cells differ"
    );
    ensure!(step.pattern.chain.len() == 5, "not five links");
    chains::check("w_wing", board, step)
}

pub(crate) fn remote_pair(board: &Board, step: &Step) -> CheckResult {
    let pair = digits(step.pattern.digits);
    ensure!(pair.len() == 2, "not two digits");
    let chain = &step.pattern.chain;
    let [path, from] = [0, 1].map(|n| {
        let strong_links = chain.iter().step_by(2);
        strong_links
            .map(|link| cells(if n == 0 { link.from } else { link.to }.cells))
            .collect::<Vec<_>>()
    });
    ensure!(path == from, "a strong link leaves its cell");
    let path: Vec<usize> = path.into_iter().flatten().collect();
    ensure!(
        path.len() >= 2 && path.len().is_multiple_of(2),
        "not an even chain"
    );
    for cell in &path {
        ensure!(board.digits(*cell) == pair, "{cell} differs");
    }
    ensure!(path.windows(2).all(|two| sees(two[0], two[1])), "a gap");
    let (first, last) = (path[0], path[path.len() - 1]);
    for (digit, cell) in only_removals(step)? {
        let is_removable = pair.contains(&digit) && sees(cell, first) && sees(cell, last);
        ensure!(
            is_removable && !path.contains(&cell),
            "{digit} in {cell} stays"
        );
    }
    Ok(())
}
