//! The rules that a run of level 1 or more asks where no link leads on: on the grid that it has left,
//! the first of them that gives a new off-node ends the search.

use super::found::{Found, sort_and_deduplicate};
use super::multiple::{Kind, Runs};
use super::node::{Cause, Node};
use super::run::Run;
use super::{forcing_cycle, multiple};
use crate::board::{CandidateSet, CellSet, DigitSet};
use crate::rating::board::{Board, houses_of};
use crate::rating::budget::Budget;
use crate::rating::producers::{fish, hidden_set, locking, naked_set};

/// Enters what the rules of this level remove; says whether anything is new.
pub(super) fn apply(
    level: u8,
    initial: &Board,
    grid: &Board,
    run: &mut Run,
    nested: &mut Nested,
    budget: &mut Budget,
) -> bool {
    if !budget.spend(27) {
        return false;
    }
    let mut enter = |removed: &CandidateSet, parents| run.enter_by_rule(removed, parents, || None);
    simple(initial, grid, &mut enter) || chains(level, initial, grid, run, nested, budget)
}

/// Enters what a rule removes, with its parents; says whether any of it is new.
type Enter<'a> = &'a mut dyn FnMut(&CandidateSet, CandidateSet) -> bool;

/// Locked candidates, pairs and X-wings; says whether anything is new.
pub(super) fn simple(initial: &Board, grid: &Board, enter: Enter<'_>) -> bool {
    // Where a rule needs nothing that has left the initial grid, it gives no off-node.
    let enter = &mut |removed: &CandidateSet, parents: CandidateSet| {
        !parents.is_empty() && enter(removed, parents)
    };
    locked(initial, grid, enter)
        || hidden_pairs(initial, grid, enter)
        || naked_pairs(initial, grid, enter)
        || x_wings(initial, grid, enter)
}

fn locked(initial: &Board, grid: &Board, enter: Enter<'_>) -> bool {
    let mut any = false;
    locking::for_each(grid, |base, cover, digit| {
        let outside = cover.cells().without(base.cells());
        let removed = CandidateSet::of(digit, outside & grid.cells(digit));
        if !removed.is_empty() {
            let lost = initial.cells(digit).without(grid.cells(digit));
            let lost = (lost & base.cells()).without(cover.cells());
            any |= enter(&removed, CandidateSet::of(digit, lost));
        }
        None::<()>
    });
    any
}

fn hidden_pairs(initial: &Board, grid: &Board, enter: Enter<'_>) -> bool {
    let mut any = false;
    hidden_set::for_each(grid, 2, 5, |house, digits, union| {
        let removed = hidden_set::removed(grid, house, digits, union);
        if !removed.is_empty() {
            let mut parents = CandidateSet::EMPTY;
            for cell in house.unproject(!union & 0x1ff) {
                for digit in initial.digits(cell).intersection(digits) {
                    parents.insert(digit, CellSet::of(cell));
                }
            }
            any |= enter(&removed, parents);
        }
        None::<()>
    });
    any
}

fn naked_pairs(initial: &Board, grid: &Board, enter: Enter<'_>) -> bool {
    let mut any = false;
    naked_set::for_each(grid, 2, |house, places, digits| {
        let removed = naked_set::removed(grid, house, places, digits);
        if !removed.is_empty() {
            let mut parents = CandidateSet::EMPTY;
            for cell in house.unproject(places) {
                for digit in initial.digits(cell).intersection(digits.complement()) {
                    parents.insert(digit, CellSet::of(cell));
                }
            }
            any |= enter(&removed, parents);
        }
        None::<()>
    });
    any
}

fn x_wings(initial: &Board, grid: &Board, enter: Enter<'_>) -> bool {
    let mut any = false;
    fish::for_each(grid, 2, |wing| {
        let removed = wing.removed(grid);
        if !removed.is_empty() {
            let lost = initial.cells(wing.digit).without(grid.cells(wing.digit));
            let lost = (lost & wing.base).without(wing.cover);
            any |= enter(&removed, CandidateSet::of(wing.digit, lost));
        }
        None::<()>
    });
    any
}

/// The chains that runs use as rules, and what their search reuses.
#[derive(Default)]
pub(super) struct Nested {
    /// Per nested chain its nodes with those nested in it, and what tells it from others.
    known: Vec<(u32, Vec<u16>)>,
    runs: Option<Box<Runs>>,
}

impl Nested {
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    pub(super) fn length(&self, chain: u32) -> u32 {
        self.known[chain as usize].0
    }

    pub(super) fn is_same(&self, a: u32, b: u32) -> bool {
        a == b || self.known[a as usize].1 == self.known[b as usize].1
    }
}

/// The kinds of chains that a level nests, in order.
fn kinds(level: u8) -> &'static [Option<Kind>] {
    match level {
        0 | 1 => &[],
        2 => &[None],
        3 => &[None, Some(Kind::MULTIPLE)],
        4 => &[Some(Kind::DYNAMIC)],
        _ => &[Some(Kind::DYNAMIC), Some(Kind::NESTED_FORCING)],
    }
}

fn chains(
    level: u8,
    initial: &Board,
    grid: &Board,
    run: &mut Run,
    nested: &mut Nested,
    budget: &mut Budget,
) -> bool {
    kinds(level).iter().any(|kind| {
        let mut found = match kind {
            None => forcing_cycle::all(grid, budget),
            Some(kind) => {
                let runs = nested.runs.get_or_insert_default();
                multiple::all(grid, *kind, runs, budget)
            }
        };
        sort_and_deduplicate(&mut found);
        let mut any = false;
        for chain in &found {
            any |= enter_chain(chain, initial, grid, run, &mut nested.known);
        }
        any
    })
}

fn enter_chain(
    chain: &Found,
    initial: &Board,
    grid: &Board,
    run: &mut Run,
    known: &mut Vec<(u32, Vec<u16>)>,
) -> bool {
    let parents = chain.lost(initial, grid);
    !parents.is_empty()
        && run.enter_by_rule(&chain.removed, parents, || {
            known.push((chain.length, chain.signature()));
            Some(known.len() as u32 - 1)
        })
}

/// Adds the candidates that had to leave the grid before this node could follow: those of its cell or
/// of its digit in the house.
pub(super) fn lost_by(
    initial: &Board,
    grid: &Board,
    node: Node,
    cause: Cause,
    lost: &mut CandidateSet,
) {
    match cause {
        Cause::Cell => {
            let now: DigitSet = grid.digits(node.cell());
            for digit in initial.digits(node.cell()).intersection(now.complement()) {
                lost.insert(digit, CellSet::of(node.cell()));
            }
        }
        Cause::House(house) => {
            // The house is one of the node's cell.
            debug_assert!(houses_of(node.cell()).iter().any(|(one, _)| *one == house));
            let digit = node.digit();
            let gone = initial.cells(digit).without(grid.cells(digit)) & house.cells();
            lost.insert(digit, gone);
        }
        Cause::Start | Cause::Rule(_) => {}
    }
}
