//! Checks the steps of techniques with almost locked sets: ALS-XZ, ALS-XY-wing, death blossom.

use sudoku_core::grade::{Link, NamedSet, Step};

use crate::basics::only_removals;
use crate::board::{Board, cells, digits, sees, sees_all, share_a_house};
use crate::check::{CheckResult, ensure};

/// An almost locked set: N cells of a house that have together N + 1 candidates.
pub(crate) struct Als {
    pub(crate) cells: Vec<usize>,
    pub(crate) digits: Vec<u8>,
}

impl Als {
    pub(crate) fn new(board: &Board, set: &NamedSet) -> Result<Als, String> {
        let als = Als {
            cells: cells(set.cells),
            digits: board.union(&cells(set.cells)),
        };
        let name = &set.name;
        ensure!(!als.cells.is_empty(), "{name} has no cell");
        ensure!(share_a_house(&als.cells), "{name} lies in no house");
        ensure!(
            als.digits == digits(set.digits),
            "{name} has {:?}",
            als.digits
        );
        ensure!(als.digits.len() == als.cells.len() + 1, "{name} is no ALS");
        let is_open = |cell: &usize| !board.is_solved(*cell);
        ensure!(als.cells.iter().all(is_open), "{name} has a solved cell");
        Ok(als)
    }

    pub(crate) fn places(&self, board: &Board, digit: u8) -> Vec<usize> {
        board.places(digit, &self.cells)
    }

    /// Whether the candidate must be false if the set contains the digit, because the candidate's cell sees
    /// all cells of the set that can hold the digit.
    fn excludes(&self, board: &Board, digit: u8, cell: usize) -> bool {
        let open_cells = self.places(board, digit);
        !open_cells.is_empty() && sees_all(cell, &open_cells)
    }
}

fn checked_sets(board: &Board, step: &Step) -> Result<Vec<Als>, String> {
    let sets = step.pattern.sets.iter();
    sets.map(|set| Als::new(board, set)).collect()
}

/// The restricted common digit of two sets, which the weak link between them names. Fails if the digit is not
/// restricted, that is, if some of its cells in the sets do not see each other.
fn restricted_common_digit(board: &Board, link: &Link, one: &Als, two: &Als) -> Result<u8, String> {
    let digit = link.from.digit.value();
    ensure!(
        !link.strong && link.to.digit == link.from.digit,
        "not a weak link of a digit"
    );
    let (a, b) = (one.places(board, digit), two.places(board, digit));
    ensure!(!a.is_empty() && !b.is_empty(), "a set lacks {digit}");
    ensure!(
        a == cells(link.from.cells) && b == cells(link.to.cells),
        "the places of {digit} are others"
    );
    let cells_see_each_other = a.iter().all(|one| b.iter().all(|other| sees(*one, *other)));
    ensure!(cells_see_each_other, "{digit} can be in both sets");
    Ok(digit)
}

pub(crate) fn xz(board: &Board, step: &Step) -> CheckResult {
    let sets = checked_sets(board, step)?;
    let [a, b] = &sets[..] else {
        return Err("not two sets".into());
    };
    let links = step.pattern.chain.iter();
    let restricted_digits: Result<Vec<u8>, String> = links
        .map(|link| restricted_common_digit(board, link, a, b))
        .collect();
    let restricted_digits = restricted_digits?;
    ensure!(!restricted_digits.is_empty(), "no restricted common digit");
    ensure!(
        restricted_digits == digits(step.pattern.digits),
        "the digits are {restricted_digits:?}"
    );
    for (digit, cell) in only_removals(step)? {
        let [is_seen_by_a, is_seen_by_b] = [a, b].map(|set| set.excludes(board, digit, cell));
        // Singly linked: at least one of the two sets lacks the restricted digit, so that set holds all its
        // other digits.
        let removes_if_singly_linked =
            restricted_digits.iter().any(|x| *x != digit) && is_seen_by_a && is_seen_by_b;
        // Doubly linked: each of the two sets lacks one of the two restricted digits, so it holds all its
        // other digits; and each restricted digit is in one of the sets.
        let is_restricted = restricted_digits.contains(&digit);
        let removes_if_doubly_linked = restricted_digits.len() >= 2
            && if is_restricted {
                is_seen_by_a && is_seen_by_b
            } else {
                is_seen_by_a || is_seen_by_b
            };
        ensure!(
            removes_if_singly_linked || removes_if_doubly_linked,
            "{digit} in {cell} stays"
        );
    }
    Ok(())
}

pub(crate) fn xy_wing(board: &Board, step: &Step) -> CheckResult {
    let sets = checked_sets(board, step)?;
    let [a, b, c] = &sets[..] else {
        return Err("not three sets".into());
    };
    let [to_a, to_b] = &step.pattern.chain[..] else {
        return Err("not two links".into());
    };
    let x = restricted_common_digit(board, to_a, a, c)?;
    let y = restricted_common_digit(board, to_b, c, b)?;
    ensure!(x != y, "the digits are the same");
    for (digit, cell) in only_removals(step)? {
        let is_seen = [a, b].iter().all(|set| set.excludes(board, digit, cell));
        ensure!(
            digit != x && digit != y && is_seen,
            "{digit} in {cell} stays"
        );
    }
    Ok(())
}

pub(crate) fn death_blossom(board: &Board, step: &Step) -> CheckResult {
    let petals = checked_sets(board, step)?;
    let [stem] = cells(step.pattern.cells)[..] else {
        return Err("not one stem".into());
    };
    ensure!(
        petals.len() == board.digits(stem).len(),
        "not a petal a digit"
    );
    for (digit, (petal, set)) in board
        .digits(stem)
        .iter()
        .zip(petals.iter().zip(&step.pattern.sets))
    {
        ensure!(
            set.name.to_string() == format!("petal of {digit}"),
            "{}",
            set.name
        );
        ensure!(
            petal.excludes(board, *digit, stem),
            "the stem and {digit}'s petal"
        );
    }
    for (digit, cell) in only_removals(step)? {
        for (lacking, petal) in board.digits(stem).iter().zip(&petals) {
            let is_removable = *lacking != digit && petal.excludes(board, digit, cell);
            ensure!(
                is_removable,
                "{digit} in {cell} stays with {lacking} in the stem"
            );
        }
    }
    Ok(())
}
