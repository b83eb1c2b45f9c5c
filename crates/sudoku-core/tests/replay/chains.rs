//! Checks steps of chains: X-chains, XY-chains, alternating inference chains, grouped chains and ALS
//! chains.

use sudoku_core::grade::{Link, Node, Step, StrongReason};

use crate::als::Als;
use crate::basics::only_removals;
use crate::board::{Board, Candidate, cells, house, sees, sees_all, share_a_house};
use crate::check::{CheckResult, ensure};

pub(crate) fn check(id: &str, board: &Board, step: &Step) -> CheckResult {
    let chain = &step.pattern.chain;
    let ([first, ..], [.., last]) = (&chain[..], &chain[..]) else {
        return Err("there is no chain".into());
    };
    ensure!(chain.len() % 2 == 1, "the chain does not end strong");
    for (at, link) in chain.iter().enumerate() {
        ensure!(link.strong == (at % 2 == 0), "the links do not alternate");
        if at > 0 {
            ensure!(chain[at - 1].to == link.from, "the chain has a gap");
        }
        if link.strong {
            check_strong_link(id, board, step, link)?;
        } else {
            ensure!(
                exclude_each_other(&link.from, &link.to),
                "both ends of a weak link"
            );
        }
    }
    let (start, end) = (&first.from, &last.to);
    let is_loop = exclude_each_other(start, end);
    for candidate in only_removals(step)? {
        let excluded_by = |node: &Node| excludes(node, candidate);
        let is_excluded_by_loop = is_loop
            && chain
                .iter()
                .any(|link| !link.strong && excluded_by(&link.from) && excluded_by(&link.to));
        let is_removable = excluded_by(start) && excluded_by(end) || is_excluded_by_loop;
        ensure!(is_removable, "{candidate:?} stays");
    }
    Ok(())
}

/// Checks that at least one of the two nodes of a strong link must be true, for the reason that the link
/// gives.
fn check_strong_link(id: &str, board: &Board, step: &Step, link: &Link) -> CheckResult {
    let (from, to) = (&link.from, &link.to);
    let end_cells = [from, to].map(|node| cells(node.cells));
    let [d, e] = [from, to].map(|node| node.digit.value());
    let one_digit = ["skyscraper", "two_string_kite", "turbot_fish", "x_chain"].contains(&id);
    let reason = link.reason.ok_or("a strong link without a reason")?;
    match reason {
        StrongReason::Cell => {
            ensure!(!one_digit, "a cell in a chain of one digit");
            let [cell] = end_cells[0][..] else {
                return Err("a group is no cell".into());
            };
            ensure!(
                end_cells[0] == end_cells[1] && d != e,
                "not two digits of a cell"
            );
            let cell_digits = board.digits(cell);
            ensure!(
                cell_digits.len() == 2 && cell_digits.contains(&d) && cell_digits.contains(&e),
                "{cell_digits:?} in {cell}"
            );
        }
        StrongReason::House(shown) => {
            ensure!(id != "xy_chain", "a house in a chain of cells");
            ensure!(d == e, "two digits in {shown}");
            let mut cells_of_both_ends = end_cells.concat();
            cells_of_both_ends.sort_unstable();
            let cells_of_digit = board.places(d, &house(shown));
            ensure!(
                cells_of_digit == cells_of_both_ends,
                "{d} has places {cells_of_digit:?} in {shown}"
            );
            let is_single = end_cells.iter().all(|cells| cells.len() == 1);
            ensure!(is_single || is_grouped(id), "a group");
        }
        StrongReason::Set(at) => {
            let set = als(id, board, step, at)?;
            ensure!(d != e, "one digit of the set");
            ensure!(
                set.places(board, d) == end_cells[0],
                "{d} elsewhere in the set"
            );
            ensure!(
                set.places(board, e) == end_cells[1],
                "{e} elsewhere in the set"
            );
            ensure!(
                !end_cells[0].is_empty() && !end_cells[1].is_empty(),
                "no place"
            );
        }
        StrongReason::SetBeside(at) => {
            let set = als(id, board, step, at)?;
            let leads = [(from, to), (to, from)]
                .into_iter()
                .any(|(inside, beside)| leaves_one_candidate(board, &set, inside, beside));
            ensure!(leads, "the set leaves the cell more");
        }
    }
    Ok(())
}

fn is_grouped(id: &str) -> bool {
    ["grouped_aic", "als_chain"].contains(&id)
}

fn als(id: &str, board: &Board, step: &Step, at: usize) -> Result<Als, String> {
    ensure!(id == "als_chain", "an almost locked set in {id}");
    let set = step.pattern.sets.get(at).ok_or("a set that is not shown")?;
    Als::new(board, set)
}

/// Whether the following holds: if the set lacks the digit of the node `inside`, the cell of the node
/// `beside` has no other candidate left than the digit of `beside`.
fn leaves_one_candidate(board: &Board, set: &Als, inside: &Node, beside: &Node) -> bool {
    let lacking_digit = inside.digit.value();
    let [cell] = cells(beside.cells)[..] else {
        return false;
    };
    let is_left = |digit: &u8| {
        let cells_of_digit = set.places(board, *digit);
        *digit == lacking_digit || cells_of_digit.is_empty() || !sees_all(cell, &cells_of_digit)
    };
    let remaining_digits: Vec<u8> = board.digits(cell).iter().copied().filter(is_left).collect();
    let cells_of_lacking = set.places(board, lacking_digit);
    !set.cells.contains(&cell)
        && !cells_of_lacking.is_empty()
        && cells_of_lacking == cells(inside.cells)
        && remaining_digits == [beside.digit.value()]
}

/// Whether two nodes exclude each other: at most one of them can be true.
fn exclude_each_other(one: &Node, two: &Node) -> bool {
    let (a, b) = (cells(one.cells), cells(two.cells));
    if one.digit == two.digit {
        return a
            .iter()
            .all(|cell| b.iter().all(|other| sees(*cell, *other)));
    }
    a.len() == 1 && a == b
}

/// Whether a true node makes the candidate false.
fn excludes(node: &Node, (digit, cell): Candidate) -> bool {
    let node_cells = cells(node.cells);
    if digit == node.digit.value() {
        share_a_house(&node_cells) && sees_all(cell, &node_cells)
    } else {
        node_cells == [cell]
    }
}
