//! Checks steps of simple colouring and multi-colouring.

use sudoku_core::grade::Step;

use crate::basics::only_removals;
use crate::board::{Board, all_houses, cells, only_digit, sees};
use crate::check::{CheckResult, ensure};

pub(crate) fn check_simple_coloring(board: &Board, step: &Step) -> CheckResult {
    let digit = only_digit(step)?;
    let [a, b] = &colours(step)[..] else {
        return Err("not two colours".into());
    };
    check_connected(board, digit, a, b)?;
    for (own, cell) in only_removals(step)? {
        let is_trapped = sees_some(cell, a) && sees_some(cell, b);
        let is_wrapped = [a, b].into_iter().any(|colour| {
            colour.contains(&cell) && colour.iter().any(|one| sees_some(*one, colour))
        });
        ensure!(own == digit && (is_trapped || is_wrapped), "{cell} stays");
    }
    Ok(())
}

pub(crate) fn check_multi_coloring(board: &Board, step: &Step) -> CheckResult {
    let digit = only_digit(step)?;
    let [a, b, c, d] = &colours(step)[..] else {
        return Err("not four colours".into());
    };
    check_connected(board, digit, a, b)?;
    check_connected(board, digit, c, d)?;
    let meet = |one: &[usize], two: &[usize]| one.iter().any(|cell| sees_some(*cell, two));
    let is_false = |cell: usize| {
        [(a, c, d), (b, c, d), (c, a, b), (d, a, b)]
            .into_iter()
            .any(|(own, one, two)| own.contains(&cell) && meet(own, one) && meet(own, two))
    };
    let sees_a_true_one = |cell: usize| {
        [(a, c, b, d), (a, d, b, c), (b, c, a, d), (b, d, a, c)]
            .into_iter()
            .any(|(one, two, one_opposite, two_opposite)| {
                meet(one, two) && sees_some(cell, one_opposite) && sees_some(cell, two_opposite)
            })
    };
    for (own, cell) in only_removals(step)? {
        let is_removable = is_false(cell) || sees_a_true_one(cell);
        ensure!(own == digit && is_removable, "{own} in {cell} stays");
    }
    Ok(())
}

fn colours(step: &Step) -> Vec<Vec<usize>> {
    let sets = step.pattern.sets.iter();
    sets.map(|set| cells(set.cells)).collect()
}

fn sees_some(cell: usize, others: &[usize]) -> bool {
    others.iter().any(|other| sees(cell, *other))
}

/// Checks that all cells of the two colours are connected by conjugate pairs, each with one cell of either
/// colour.
fn check_connected(board: &Board, digit: u8, a: &[usize], b: &[usize]) -> CheckResult {
    let pairs: Vec<Vec<usize>> = all_houses()
        .into_iter()
        .map(|house| board.places(digit, &house))
        .filter(|places| places.len() == 2)
        .filter(|two| {
            a.contains(&two[0]) && b.contains(&two[1]) || b.contains(&two[0]) && a.contains(&two[1])
        })
        .collect();
    let mut reached_cells = vec![*a.first().ok_or("a colour without a cell")?];
    while let Some(pair) = pairs.iter().find(|pair| {
        pair.iter()
            .filter(|cell| reached_cells.contains(cell))
            .count()
            == 1
    }) {
        reached_cells.extend(
            pair.iter()
                .filter(|cell| !reached_cells.contains(cell))
                .copied()
                .collect::<Vec<_>>(),
        );
    }
    let is_whole = a.iter().chain(b).all(|cell| reached_cells.contains(cell));
    ensure!(is_whole, "the colours do not hang together");
    Ok(())
}
