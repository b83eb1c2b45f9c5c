//! Finds removals by rules during a run (the search from one assumption). The rules are applied to the grid without the
//! candidates that the run has removed.
//!
//! The rules are simple techniques, and from level 2 on also nested chains, which start on this grid. They are tried in
//! order until one gives a new off-node.

use super::chain_hint::{ChainHint, sort_and_deduplicate};
use super::forcing_cycle::{self, ChainLayers};
use super::kind::ChainKind;
use super::rules;
use super::run::ChainRun;
use crate::board::CandidateSet;
use crate::rating::board::Board;
use crate::rating::budget::Budget;

/// A function that lists all chain hints of a kind. `R` is the type of the memory that the search reuses.
type ListHints<R> = fn(&Board, ChainKind, &mut R, &mut Budget) -> Vec<ChainHint>;

/// Adds to the run the off-nodes that follow by the rules of this level. Returns whether any of them is new.
/// `list_hints` searches for nested chains. It is a parameter because that search itself calls this function.
pub(super) fn apply<R: Default>(
    level: u8,
    initial: &Board,
    grid: &Board,
    run: &mut ChainRun,
    nested: &mut NestedChains<R>,
    list_hints: ListHints<R>,
    budget: &mut Budget,
) -> bool {
    if !budget.spend(27) {
        return false;
    }
    let mut enter = |removed: &CandidateSet, parents| run.add_by_rule(removed, parents, || None);
    rules::apply_simple(initial, grid, &mut enter)
        || chains(level, initial, grid, run, nested, list_hints, budget)
}

/// The nested chains that the runs have used, and memory that is reused by searches for nested chains.
#[derive(Default)]
pub(super) struct NestedChains<R> {
    /// For each nested chain, its number of nodes (including chains nested in it), and its signature.
    known_chains: Vec<(u32, Vec<u16>)>,
    layers: ChainLayers,
    runs: Option<Box<R>>,
}

impl<R> NestedChains<R> {
    pub(super) fn clear(&mut self) {
        self.known_chains.clear();
    }

    pub(super) fn length(&self, chain: u32) -> u32 {
        self.known_chains[chain as usize].0
    }

    pub(super) fn is_same(&self, a: u32, b: u32) -> bool {
        a == b || self.known_chains[a as usize].1 == self.known_chains[b as usize].1
    }
}

/// The kinds of nested chains that a level searches, in order. `None` stands for forcing chains and cycles.
fn kinds(level: u8) -> &'static [Option<ChainKind>] {
    match level {
        0 | 1 => &[],
        2 => &[None],
        3 => &[None, Some(ChainKind::MULTIPLE)],
        4 => &[Some(ChainKind::DYNAMIC)],
        _ => &[Some(ChainKind::DYNAMIC), Some(ChainKind::NESTED_FORCING)],
    }
}

fn chains<R: Default>(
    level: u8,
    initial: &Board,
    grid: &Board,
    run: &mut ChainRun,
    nested: &mut NestedChains<R>,
    list_hints: ListHints<R>,
    budget: &mut Budget,
) -> bool {
    kinds(level).iter().any(|kind| {
        let mut found_hints = match kind {
            None => forcing_cycle::all(grid, &mut nested.layers, budget),
            Some(kind) => {
                let runs = nested.runs.get_or_insert_default();
                list_hints(grid, *kind, runs, budget)
            }
        };
        sort_and_deduplicate(&mut found_hints);
        let mut has_node = false;
        for chain in &found_hints {
            has_node |= enter_chain(chain, initial, grid, run, &mut nested.known_chains);
        }
        has_node
    })
}

fn enter_chain(
    chain: &ChainHint,
    initial: &Board,
    grid: &Board,
    run: &mut ChainRun,
    known_chains: &mut Vec<(u32, Vec<u16>)>,
) -> bool {
    let parents = chain.lost_candidates(initial, grid);
    !parents.is_empty()
        && run.add_by_rule(&chain.removed, parents, || {
            known_chains.push((chain.length, chain.signature()));
            Some(known_chains.len() as u32 - 1)
        })
}
